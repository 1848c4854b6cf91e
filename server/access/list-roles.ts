import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { builtInRoles, permissions } from "../operations/permissions.ts";
import type { Permission } from "../operations/permissions.ts";
import { managedUnits } from "./member-rules.ts";
import { selectRoleHolders, selectRoles } from "./role-queries.ts";
import type { RoleCounts, RoleRow } from "./role-queries.ts";
import { listRoleHoldersSchema } from "./schemas.ts";
import type { ListRoleHoldersInput } from "./schemas.ts";

export interface ListedRole {
  key: string;
  name: string;
  description: string;
  permissions: Permission[];
  builtIn: boolean;
  /** Of what can be changed of it. */
  revision: string;
  /** How much has it; null for whoever manages some teams only. */
  held: RoleCounts | null;
}

/** What the roles are for that every organisation has, by key. */
const purposes = new Map<string, string>(
  Object.entries(builtInRoles).map(([key, { description }]) => [key, description]),
);

/** The organisation's roles: those that every organisation has, then its own by name. */
export async function listRoles(ctx: Ctx): Promise<{ data: ListedRole[] }> {
  const everywhere = managedUnits(ctx) === null;
  const rows = await selectRoles(ctx);
  // Those that every organisation has in the order in which they are declared, as roles of a set-up are all of one moment.
  const order = (key: string) => Object.keys(builtInRoles).indexOf(key);
  const [builtIn, own] = [rows.filter((row) => row.builtIn), rows.filter((row) => !row.builtIn)];
  return {
    data: [...builtIn.sort((a, b) => order(a.key) - order(b.key)), ...own].map(
      ({ members, keys, invitations, groups, ...row }) => ({
        key: row.key,
        name: row.name,
        description: (row.builtIn && purposes.get(row.key)) || row.description,
        permissions: permissions.filter((permission) => row.permissions.includes(permission)),
        builtIn: row.builtIn,
        revision: roleRevision(row),
        held: everywhere ? { members, keys, invitations, groups } : null,
      }),
    ),
  };
}

/** Names what a role is, for a change that is based on it. */
export function roleRevision({ name, description, permissions: held }: RoleRow): string {
  return jsonHash([name, description, held]);
}

/** Who has a role: people, valid keys, open invitations and groups of the directory. For whoever manages members in the whole tenant. */
export async function listRoleHolders(ctx: Ctx, input: ListRoleHoldersInput) {
  const { key, limit, cursor } = listRoleHoldersSchema.parse(input);
  if (managedUnits(ctx) !== null) throw notFound();
  const after = decodeCursor(cursor);
  const { tenantId } = ctx;
  const role = await inTenant(ctx, (tx) =>
    tx.role.findUnique({ where: { tenantId_key: { tenantId, key } }, select: { id: true } }),
  );
  if (!role) throw notFound();
  const rows = await selectRoleHolders(ctx, { roleId: role.id, after: after ?? null, limit: limit + 1 });
  return toPage(rows, limit, ({ id, kind, holderId, name, unitId, suspended }) => ({
    id,
    kind,
    holderId,
    name,
    unitId,
    suspended,
  }));
}
