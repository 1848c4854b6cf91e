import { tenantHealth } from "../connections/connection-state.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { may } from "../operations/authorize.ts";
import type { ConnectionNow } from "./schemas.ts";
import { visibleConnections } from "./visible-connections.ts";

/** The present state of the caller's connections, by name. */
export async function listHealth(ctx: Ctx): Promise<{ data: ConnectionNow[] }> {
  const [connections, health] = await Promise.all([visibleConnections(ctx), tenantHealth(ctx)]);
  return {
    data: connections.map((connection) => {
      const known = health.get(connection.id);
      const { unitId } = connection;
      return {
        id: connection.id,
        name: connection.name,
        provider: connection.adapter.name,
        channels: [...connection.channels],
        unitId,
        enabled: connection.enabled,
        breaker: known?.breaker ?? "closed",
        since: known?.since.toISOString() ?? null,
        reason:
          known?.reasonCode == null ? null : { code: known.reasonCode, detail: known.reasonDetail ?? "" },
        nextProbeAt: known?.nextProbeAt?.toISOString() ?? null,
        slowSince: known?.slow ? (known.slowSince?.toISOString() ?? null) : null,
        slowAfterMs: connection.slowAfterMs,
        mayProbe: may(ctx, "providers:manage", unitId === null ? {} : { unitId }),
      };
    }),
  };
}
