import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { selectCounts } from "./queries.ts";
import { readFilter, readPeriod } from "./report-period.ts";
import type { ReportFilter } from "./report-period.ts";
import type { SimulatedCount } from "./schemas.ts";

const day = 86_400_000;

/**
 * How many of the messages accepted in a period were handed to the simulator: real ones, too, where a rule names it, and nobody
 * received them. Reads the rollups.
 */
export async function simulatedCount(
  ctx: Ctx,
  input: ReportFilter & { from?: string | undefined; to?: string | undefined },
): Promise<SimulatedCount> {
  const scopes = visibleScopes(ctx, "reports:read");
  const connections = await tenantConnections(ctx);
  const simulator = [...connections.values()].find(({ adapter }) => adapter.name === "simulator");
  if (!simulator) return { connectionId: null, sent: 0 };
  const period = readPeriod(ctx, input, (to) => new Date(to.getTime() - day));
  const filter = await readFilter(ctx, period, { ...input, provider: simulator.id });
  const [row] = await selectCounts(ctx, scopes, filter, { by: [], interval: null, limit: null });
  return { connectionId: simulator.id, sent: row?.sent ?? 0 };
}
