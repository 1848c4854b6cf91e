import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { permissions } from "../operations/permissions.ts";
import type { Permission } from "../operations/permissions.ts";
import { managedUnits, requireMember } from "./member-rules.ts";
import { selectAssignmentsOf } from "./member-queries.ts";
import type { AssignmentRow } from "./member-queries.ts";
import type { MemberInput } from "./schemas.ts";

export interface AccessOfMember {
  member: {
    id: string;
    name: string;
    email: string;
    createdAt: Date;
    suspendedAt: Date | null;
    /** The organisation's directory has them deactivated. */
    deactivated: boolean;
  };
  /** Their roles: where each holds, who gave it and when. */
  assignments: {
    id: string;
    role: { key: string; name: string; builtIn: boolean };
    unitId: string | null;
    grantedBy: string | null;
    grantedAt: Date;
    /** A group of the directory gives it, and alone takes it away. */
    fromDirectory: boolean;
    /** A rule of an identity provider gives it, and alone takes it away. */
    fromProvider: boolean;
  }[];
  /** What they may do, each with the assignments (ids) that it comes from. */
  permissions: { permission: Permission; from: string[] }[];
  /** Roles elsewhere are left out: the actor manages some teams only. */
  partial: boolean;
}

/** What a member may do, and why. A team's manager is told of the team's roles. */
export async function explainAccess(ctx: Ctx, { userId }: MemberInput): Promise<AccessOfMember> {
  const units = managedUnits(ctx);
  const { member, held } = await inTenant(ctx, async (tx) => ({
    member: await requireMember(ctx, tx, userId),
    held: await selectAssignmentsOf(tx, ctx.tenantId, userId),
  }));
  const seen = held.filter(({ unitId }) => units === null || (unitId !== null && units.includes(unitId)));
  return {
    member: {
      id: member.id,
      name: member.name,
      email: member.email,
      createdAt: member.createdAt,
      suspendedAt: member.disabledAt,
      deactivated: member.deactivatedAt !== null,
    },
    ...explained(seen),
    partial: units !== null,
  };
}

function explained(held: readonly AssignmentRow[]): Pick<AccessOfMember, "assignments" | "permissions"> {
  return {
    assignments: held.map((each) => ({
      id: each.id,
      role: { key: each.key, name: each.name, builtIn: each.builtIn },
      unitId: each.unitId,
      grantedBy: each.grantedByName,
      grantedAt: each.createdAt,
      fromDirectory: each.fromDirectory,
      fromProvider: each.providerId !== null,
    })),
    permissions: permissions
      .map((permission) => ({
        permission,
        from: held.filter((each) => each.permissions.includes(permission)).map(({ id }) => id),
      }))
      .filter(({ from }) => from.length > 0),
  };
}
