import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import { endKeys } from "./end-keys.ts";
import type { EndedKeys } from "./end-keys.ts";
import { keepAnOwner } from "./member-rules.ts";
import { endInvitationsOf } from "./invitation-queries.ts";
import { lockMembers, selectAssignmentsOf } from "./member-queries.ts";
import { deletePasskeys } from "./passkey-queries.ts";
import { endPasswordLinks } from "./password-links.ts";
import { markSessionsRevoked } from "./queries.ts";
import { deleteSecondFactor } from "./second-factor-queries.ts";
import { forgetSessions } from "./sessions.ts";

/**
 * Ends what somebody can use, in the caller's transaction, which has authorised it: sessions, links to choose a password, the
 * invitations that they sent or that wait for them, their API keys. Suspended, they keep roles and password, and their keys stop for so long;
 * removed, they lose all of it. With `handKeysTo` the keys belong to another member from now on. The one place where access
 * ends: call `forgetAccess` after the commit.
 *
 * Throws `not_found` for who is no member, `permission_denied` when the person may do more than the actor, and `conflict` for
 * oneself, for the last owner and for who is to be suspended and is.
 */
export async function endAccess(
  ctx: Ctx,
  tx: Tx,
  input: { userId: string; how: "suspended" | "removed"; handKeysTo?: string | undefined },
): Promise<EndedKeys> {
  const { tenantId } = ctx;
  const { userId, how, handKeysTo } = input;
  const removes = how === "removed";
  if (ctx.actor.id === userId) {
    throw new DomainError("conflict", `Nobody can ${removes ? "remove" : "suspend"} themselves.`);
  }
  const at = ctx.now();
  const where = { tenantId_id: { tenantId, id: userId } };
  await lockMembers(tx, tenantId);
  const member = await tx.user.findUnique({ where });
  if (!member || member.removedAt) throw notFound();
  if (!removes && member.disabledAt) throw new DomainError("conflict", "They are suspended already.");
  await keepAnOwner(ctx, tx, userId);
  const held = await selectAssignmentsOf(tx, tenantId, userId);
  refuseMorePowerful(ctx, held);
  await endPasswordLinks(tx, tenantId, userId);
  if (removes) {
    await deleteSecondFactor(tx, tenantId, userId);
    await tx.externalIdentity.deleteMany({ where: { tenantId, userId } });
    await deletePasskeys(tx, tenantId, userId);
    await tx.roleAssignment.deleteMany({ where: { tenantId, userId } });
  }
  await tx.user.update({
    where,
    data: {
      disabledAt: member.disabledAt ?? at,
      ...(removes ? { removedAt: at, deactivatedAt: null, passwordHash: null } : {}),
    },
  });
  const sessions = await markSessionsRevoked(tx, { tenantId, userId, at });
  const invitationsEnded = await endInvitationsOf(tx, tenantId, member, at);
  // After the person's row is held: a key that they make at this moment is here, or is refused.
  const keys = await endKeys(ctx, tx, userId, { handTo: handKeysTo, pause: !removes });
  await recordAudit(ctx, tx, {
    action: removes ? "member.removed" : "member.suspended",
    targetType: "user",
    targetId: userId,
    ...(removes
      ? {
          before: { member: true, roles: held.map(({ key, unitId }) => ({ role: key, unitId })) },
          after: { member: false, roles: [] },
        }
      : { before: { suspendedAt: null }, after: { suspendedAt: at } }),
    data: {
      name: member.name,
      sessionsEnded: sessions.length,
      invitationsEnded,
      ...keys,
      ...(handKeysTo === undefined ? {} : { keysHandedTo: handKeysTo }),
    },
  });
  return keys;
}

/** After access has ended or come back: this process knows at once, the others within two seconds. */
export function forgetAccess(): void {
  forgetSessions();
  forgetApiKeys();
}

/** Throws `permission_denied` when somebody's roles hold more than the actor has. */
export function refuseMorePowerful(
  ctx: Ctx,
  held: readonly { permissions: string[]; unitId: string | null }[],
): void {
  for (const role of held) refuseEscalation(ctx, role.permissions, { unitId: role.unitId });
}
