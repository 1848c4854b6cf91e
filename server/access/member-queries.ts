import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface MemberRow {
  id: string;
  name: string;
  email: string;
  createdAt: Date;
  suspendedAt: Date | null;
  lastSeenAt: Date | null;
  assignments: { id: string; role: string; roleName: string; unitId: string | null }[];
}

/** A pattern that finds a text as it is. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** The people of a tenant by name, with their roles; with `unitIds`, those who have a role in one of these units, and these. */
export async function selectMembers(
  ctx: TenantDb,
  input: {
    unitIds: string[] | null;
    search: string | null;
    state: "active" | "suspended" | null;
    role: string | null;
    after: string | null;
    limit: number;
  },
): Promise<MemberRow[]> {
  return queryInTenant<MemberRow>(
    ctx,
    `SELECT u.id, u.name, u.email, u.created_at AS "createdAt", u.disabled_at AS "suspendedAt",
            (SELECT max(s.last_seen_at) FROM sessions s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id) AS "lastSeenAt",
            coalesce((SELECT jsonb_agg(jsonb_build_object('id', a.id, 'role', r.key, 'roleName', r.name, 'unitId', a.unit_id)
                                       ORDER BY a.id)
                      FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
                      WHERE a.tenant_id = u.tenant_id AND a.user_id = u.id
                        AND ($2::uuid[] IS NULL OR a.unit_id = ANY ($2))), '[]') AS assignments
     FROM users u
     WHERE u.tenant_id = $1 AND u.removed_at IS NULL
       AND ($2::uuid[] IS NULL AND $5::text IS NULL
            OR EXISTS (SELECT FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
                       WHERE a.tenant_id = u.tenant_id AND a.user_id = u.id
                         AND ($2::uuid[] IS NULL OR a.unit_id = ANY ($2)) AND ($5::text IS NULL OR r.key = $5)))
       AND ($3::text IS NULL OR u.name ILIKE $3 OR u.email ILIKE $3)
       AND ($4::text IS NULL OR (u.disabled_at IS NOT NULL) = ($4 = 'suspended'))
       AND ($6::uuid IS NULL
            OR (u.name, u.id) > (SELECT c.name, c.id FROM users c WHERE c.tenant_id = $1 AND c.id = $6))
     ORDER BY u.name, u.id LIMIT $7`,
    [
      ctx.tenantId,
      input.unitIds,
      input.search === null ? null : containing(input.search),
      input.state,
      input.role,
      input.after,
      input.limit,
    ],
  );
}

/** One change of a tenant's members at a time: who is the last owner, and what somebody has, is the same until it is done. */
export async function lockMembers(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('tidings.members ' || ${tenantId}, 0))`;
}

/** Whether somebody else who may sign in is owner of the whole tenant. Locks the tenant's members against a race. */
export async function hasOtherOwner(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  await lockMembers(tx, tenantId);
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM role_assignments a
    JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id AND r.key = 'owner'
    JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id AND u.disabled_at IS NULL
    WHERE a.tenant_id = ${tenantId}::uuid AND a.unit_id IS NULL AND a.user_id <> ${userId}::uuid LIMIT 1`;
  return rows.length > 0;
}

export interface AssignmentRow {
  id: string;
  key: string;
  name: string;
  builtIn: boolean;
  permissions: string[];
  unitId: string | null;
  grantedByName: string | null;
  /** Given by a group of the directory. */
  fromDirectory: boolean;
  /** Given by a rule of this identity provider. */
  providerId: string | null;
  createdAt: Date;
}

