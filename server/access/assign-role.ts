import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { grantRoles } from "./admit-member.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { authorizeMembers, grantableRole, keepAnOwner, requireMember } from "./member-rules.ts";
import { lockMembers, selectAssignmentsOf } from "./member-queries.ts";
import { assignRoleSchema, unassignRoleSchema } from "./schemas.ts";
import type { AssignRoleInput, UnassignRoleInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/**
 * Gives a member one more role, in a unit or in the whole tenant. Needs members:manage there and all of the role's
 * permissions there. Running sessions have it at once in this process and within two seconds in the others. Throws `not_found`
 * for somebody whom the actor does not see and `conflict` for a role that the person has there.
 */
export async function assignRole(ctx: Ctx, input: AssignRoleInput): Promise<void> {
  const { userId, role: key, unitId } = assignRoleSchema.parse(input);
  await authorizeMembers(ctx, unitId);
  await inTenant(ctx, async (tx) => {
    await lockMembers(tx, ctx.tenantId);
    const { name } = await requireMember(ctx, tx, userId);
    const role = await grantableRole(ctx, tx, key, { unitId });
    const held = rolesAt(await selectAssignmentsOf(tx, ctx.tenantId, userId), unitId);
    const added = await grantRoles(ctx, tx, {
      userId,
      assignments: [{ roleId: role.id, unitId }],
      grantedBy: ctx.actor,
    });
    if (added === 0) {
      throw new DomainError("conflict", "They already have this role there.", {
        errors: [{ pointer: "/role", code: "taken", detail: "They already have this role there" }],
      });
    }
    await recordAudit(ctx, tx, {
      action: "member.role_given",
      targetType: "user",
      targetId: userId,
      unitId,
      data: { name },
      before: { roles: held },
      after: { roles: [...held, role.key] },
    });
  });
  forgetSessions();
}

/**
 * Takes one role from a member. Needs members:manage where it holds and all of the role's permissions there. Throws
 * `not_found` for a role that the actor does not see, and `conflict` when nobody would own the tenant any more and for a role that
 * a group of the directory or a rule of an identity provider gives.
 */
export async function unassignRole(ctx: Ctx, input: UnassignRoleInput): Promise<void> {
  const { userId, assignmentId } = unassignRoleSchema.parse(input);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    await lockMembers(tx, tenantId);
    const { name } = await requireMember(ctx, tx, userId);
    const held = await selectAssignmentsOf(tx, tenantId, userId);
    const taken = held.find(({ id }) => id === assignmentId);
    if (!taken) throw notFound();
    const { unitId } = taken;
    if (taken.fromDirectory) {
      throw new DomainError(
        "conflict",
        "A directory group assigns this role. Remove them from the group, or the role from the group.",
      );
    }
    if (taken.providerId !== null) {
      throw new DomainError(
        "conflict",
        "Your identity provider assigns this role at each sign-in. Change its rules under Settings → Single sign-on.",
      );
    }
    authorize(ctx, "members:manage", { unitId });
    refuseEscalation(ctx, taken.permissions, { unitId });
    if (taken.key === "owner" && unitId === null) await keepAnOwner(ctx, tx, userId);
    await tx.roleAssignment.delete({ where: { tenantId_id: { tenantId, id: assignmentId } } });
    await recordAudit(ctx, tx, {
      action: "member.role_taken",
      targetType: "user",
      targetId: userId,
      unitId,
      data: { name },
      before: { roles: rolesAt(held, unitId) },
      after: { roles: rolesAt(held, unitId).filter((key) => key !== taken.key) },
    });
  });
  forgetSessions();
}

/** What somebody has in one place, for its audit event: who reads a unit's trail does not read what holds elsewhere. */
function rolesAt(held: readonly { key: string; unitId: string | null }[], unitId: string | null): string[] {
  return held.filter((role) => role.unitId === unitId).map(({ key }) => key);
}
