import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { deliveryReport } from "./delivery-report.ts";
import { deliveryReportQuerySchema } from "./schemas.ts";

export const insightsRouter = router({
  delivery: procedure
    .meta({ permissions: ["reports:read"] })
    .input(
      deliveryReportQuerySchema.extend({ environmentId: z.uuid().optional(), unitId: z.uuid().optional() }),
    )
    .query(({ ctx, input }) => deliveryReport(ctx.tidings, input)),
});
