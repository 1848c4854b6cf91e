import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { accessLimits } from "./schemas.ts";

/** Who is to become a member, and with what. */
export interface Admission {
  email: string;
  name: string;
  passwordHash: string | null;
  assignments: readonly { roleId: string; unitId: string | null }[];
  /** Who answers for the roles. */
  grantedBy: { id: string | null; name: string };
}

/**
 * Makes somebody a member in the caller's transaction, which has checked that the roles may be given. A member who is there
 * already keeps name and password and gets the roles in addition; who was removed comes back with the same id. Throws
 * `conflict` for more roles than one person can have.
 */
export async function admitMember(ctx: Ctx, tx: Tx, person: Admission): Promise<string> {
  const { tenantId } = ctx;
  const { email, name, passwordHash } = person;
  const known = await tx.user.findUnique({ where: { tenantId_email: { tenantId, email } } });
  const userId = known?.id ?? newId();
  if (!known) {
    await tx.user.create({
      data: { tenantId, id: userId, email, name, passwordHash, createdAt: ctx.now() },
    });
  } else if (known.removedAt) {
    await tx.user.update({
      where: { tenantId_id: { tenantId, id: userId } },
      data: { name, passwordHash, disabledAt: null, removedAt: null, deactivatedAt: null },
    });
  }
  await grantRoles(ctx, tx, { userId, ...person });
  if (!known || known.removedAt) {
    await recordAudit(ctx, tx, {
      action: "member.joined",
      targetType: "user",
      targetId: userId,
      data: { name },
      before: { member: false },
      after: { member: true },
    });
  }
  return userId;
}

/** Adds roles to those that a person has; one that they have there already stays as it is. */
export async function grantRoles(
  ctx: Ctx,
  tx: Tx,
  grant: Pick<Admission, "assignments" | "grantedBy"> & { userId: string },
): Promise<number> {
  const { tenantId } = ctx;
  const { userId, grantedBy } = grant;
  const { count } = await tx.roleAssignment.createMany({
    data: grant.assignments.map(({ roleId, unitId }) => ({
      tenantId,
      id: newId(),
      userId,
      roleId,
      unitId,
      grantedById: grantedBy.id,
      grantedByName: grantedBy.name,
      createdAt: ctx.now(),
    })),
    skipDuplicates: true,
  });
  if ((await tx.roleAssignment.count({ where: { tenantId, userId } })) > accessLimits.assignments) {
    throw new DomainError(
      "conflict",
      `Nobody can have more than ${String(accessLimits.assignments)} roles. Take one away first.`,
    );
  }
  return count;
}
