import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { healthReport } from "./health-report.ts";
import { listHealth } from "./list-health.ts";
import { listIncidents } from "./list-incidents.ts";
import { probeNow } from "./probe-now.ts";
import { healthReportQuerySchema, incidentListQuerySchema } from "./schemas.ts";

export const healthRouter = router({
  now: procedure.meta({ permissions: ["providers:read"] }).query(({ ctx }) => listHealth(ctx.tidings)),
  report: procedure
    .meta({ permissions: ["providers:read"] })
    .input(healthReportQuerySchema)
    .query(({ ctx, input }) => healthReport(ctx.tidings, input)),
  incidents: procedure
    .meta({ permissions: ["providers:read"] })
    .input(incidentListQuerySchema)
    .query(({ ctx, input }) => listIncidents(ctx.tidings, input)),
  probe: procedure
    .meta({ permissions: ["providers:manage"] })
    .input(z.object({ connectionId: z.uuid() }))
    .mutation(({ ctx, input }) => probeNow(ctx.tidings, input)),
});
