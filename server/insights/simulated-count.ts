import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { selectCounts } from "./queries.ts";
import { readFilter, readPeriod } from "./report-period.ts";
import type { ReportFilter } from "./report-period.ts";
import type { RollupFilter } from "./rollup-source.ts";
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
  const period = readPeriod(ctx, input, (to) => new Date(to.getTime() - day));
  return simulatedOf(ctx, scopes, await readFilter(ctx, period, input));
}

/** Of what a filter counts, what the simulator took; none where it counts another connection's only. */
export async function simulatedOf(
  ctx: Ctx,
  scopes: ReturnType<typeof visibleScopes>,
  filter: RollupFilter,
): Promise<SimulatedCount> {
  const connections = await tenantConnections(ctx);
  const simulator = [...connections.values()].find(({ adapter }) => adapter.name === "simulator");
  if (!simulator) return { connectionId: null, sent: 0, delivered: 0 };
  const { id: connectionId } = simulator;
  if (filter.connectionId !== undefined && filter.connectionId !== connectionId)
    return { connectionId, sent: 0, delivered: 0 };
  const [row] = await selectCounts(
    ctx,
    scopes,
    { ...filter, connectionId },
    { by: [], interval: null, limit: null },
  );
  return { connectionId, sent: row?.sent ?? 0, delivered: row?.delivered ?? 0 };
}
