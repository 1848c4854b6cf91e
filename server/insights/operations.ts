import { z } from "zod";
import { query } from "../operations/operation.ts";
import { costReport } from "./cost-report.ts";
import { deliveryBreakdown, deliveryReport } from "./delivery-report.ts";
import {
  breakdownQuerySchema,
  costReportQuerySchema,
  costReportSchema,
  deliveryReportQuerySchema,
  deliveryReportSchema,
} from "./schemas.ts";

/** Where in the portal one looks. */
const place = { environmentId: z.uuid().optional(), unitId: z.uuid().optional() };

/** Reports about messages and what they cost. */
export const insightOperations = {
  delivery: query({
    permission: "reports:read",
    input: deliveryReportQuerySchema.extend(place),
    run: deliveryReport,
    rest: {
      method: "GET",
      path: "/v1/reports/delivery",
      operationId: "getDeliveryReport",
      summary: "Delivery statistics of a period",
      tag: "Reports",
      query: deliveryReportQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: {
        status: 200,
        schema: deliveryReportSchema,
        description: "The statistics of the key's environment",
      },
    },
  }),
  deliveryBreakdown: query({
    permission: "reports:read",
    input: breakdownQuerySchema.extend(place),
    run: deliveryBreakdown,
  }),
  costs: query({
    permission: "costs:read",
    input: costReportQuerySchema.extend(place),
    run: costReport,
    rest: {
      method: "GET",
      path: "/v1/reports/costs",
      operationId: "getCostReport",
      summary: "Costs of a period",
      tag: "Reports",
      query: costReportQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: {
        status: 200,
        schema: costReportSchema,
        description: "The costs of the key's environment",
      },
    },
  }),
};
