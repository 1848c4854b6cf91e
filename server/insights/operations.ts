import { z } from "zod";
import { query, restOnly } from "../operations/operation.ts";
import type { RestFile } from "../operations/operation.ts";
import { costReport } from "./cost-report.ts";
import { focusCosts } from "./focus-costs.ts";
import { deliveryReport } from "./delivery-report.ts";
import { overviewReport } from "./overview-report.ts";
import {
  costReportQuerySchema,
  costReportSchema,
  deliveryReportQuerySchema,
  deliveryReportSchema,
  overviewQuerySchema,
} from "./schemas.ts";
import type { CostReport } from "./schemas.ts";

/** Of any type, as the output may be a file instead. */
const answerOfCosts: z.ZodType = costReportSchema;

/** Where in the portal one looks. */
const place = { environmentId: z.uuid().optional(), unitId: z.uuid().optional() };

/** Reports about messages and what they cost. */
export const insightOperations = {
  delivery: query({
    permission: "reports:read",
    input: deliveryReportQuerySchema.extend({ ...place, courses: z.boolean().optional() }),
    run: deliveryReport,
    rest: {
      method: "GET",
      path: "/v1/reports/delivery",
      operationId: "getDeliveryReport",
      summary: "Get the delivery statistics of a period",
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
  overview: query({
    permission: "reports:read",
    input: overviewQuerySchema,
    run: overviewReport,
  }),
  costs: query({
    permission: "costs:read",
    input: costReportQuerySchema.extend(place),
    run: costReport,
  }),
  costsOfKey: restOnly({
    permission: "costs:read",
    method: "GET",
    path: "/v1/reports/costs",
    operationId: "getCostReport",
    summary: "Get the costs of a period",
    description:
      "As totals, time series and groups, or with `format=focus` as CSV rows of the FinOps Open Cost and Usage Specification (FOCUS 1.2), by day (UTC). FOCUS ignores `interval`, `groupBy` and `limit`.",
    tag: "Reports",
    query: costReportQuerySchema.extend({ format: z.enum(["json", "focus"]).default("json") }),
    run: (ctx, { query: { format, ...input } }): Promise<CostReport | RestFile> =>
      (format === "focus" ? focusCosts : costReport)(ctx, { ...input, environmentId: ctx.environmentId }),
    answer: {
      status: 200,
      schema: answerOfCosts,
      file: "text/csv",
      description: "The costs of the key's environment",
    },
  }),
};
