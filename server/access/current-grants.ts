import type { Actor, Ctx, Grant } from "../kernel/ctx.ts";
import { agentPermissions } from "../operations/permissions.ts";
import { selectCurrentGrants } from "./queries.ts";

/**
 * What an actor may do now, for work that continues in their name after the request: nothing once a person was disabled
 * or removed, or a key revoked or expired. The system needs no grants and has none.
 */
export async function currentGrants(ctx: Pick<Ctx, "db" | "tenantId">, actor: Actor): Promise<Grant[]> {
  if (actor.type === "system") return [];
  const rows = await selectCurrentGrants(ctx, actor);
  return rows.map((row) => ({
    permissions: new Set(row.agent ? agentPermissions(row.permissions) : row.permissions),
    unitId: row.unitId,
    applicationId: row.applicationId,
    environmentId: row.environmentId,
  }));
}
