import { connectionViewer } from "../connections/connection-access.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";

/** The connections that the caller may see, by name; with an id only that one, and `not_found` when they may not. */
export async function visibleConnections(ctx: Ctx, id?: string): Promise<ProviderConnection[]> {
  const [connections, catalogue] = await Promise.all([tenantConnections(ctx), getCatalogue(ctx)]);
  const sees = connectionViewer(ctx, catalogue);
  const visible = [...connections.values()].filter(
    (connection) => sees(connection.unitId) && (id === undefined || connection.id === id),
  );
  if (id !== undefined && visible.length === 0) throw notFound();
  return visible;
}
