import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { healthReport } from "./health-report.ts";
import { listHealth } from "./list-health.ts";
import { listIncidents } from "./list-incidents.ts";
import { probeNow } from "./probe-now.ts";
import { healthReportQuerySchema, incidentListQuerySchema } from "./schemas.ts";

const permission = "providers:read";

/** Health of the connections to providers. */
export const healthOperations = {
  now: query({ permission, run: listHealth }),
  report: query({ permission, input: healthReportQuerySchema, run: healthReport }),
  incidents: query({ permission, input: incidentListQuerySchema, run: listIncidents }),
  probe: mutation({
    permission: "providers:manage",
    input: z.object({ connectionId: z.uuid() }),
    run: probeNow,
  }),
};
