import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { authorizeMembers, keepAnOwner } from "./member-rules.ts";
import { markSessionsRevoked, selectRolesOf } from "./queries.ts";
import type { RemoveMemberInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/**
 * Takes away a person's account: roles, password and sessions. What they did stays in the audit trail under their name.
 * Needs members:manage in the whole tenant and all that the person may do. Throws `conflict` for oneself and for the last owner.
 */
export async function removeMember(ctx: Ctx, input: RemoveMemberInput): Promise<void> {
  await authorizeMembers(ctx, null);
  const { tenantId } = ctx;
  const { userId } = input;
  if (ctx.actor.id === userId) throw new DomainError("conflict", "Nobody can remove themselves.");
  const where = { tenantId_id: { tenantId, id: userId } };
  await inTenant(ctx, async (tx) => {
    const member = await tx.user.findUnique({ where });
    if (!member || member.disabledAt) throw notFound();
    await keepAnOwner(ctx, tx, userId);
    const roles = await selectRolesOf(tx, tenantId, userId);
    for (const role of roles) refuseEscalation(ctx, role.permissions, { unitId: role.unitId });
    await tx.roleAssignment.deleteMany({ where: { tenantId, userId } });
    await tx.user.update({ where, data: { disabledAt: ctx.now(), passwordHash: null } });
    const sessions = await markSessionsRevoked(tx, { tenantId, userId, at: ctx.now() });
    await recordAudit(ctx, tx, {
      action: "member.removed",
      targetType: "user",
      targetId: userId,
      data: { sessionsEnded: sessions.length },
    });
  });
  forgetSessions();
}
