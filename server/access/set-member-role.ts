import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { authorizeMembers, grantableRole, keepAnOwner } from "./member-rules.ts";
import { setMemberRoleSchema } from "./schemas.ts";
import type { SetMemberRoleInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/**
 * Makes `role` a member's only role in a unit, or in the whole tenant; null takes it away there. Needs members:manage
 * there, and every permission of the old and the new role. In force everywhere within three seconds. Throws `conflict`
 * when the tenant would have no owner any more.
 */
export async function setMemberRole(ctx: Ctx, input: SetMemberRoleInput): Promise<void> {
  const wanted = setMemberRoleSchema.parse(input);
  const unitId = wanted.unitId ?? null;
  await authorizeMembers(ctx, unitId);
  const { tenantId } = ctx;
  const { userId } = wanted;
  await inTenant(ctx, async (tx) => {
    const member = await tx.user.findUnique({ where: { tenantId_id: { tenantId, id: userId } } });
    if (!member || member.disabledAt) throw notFound();
    const before = await tx.roleAssignment.findMany({ where: { tenantId, userId, unitId } });
    const roles = await tx.role.findMany({
      where: { tenantId, id: { in: before.map((assignment) => assignment.roleId) } },
    });
    for (const role of roles) refuseEscalation(ctx, role.permissions, { unitId });
    const next = wanted.role === null ? null : await grantableRole(ctx, tx, wanted.role, unitId);
    const ownedAll = unitId === null && roles.some((role) => role.key === "owner");
    if (ownedAll && next?.key !== "owner") await keepAnOwner(ctx, tx, userId);
    await tx.roleAssignment.deleteMany({ where: { tenantId, userId, unitId } });
    if (next) {
      await tx.roleAssignment.create({ data: { tenantId, id: newId(), userId, roleId: next.id, unitId } });
    }
    await recordAudit(ctx, tx, {
      action: "member.role_changed",
      targetType: "user",
      targetId: userId,
      unitId,
      data: { from: roles.map((role) => role.key), to: next?.key ?? null },
    });
  });
  forgetSessions();
}
