import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { selectHealth } from "./queries.ts";
import type { HealthRow } from "./queries.ts";

export type ConnectionHealth = Omit<HealthRow, "connectionId">;

const byTenant = ttlCache<Map<string, ConnectionHealth>>({ name: "health", ttlMs: 1_000, max: 5_000 });

/** The health of the tenant's connections by id, at most a second old. A connection without an entry is closed: it works. */
export async function tenantHealth(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<Map<string, ConnectionHealth>> {
  const health = await byTenant.get(ctx.tenantId, async () => {
    const rows = await selectHealth(ctx);
    return new Map(rows.map(({ connectionId, ...row }) => [connectionId, row]));
  });
  return health ?? new Map<string, ConnectionHealth>();
}

/** Makes this process see its own change at once. */
export function forgetHealth(tenantId: string): void {
  byTenant.forget(tenantId);
}
