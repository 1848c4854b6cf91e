import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface RoleRow {
  id: string;
  key: string;
  name: string;
  description: string;
  permissions: string[];
  builtIn: boolean;
}

/** A role, held until the transaction ends: "to give", so that nobody changes it, or "to change", so that nobody gives it. */
export async function lockRole(
  tx: Tx,
  tenantId: string,
  key: string,
  purpose: "to give" | "to change",
): Promise<RoleRow | undefined> {
  const rows =
    purpose === "to give"
      ? await tx.$queryRaw<RoleRow[]>`
          SELECT id, key, name, description, permissions, built_in AS "builtIn" FROM roles
          WHERE tenant_id = ${tenantId}::uuid AND key = ${key} FOR SHARE`
      : await tx.$queryRaw<RoleRow[]>`
          SELECT id, key, name, description, permissions, built_in AS "builtIn" FROM roles
          WHERE tenant_id = ${tenantId}::uuid AND key = ${key} FOR UPDATE`;
  return rows[0];
}

/** Roles by id, held as to give. */
export async function lockRolesById(tx: Tx, tenantId: string, ids: readonly string[]): Promise<RoleRow[]> {
  return tx.$queryRaw`
    SELECT id, key, name, description, permissions, built_in AS "builtIn" FROM roles
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR SHARE`;
}

/** How much has a role: people, valid keys, open invitations, groups of the directory and rules of
 * identity providers that give it. */
export interface RoleCounts {
  members: number;
  keys: number;
  invitations: number;
  groups: number;
}

/** All roles of a tenant, by name, with what has each. */
export async function selectRoles(ctx: TenantDb): Promise<(RoleRow & RoleCounts)[]> {
  return queryInTenant(
    ctx,
    `SELECT r.id, r.key, r.name, r.description, r.permissions, r.built_in AS "builtIn",
            coalesce(m.n, 0)::int AS members, coalesce(k.n, 0)::int AS keys, coalesce(i.n, 0)::int AS invitations,
            coalesce(g.n, 0)::int AS groups
     FROM roles r
     LEFT JOIN (SELECT role_id, count(DISTINCT user_id) AS n FROM role_assignments WHERE tenant_id = $1 GROUP BY 1) m
       ON m.role_id = r.id
     LEFT JOIN (SELECT role_id, count(*) AS n FROM api_keys WHERE tenant_id = $1 AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > now()) GROUP BY 1) k ON k.role_id = r.id
     LEFT JOIN (SELECT (a->>'roleId')::uuid AS role_id, count(DISTINCT v.id) AS n
                FROM invitations v CROSS JOIN LATERAL jsonb_array_elements(v.assignments) AS a
                WHERE v.tenant_id = $1 AND v.ended_at IS NULL AND v.expires_at > now() GROUP BY 1) i ON i.role_id = r.id
     LEFT JOIN (SELECT role_id, count(DISTINCT giver) AS n FROM (
                  SELECT role_id, group_id AS giver FROM directory_mapping_facts WHERE tenant_id = $1
                  UNION ALL SELECT role_id, id FROM claim_rule_facts WHERE tenant_id = $1) AS given GROUP BY 1) g
       ON g.role_id = r.id
     WHERE r.tenant_id = $1 ORDER BY r.name, r.id LIMIT 500`,
    [ctx.tenantId],
  );
}

export interface RoleHolderRow {
  id: string;
  kind: "member" | "key" | "invitation" | "group";
  /** The person, the key or the group; of an invitation the name in it. */
  holderId: string;
  name: string;
  unitId: string | null;
  suspended: boolean;
}

/** Who has a role: people, open invitations and groups of the directory with each place, and keys that are valid. */
export async function selectRoleHolders(
  ctx: TenantDb,
  input: { roleId: string; after: string | null; limit: number },
): Promise<RoleHolderRow[]> {
  return queryInTenant<RoleHolderRow>(
    ctx,
    `SELECT * FROM (
       SELECT a.id, 'member' AS kind, u.id AS "holderId", u.name, a.unit_id AS "unitId",
              u.disabled_at IS NOT NULL AS suspended
       FROM role_assignments a JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
       WHERE a.tenant_id = $1 AND a.role_id = $2
       UNION ALL
       SELECT k.id, 'key', k.id, k.name, k.unit_id, false FROM api_keys k
       WHERE k.tenant_id = $1 AND k.role_id = $2 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       UNION ALL
       SELECT DISTINCT ON (v.id) v.id, 'invitation', v.id, v.name, (e->>'unitId')::uuid, false
       FROM invitations v CROSS JOIN LATERAL jsonb_array_elements(v.assignments) AS e
       WHERE v.tenant_id = $1 AND v.ended_at IS NULL AND v.expires_at > now() AND (e->>'roleId')::uuid = $2
       UNION ALL
       SELECT d.id, 'group', d.group_id, d.group_name, d.unit_id, false FROM directory_mapping_facts d
       WHERE d.tenant_id = $1 AND d.role_id = $2
       UNION ALL
       SELECT c.id, 'group', c.id, c.rule_name, c.unit_id, false FROM claim_rule_facts c
       WHERE c.tenant_id = $1 AND c.role_id = $2
     ) AS holders
     WHERE $3::uuid IS NULL OR id > $3 ORDER BY id LIMIT $4`,
    [ctx.tenantId, input.roleId, input.after, input.limit],
  );
}

/** How much has a role. */
export async function countRoleHolders(tx: Tx, tenantId: string, roleId: string): Promise<RoleCounts> {
  const [counts] = await tx.$queryRaw<RoleCounts[]>`
    SELECT (SELECT count(DISTINCT user_id)::int FROM role_assignments
            WHERE tenant_id = ${tenantId}::uuid AND role_id = ${roleId}::uuid) AS members,
           (SELECT count(*)::int FROM api_keys WHERE tenant_id = ${tenantId}::uuid AND role_id = ${roleId}::uuid
              AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())) AS keys,
           (SELECT count(DISTINCT v.id)::int FROM invitations v CROSS JOIN LATERAL jsonb_array_elements(v.assignments) AS e
            WHERE v.tenant_id = ${tenantId}::uuid AND v.ended_at IS NULL AND v.expires_at > now()
              AND (e->>'roleId')::uuid = ${roleId}::uuid) AS invitations,
           (SELECT count(DISTINCT group_id)::int FROM directory_mapping_facts
            WHERE tenant_id = ${tenantId}::uuid AND role_id = ${roleId}::uuid)
           + (SELECT count(*)::int FROM claim_rule_facts
              WHERE tenant_id = ${tenantId}::uuid AND role_id = ${roleId}::uuid) AS groups`;
  return counts ?? { members: 0, keys: 0, invitations: 0, groups: 0 };
}
