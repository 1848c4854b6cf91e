import { z } from "zod";
import { query } from "../operations/operation.ts";
import { deliveryReport } from "./delivery-report.ts";
import { deliveryReportQuerySchema, deliveryReportSchema } from "./schemas.ts";

/** Reports about messages. */
export const insightOperations = {
  delivery: query({
    permission: "reports:read",
    input: deliveryReportQuerySchema.extend({
      environmentId: z.uuid().optional(),
      unitId: z.uuid().optional(),
    }),
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
};
