import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { builtInRoles } from "../operations/permissions.ts";
import type { BuiltInRole } from "../operations/permissions.ts";

/** Gives a new tenant the built-in roles and its first person, who is owner of all of it. Returns the ids of the roles. */
export async function createOwner(
  tx: Tx,
  tenantId: string,
  owner: { id: string; email: string; name: string; passwordHash: string | null },
): Promise<Record<BuiltInRole, string>> {
  const roles = Object.entries(builtInRoles).map(([key, { name, permissions }]) => ({
    tenantId,
    id: newId(),
    key,
    name,
    permissions: [...permissions],
    builtIn: true,
  }));
  const ids = Object.fromEntries(roles.map(({ key, id }) => [key, id])) as Record<BuiltInRole, string>;
  await tx.role.createMany({ data: roles });
  await tx.user.create({ data: { tenantId, ...owner } });
  await tx.roleAssignment.create({
    data: {
      tenantId,
      id: newId(),
      userId: owner.id,
      roleId: ids.owner,
      unitId: null,
      grantedByName: "Set-up",
    },
  });
  return ids;
}
