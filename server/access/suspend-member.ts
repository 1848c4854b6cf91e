import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { endAccess, forgetAccess, refuseMorePowerful } from "./end-access.ts";
import type { EndedKeys } from "./end-keys.ts";
import { authorizeMembers } from "./member-rules.ts";
import { lockMembers, selectAssignmentsOf } from "./member-queries.ts";
import { endMembershipSchema, memberSchema } from "./schemas.ts";
import type { EndMembershipInput, MemberInput } from "./schemas.ts";

/**
 * Locks a member out until they are reactivated. Their sessions, links to choose a password and the invitations that they sent end now; their approvals of
 * promotions under way do not count for so long. Their API keys stop for as long as the suspension lasts, everywhere within two
 * seconds, or with `handKeysTo` belong to another member from now on. Roles and password stay. Needs members:manage in the
 * whole tenant and all that the person may do. Throws `conflict` for oneself, for the last owner and for who is suspended.
 */
export async function suspendMember(ctx: Ctx, input: EndMembershipInput): Promise<EndedKeys> {
  const { userId, handKeysTo } = endMembershipSchema.parse(input);
  await authorizeMembers(ctx, null);
  const keys = await inTenant(ctx, (tx) => endAccess(ctx, tx, { userId, how: "suspended", handKeysTo }));
  forgetAccess();
  return keys;
}

/**
 * Lets a suspended member in again, with the roles, password and API keys that they had. Sessions do not come back. Needs what
 * suspending needs: who comes back brings their rights along. Throws `conflict` for whom the directory has deactivated.
 */
export async function reactivateMember(ctx: Ctx, input: MemberInput): Promise<void> {
  const { userId } = memberSchema.parse(input);
  await authorizeMembers(ctx, null);
  const { tenantId } = ctx;
  const where = { tenantId_id: { tenantId, id: userId } };
  await inTenant(ctx, async (tx) => {
    await lockMembers(tx, tenantId);
    const member = await tx.user.findUnique({ where });
    if (!member || member.removedAt) throw notFound();
    if (!member.disabledAt) throw new DomainError("conflict", "They are not suspended.");
    if (member.deactivatedAt) {
      throw new DomainError("conflict", "Your directory has deactivated them. Reactivate them there.");
    }
    refuseMorePowerful(ctx, await selectAssignmentsOf(tx, tenantId, userId));
    await tx.user.update({ where, data: { disabledAt: null } });
    await recordAudit(ctx, tx, {
      action: "member.reactivated",
      targetType: "user",
      targetId: userId,
      data: { name: member.name },
      before: { suspendedAt: member.disabledAt },
      after: { suspendedAt: null },
    });
  });
  forgetAccess();
}
