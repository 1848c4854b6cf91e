import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { visibleScopes } from "../operations/authorize.ts";
import { selectCounts } from "./queries.ts";
import type { RollupFilter } from "./rollup-source.ts";
import type { SimulatedCount } from "./schemas.ts";

/**
 * Of the messages that a filter counts, those handed to the simulator: real ones, too, where a rule names it, and nobody received
 * them. None where the filter is of another connection. Reads the rollups.
 */
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
