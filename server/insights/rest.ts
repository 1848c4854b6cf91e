import { defineRoute } from "../rest/define-route.ts";
import { deliveryReport } from "./delivery-report.ts";
import { deliveryReportQuerySchema, deliveryReportSchema } from "./schemas.ts";

export const getDeliveryReport = defineRoute({
  method: "GET",
  path: "/v1/reports/delivery",
  operationId: "getDeliveryReport",
  summary: "Delivery statistics of a period",
  tags: ["Reports"],
  permission: "reports:read",
  query: deliveryReportQuerySchema,
  responses: {
    200: { schema: deliveryReportSchema, description: "The statistics of the key's environment" },
  },
  handler: async (ctx, { query }) => ({
    status: 200,
    body: await deliveryReport(ctx, { ...query, environmentId: ctx.environmentId }),
  }),
});
