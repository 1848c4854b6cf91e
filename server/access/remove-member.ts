import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import { endKeys } from "./end-keys.ts";
import type { EndedKeys } from "./end-keys.ts";
import { authorizeMembers, keepAnOwner } from "./member-rules.ts";
import { endInvitationsOf } from "./invitation-queries.ts";
import { lockMembers, selectAssignmentsOf } from "./member-queries.ts";
import { endPasswordLinks } from "./password-links.ts";
import { markSessionsRevoked } from "./queries.ts";
import { deleteSecondFactor } from "./second-factor-queries.ts";
import { endMembershipSchema } from "./schemas.ts";
import type { EndMembershipInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/**
 * Takes away a person's account: roles, password, sessions, API keys and the invitations that they sent. Their keys are
 * revoked, which holds everywhere within two seconds, or with `handKeysTo` belong to another member from now on. What they did
 * stays in the audit trail under their name; their approvals of promotions under way no longer count. Needs members:manage in
 * the whole tenant and all that the person, and each key handed over, may do. Throws `conflict` for oneself and for the last
 * owner, `invalid_request` when the keys are to go to somebody who is no member.
 */
export async function removeMember(ctx: Ctx, input: EndMembershipInput): Promise<EndedKeys> {
  const { userId, handKeysTo } = endMembershipSchema.parse(input);
  await authorizeMembers(ctx, null);
  const { tenantId } = ctx;
  if (ctx.actor.id === userId) throw new DomainError("conflict", "Nobody can remove themselves.");
  const where = { tenantId_id: { tenantId, id: userId } };
  const removed = await inTenant(ctx, async (tx) => {
    await lockMembers(tx, tenantId);
    const member = await tx.user.findUnique({ where });
    if (!member || member.removedAt) throw notFound();
    await keepAnOwner(ctx, tx, userId);
    const held = await selectAssignmentsOf(tx, tenantId, userId);
    for (const role of held) refuseEscalation(ctx, role.permissions, { unitId: role.unitId });
    await endPasswordLinks(tx, tenantId, userId);
    await deleteSecondFactor(tx, tenantId, userId);
    await tx.roleAssignment.deleteMany({ where: { tenantId, userId } });
    await tx.user.update({
      where,
      data: { disabledAt: member.disabledAt ?? ctx.now(), removedAt: ctx.now(), passwordHash: null },
    });
    const sessions = await markSessionsRevoked(tx, { tenantId, userId, at: ctx.now() });
    const invitationsEnded = await endInvitationsOf(tx, tenantId, userId, ctx.now());
    // After the person's row is held: a key that they make at this moment is here, or is refused.
    const keys = await endKeys(ctx, tx, userId, { handTo: handKeysTo, pause: false });
    await recordAudit(ctx, tx, {
      action: "member.removed",
      targetType: "user",
      targetId: userId,
      before: { member: true, roles: held.map(({ key, unitId }) => ({ role: key, unitId })) },
      after: { member: false, roles: [] },
      data: {
        name: member.name,
        sessionsEnded: sessions.length,
        invitationsEnded,
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
