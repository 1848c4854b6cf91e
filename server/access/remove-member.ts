import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import { authorizeMembers, keepAnOwner } from "./member-rules.ts";
import { endPasswordLinks } from "./password-links.ts";
import { lockKeysOf, markSessionsRevoked, selectRolesOf, wasRemoved } from "./queries.ts";
import { removeMemberSchema } from "./schemas.ts";
import type { RemoveMemberInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/** Ids of the API keys of somebody who was removed. */
export interface RemovedMember {
  keysRevoked: string[];
  keysHandedOver: string[];
}

/**
 * Removes a person's account: roles, password, sessions and API keys. Their keys are revoked, everywhere within two
 * seconds, or with `handKeysTo` handed over to another member. What they did stays in the audit trail under their name.
 * Needs members:manage in the whole tenant and every permission of the person and of each key handed over. Throws
 * `conflict` for oneself and for the last owner, `invalid_request` when the keys are to go to somebody who is not a
 * member.
 */
export async function removeMember(ctx: Ctx, input: RemoveMemberInput): Promise<RemovedMember> {
  const { userId, handKeysTo } = removeMemberSchema.parse(input);
  await authorizeMembers(ctx, null);
  const { tenantId } = ctx;
  if (ctx.actor.id === userId) throw new DomainError("conflict", "Nobody can remove themselves.");
  const where = { tenantId_id: { tenantId, id: userId } };
  const removed = await inTenant(ctx, async (tx) => {
    const member = await tx.user.findUnique({ where });
    if (!member || member.disabledAt) throw notFound();
    await keepAnOwner(ctx, tx, userId);
    const roles = await selectRolesOf(tx, tenantId, userId);
    for (const role of roles) refuseEscalation(ctx, role.permissions, { unitId: role.unitId });
    await endPasswordLinks(tx, tenantId, userId);
    await tx.roleAssignment.deleteMany({ where: { tenantId, userId } });
    await tx.user.update({ where, data: { disabledAt: ctx.now(), passwordHash: null } });
    const sessions = await markSessionsRevoked(tx, { tenantId, userId, at: ctx.now() });
    // After locking the person's row: a key that they are creating at this moment is either seen here or refused.
    const keys = await endKeys(ctx, tx, userId, handKeysTo);
    await recordAudit(ctx, tx, {
      action: "member.removed",
      targetType: "user",
      targetId: userId,
      data: {
        sessionsEnded: sessions.length,
        ...keys,
        ...(handKeysTo === undefined ? {} : { keysHandedTo: handKeysTo }),
      },
    });
    return keys;
  });
  forgetSessions();
  forgetApiKeys();
  return removed;
}

/** Revokes or hands over all valid keys of a person, with an audit event each. */
async function endKeys(ctx: Ctx, tx: Tx, userId: string, handTo: string | undefined): Promise<RemovedMember> {
  const { tenantId } = ctx;
  if (handTo !== undefined) await requireNewOwner(ctx, tx, userId, handTo);
  const keys = await lockKeysOf(tx, tenantId, userId);
  for (const key of keys) {
    if (handTo !== undefined) refuseEscalation(ctx, key.permissions, key);
    await recordAudit(ctx, tx, {
      action: handTo === undefined ? "api_key.revoked" : "api_key.handed_over",
      targetType: "api_key",
      targetId: key.id,
      unitId: key.unitId,
      environmentId: key.environmentId,
      data: { name: key.name, from: userId, ...(handTo === undefined ? {} : { to: handTo }) },
    });
  }
  const ids = keys.map(({ id }) => id);
  await tx.apiKey.updateMany({
    where: { tenantId, id: { in: ids } },
    data: handTo === undefined ? { revokedAt: ctx.now() } : { createdById: handTo },
  });
  return handTo === undefined
    ? { keysRevoked: ids, keysHandedOver: [] }
    : { keysRevoked: [], keysHandedOver: ids };
}

async function requireNewOwner(ctx: Ctx, tx: Tx, userId: string, newOwnerId: string): Promise<void> {
  const { tenantId } = ctx;
  const newOwner = await tx.user.findUnique({ where: { tenantId_id: { tenantId, id: newOwnerId } } });
  if (newOwner && newOwnerId !== userId && !(await wasRemoved(tx, tenantId, newOwnerId))) return;
  throw new DomainError("invalid_request", "The keys can go to another member only.", {
    errors: [{ pointer: "/handKeysTo", code: "unknown_member", detail: "Not a member of this organisation" }],
  });
}
