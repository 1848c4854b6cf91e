import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { healthReport } from "./health-report.ts";
import { listHealth } from "./list-health.ts";
import { listIncidents } from "./list-incidents.ts";
import { probeNow } from "./probe-now.ts";
import { healthReportQuerySchema, incidentListQuerySchema } from "./schemas.ts";

export const healthRouter = router({
  now: procedure.meta({ permission: "providers:read" }).query(({ ctx }) => listHealth(ctx.tidings)),
  report: procedure
    .meta({ permission: "providers:read" })
    .input(healthReportQuerySchema)
    .query(({ ctx, input }) => healthReport(ctx.tidings, input)),
  incidents: procedure
    .meta({ permission: "providers:read" })
    .input(incidentListQuerySchema)
    .query(({ ctx, input }) => listIncidents(ctx.tidings, input)),
  probe: procedure
    .meta({ permission: "providers:manage" })
    .input(z.object({ connectionId: z.uuid() }))
    .mutation(({ ctx, input }) => probeNow(ctx.tidings, input)),
});
