import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { giveKeys, lockKeysOf, wasRemoved } from "./queries.ts";

/** What became of the API keys of somebody who was removed or suspended: their ids. */
export interface EndedKeys {
  /** Revoked with a removal; stopped for as long as a suspension lasts. */
  keysStopped: string[];
  keysHandedOver: string[];
}

/**
 * Gives all valid keys of a person to a colleague, or revokes them, or with `pause` leaves them stopped while the person may
 * not sign in. An audit event for each key that changes. Throws `invalid_request` when the keys are to go to somebody who is
 * no member, `permission_denied` when a key can do what the actor may not.
 */
export async function endKeys(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  how: { handTo: string | undefined; pause: boolean },
): Promise<EndedKeys> {
  const { tenantId } = ctx;
  const { handTo } = how;
  if (handTo !== undefined) await requireHeir(ctx, tx, userId, handTo);
  const keys = await lockKeysOf(tx, tenantId, userId);
  const ids = keys.map(({ id }) => id);
  if (handTo === undefined && how.pause) return { keysStopped: ids, keysHandedOver: [] };
  for (const key of keys) {
    if (handTo !== undefined) refuseEscalation(ctx, key.permissions, key);
    await recordAudit(ctx, tx, {
      action: handTo === undefined ? "api_key.revoked" : "api_key.handed_over",
      targetType: "api_key",
      targetId: key.id,
      unitId: key.unitId,
      environmentId: key.environmentId,
      data: { name: key.name, from: userId, ...(handTo === undefined ? {} : { to: handTo }) },
      before: handTo === undefined ? { revokedAt: null } : { personId: userId },
      after: handTo === undefined ? { revokedAt: ctx.now() } : { personId: handTo },
    });
  }
  if (handTo !== undefined) {
    await giveKeys(tx, tenantId, ids, handTo);
    return { keysStopped: [], keysHandedOver: ids };
  }
  await tx.apiKey.updateMany({ where: { tenantId, id: { in: ids } }, data: { revokedAt: ctx.now() } });
  return { keysStopped: ids, keysHandedOver: [] };
}

async function requireHeir(ctx: Ctx, tx: Tx, userId: string, heirId: string): Promise<void> {
  const { tenantId } = ctx;
  const heir = await tx.user.findUnique({ where: { tenantId_id: { tenantId, id: heirId } } });
  if (heir && heirId !== userId && !(await wasRemoved(tx, tenantId, heirId))) return;
  throw new DomainError("invalid_request", "The keys can go to another member only.", {
    errors: [{ pointer: "/handKeysTo", code: "unknown_member", detail: "Not a member of this organisation" }],
  });
}