/** The roles of a person and where each holds, the whole tenant first. */
export async function selectAssignmentsOf(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<AssignmentRow[]> {
  return tx.$queryRaw`
    SELECT a.id, r.key, r.name, r.built_in AS "builtIn", r.permissions, a.unit_id AS "unitId",
           a.granted_by_name AS "grantedByName", a.from_directory AS "fromDirectory", a.provider_id AS "providerId",
           a.created_at AS "createdAt"
    FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
    WHERE a.tenant_id = ${tenantId}::uuid AND a.user_id = ${userId}::uuid
    ORDER BY a.unit_id IS NOT NULL, a.unit_id, r.name, a.id LIMIT 200`;
}

/** Whether a person has a role in one of these units. */
export async function isPersonIn(
  tx: Tx,
  tenantId: string,
  userId: string,
  unitIds: string[],
): Promise<boolean> {
  return (
    (await tx.roleAssignment.findFirst({
      where: { tenantId, userId, unitId: { in: unitIds } },
      select: { id: true },
    })) !== null
  );
}

/** What is under way that a person began: promotions, approvals of promotions, invitations. */
export async function countUnderWay(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<{ approvals: number; promotions: number; invitations: number }> {
  const [counts] = await tx.$queryRaw<{ approvals: number; promotions: number; invitations: number }[]>`
    SELECT count(*) FILTER (WHERE part = 'approved')::int AS approvals,
           count(*) FILTER (WHERE part = 'requested')::int AS promotions,
           (SELECT count(*)::int FROM invitations i WHERE i.tenant_id = ${tenantId}::uuid
              AND i.invited_by_id = ${userId}::uuid AND i.ended_at IS NULL AND i.expires_at > now()) AS invitations
    FROM open_promotion_facts WHERE tenant_id = ${tenantId}::uuid AND person_id = ${userId}::uuid`;
  return counts ?? { approvals: 0, promotions: 0, invitations: 0 };
}

/** Whether a person owns the whole tenant. */
export async function isOwner(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM role_assignments a
    JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id AND r.key = 'owner'
    WHERE a.tenant_id = ${tenantId}::uuid AND a.user_id = ${userId}::uuid AND a.unit_id IS NULL LIMIT 1`;
  return rows.length > 0;
}

/** Whether somebody who may sign in owns the whole tenant. */
export async function hasOwner(tx: Tx, tenantId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM role_assignments a
    JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id AND r.key = 'owner'
    JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id AND u.disabled_at IS NULL
    WHERE a.tenant_id = ${tenantId}::uuid AND a.unit_id IS NULL LIMIT 1`;
  return rows.length > 0;
}

export interface DirectoryRoleRow {
  id: string;
  userId: string;
  roleId: string;
  key: string;
  unitId: string | null;
}

/** What the directory, or an identity provider, gives these people. */
export async function selectDirectoryRoles(
  tx: Tx,
  tenantId: string,
  userIds: readonly string[],
  providerId: string | null,
): Promise<DirectoryRoleRow[]> {
  return tx.$queryRaw`
    SELECT a.id, a.user_id AS "userId", a.role_id AS "roleId", r.key, a.unit_id AS "unitId"
    FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
    WHERE a.tenant_id = ${tenantId}::uuid AND a.user_id = ANY (${[...userIds]}::uuid[])
      AND (CASE WHEN ${providerId}::uuid IS NULL THEN a.from_directory ELSE a.provider_id = ${providerId}::uuid END)`;
}

/** Whether one of these people has more roles than that. */
export async function selectOverfull(
  tx: Tx,
  tenantId: string,
  userIds: readonly string[],
  limit: number,
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM role_assignments
    WHERE tenant_id = ${tenantId}::uuid AND user_id = ANY (${[...userIds]}::uuid[])
    GROUP BY user_id HAVING count(*) > ${limit} LIMIT 1`;
  return rows.length > 0;
}

/** Takes roles from people, however many. */
export async function deleteAssignments(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM role_assignments WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${[...ids]}::uuid[])`;
}

/** Gives people what the directory, or an identity provider, gives them, in one statement however many they are. */
export async function insertDirectoryRoles(
  tx: Tx,
  tenantId: string,
  roles: readonly { userId: string; roleId: string; unitId: string | null; by: string }[],
  given: { providerId: string | null; at: Date },
): Promise<void> {
  const { providerId, at } = given;
  const column = (name: "userId" | "roleId" | "unitId" | "by") => roles.map((role) => role[name]);
  await tx.$executeRaw`
    INSERT INTO role_assignments (tenant_id, id, user_id, role_id, unit_id, granted_by_name, from_directory, provider_id, created_at)
    SELECT ${tenantId}::uuid, n.id, n.user_id, n.role_id, n.unit_id, n.given_by, ${providerId}::uuid IS NULL, ${providerId}::uuid,
           ${at}::timestamptz
    FROM unnest(${roles.map(() => newId())}::uuid[], ${column("userId")}::uuid[], ${column("roleId")}::uuid[],
                ${column("unitId")}::uuid[], ${column("by")}::text[]) AS n (id, user_id, role_id, unit_id, given_by)`;
}
