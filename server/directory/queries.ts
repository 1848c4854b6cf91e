import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { filterSql } from "./scim-filter.ts";
import type { Attributes } from "./scim-filter.ts";
import type { Filter } from "scim2-parse-filter";
import type { GroupRow } from "./scim-group.ts";
import type { PersonRow } from "./scim-user.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface DomainRow {
  id: string;
  name: string;
  token: string;
  createdByName: string;
  createdAt: Date;
  verifiedAt: Date | null;
}

export function selectDomains(tx: Tx, tenantId: string): Promise<DomainRow[]> {
  return tx.domain.findMany({
    where: { tenantId },
    select: { id: true, name: true, token: true, createdByName: true, createdAt: true, verifiedAt: true },
    orderBy: { name: "asc" },
    take: 200,
  });
}

/** Whether the tenant has proven that the domain of an address is its own. */
export async function ownsDomainOf(tx: Tx, tenantId: string, address: string): Promise<boolean> {
  const claimedName = address.slice(address.lastIndexOf("@") + 1);
  return (await tx.domain.count({ where: { tenantId, claimedName } })) > 0;
}

export interface TokenRow {
  id: string;
  name: string;
  hint: string;
  createdByName: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** The tokens that work, newest first. */
export function selectTokens(tx: Tx, tenantId: string, now: Date): Promise<TokenRow[]> {
  return tx.scimToken.findMany({
    where: { tenantId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: {
      id: true,
      name: true,
      hint: true,
      createdByName: true,
      createdAt: true,
      expiresAt: true,
      lastUsedAt: true,
    },
    orderBy: { id: "desc" },
    take: 100,
  });
}

/** One change of a tenant's tokens at a time. */
export async function lockTokens(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('tidings.scim-tokens ' || ${tenantId}, 0))`;
}

/** Records that a token was used, at most once a minute, however many processes report it. */
export async function touchToken(tx: Tx, tenantId: string, id: string, at: Date): Promise<void> {
  await tx.scimToken.updateMany({
    where: {
      tenantId,
      id,
      OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: new Date(at.getTime() - 55_000) } }],
    },
    data: { lastUsedAt: at },
  });
}

/*
 * The people whom a directory sees: those whom it made members, and members of a domain that the tenant has proven.
 */
const personColumns = `u.id, coalesce(p.user_name, u.email) AS "userName", p.external_id AS "externalId",
  p.display_name AS "displayName", p.given_name AS "givenName", p.family_name AS "familyName", u.email, u.name,
  u.deactivated_at IS NULL AS active, coalesce(p.created_at, u.created_at) AS "createdAt",
  coalesce(p.updated_at, u.created_at) AS "updatedAt"`;
const people = `member_facts u LEFT JOIN directory_people p ON p.tenant_id = u.tenant_id AND p.user_id = u.id`;
const visible = `u.tenant_id = $1 AND NOT u.removed AND (p.user_id IS NOT NULL OR EXISTS (
  SELECT FROM domains d WHERE d.tenant_id = $1 AND d.claimed_name = split_part(u.email, '@', 2)))`;

const personAttributes: Attributes = {
  id: { kind: "id", equals: (id) => `u.id = ${id}` },
  username: {
    kind: "text",
    sql: "coalesce(p.user_name_key, u.email)",
    // In two parts, each over an index.
    equals: (name) => `u.id IN (
      SELECT d.user_id FROM directory_people d WHERE d.tenant_id = $1 AND d.user_name_key = ${name}
      UNION ALL
      SELECT m.id FROM member_facts m WHERE m.tenant_id = $1 AND m.email = ${name}
        AND NOT EXISTS (SELECT FROM directory_people d WHERE d.tenant_id = $1 AND d.user_id = m.id))`,
  },
  externalid: {
    kind: "text",
    sql: "p.external_id",
    exact: true,
    equals: (id) =>
      `u.id IN (SELECT d.user_id FROM directory_people d WHERE d.tenant_id = $1 AND d.external_id = ${id})`,
  },
  displayname: { kind: "text", sql: "lower(coalesce(p.display_name, u.name))" },
  "name.formatted": { kind: "text", sql: "lower(u.name)" },
  "name.givenname": { kind: "text", sql: "lower(p.given_name)" },
  "name.familyname": { kind: "text", sql: "lower(p.family_name)" },
  emails: { kind: "text", sql: "u.email" },
  "emails.value": { kind: "text", sql: "u.email" },
  "emails.type": { kind: "text", sql: "'work'" },
  "emails.primary": { kind: "boolean", sql: "true" },
  active: { kind: "boolean", sql: "(u.deactivated_at IS NULL)" },
};

/** A page of the people whom the directory sees, by id, and how many there are. */
export async function selectPeople(
  ctx: TenantDb,
  input: { filter: Filter | null; offset: number; limit: number },
): Promise<{ total: number; rows: PersonRow[] }> {
  const values: unknown[] = [ctx.tenantId, input.offset, input.limit];
  const bind = (value: unknown) => `$${String(values.push(value))}`;
  const matches = input.filter ? filterSql(input.filter, personAttributes, bind) : "true";
  const rows = await queryInTenant<{ total: number; row: PersonRow | null }>(
    ctx,
    `WITH found AS MATERIALIZED (SELECT u.id FROM ${people} WHERE ${visible} AND ${matches})
     SELECT (SELECT count(*)::int FROM found) AS total, to_jsonb(page) AS row
     FROM (SELECT 1) AS once
     LEFT JOIN (SELECT ${personColumns} FROM ${people}
                WHERE u.tenant_id = $1 AND u.id IN (SELECT id FROM found ORDER BY id OFFSET $2 LIMIT $3)) AS page ON true
     ORDER BY page.id`,
    values,
  );
  return { total: rows[0]?.total ?? 0, rows: rows.flatMap(({ row }) => (row ? [dated(row)] : [])) };
}

/** One person whom the directory sees. */
export async function selectPerson(ctx: TenantDb, id: string): Promise<PersonRow | undefined> {
  const filter: Filter = { op: "eq", attrPath: "id", compValue: id };
  return (await selectPeople(ctx, { filter, offset: 0, limit: 1 })).rows[0];
}

/** The same within a transaction that is going to change them. */
export async function findPerson(tx: Tx, tenantId: string, id: string): Promise<PersonRow | undefined> {
  const rows = await tx.$queryRawUnsafe<PersonRow[]>(
    `SELECT ${personColumns} FROM ${people} WHERE ${visible} AND u.id = $2::uuid`.replaceAll(
      "$1",
      "$1::uuid",
    ),
    tenantId,
    id,
  );
  return rows[0];
}

/** Which of these ids are people whom the directory sees. */
export async function visiblePeople(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT u.id FROM ${people} WHERE ${visible} AND u.id = ANY ($2::uuid[])`.replaceAll("$1", "$1::uuid"),
    tenantId,
    ids,
  );
  return new Set(rows.map(({ id }) => id));
}

/** People of whom a directory has said something. */
export function countPeople(tx: Tx, tenantId: string): Promise<number> {
  return tx.directoryPerson.count({ where: { tenantId } });
}

/** Dates come as texts out of JSON. */
const dated = <Row extends { createdAt: Date; updatedAt: Date }>(row: Row): Row => ({
  ...row,
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
});

const groupColumns = `g.id, g.name, g.external_id AS "externalId", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

const groupAttributes: Attributes = {
  id: { kind: "id", equals: (id) => `g.id = ${id}` },
  displayname: { kind: "text", sql: "lower(g.name)" },
  externalid: { kind: "text", sql: "g.external_id", exact: true },
  members: { kind: "id", equals: isIn },
  "members.value": { kind: "id", equals: isIn },
};

function isIn(userId: string): string {
  return `EXISTS (SELECT FROM directory_group_members x WHERE x.tenant_id = $1 AND x.group_id = g.id AND x.user_id = ${userId})`;
}

/** A page of groups, by id, with how many members each has, and how many groups there are. */
export async function selectGroups(
  ctx: TenantDb,
  input: { filter: Filter | null; offset: number; limit: number },
): Promise<{ total: number; rows: (GroupRow & { members: number })[] }> {
  const values: unknown[] = [ctx.tenantId, input.offset, input.limit];
  const bind = (value: unknown) => `$${String(values.push(value))}`;
  const matches = input.filter ? filterSql(input.filter, groupAttributes, bind) : "true";
  const rows = await queryInTenant<{ total: number; row: (GroupRow & { members: number }) | null }>(
    ctx,
    `WITH found AS MATERIALIZED (SELECT g.id FROM directory_groups g WHERE g.tenant_id = $1 AND ${matches})
     SELECT (SELECT count(*)::int FROM found) AS total, to_jsonb(page) AS row
     FROM (SELECT 1) AS once
     LEFT JOIN (SELECT ${groupColumns},
                       (SELECT count(*)::int FROM directory_group_members x WHERE x.tenant_id = g.tenant_id AND x.group_id = g.id) AS members
                FROM directory_groups g
                WHERE g.tenant_id = $1 AND g.id IN (SELECT id FROM found ORDER BY id OFFSET $2 LIMIT $3)) AS page ON true
     ORDER BY page.id`,
    values,
  );
  return { total: rows[0]?.total ?? 0, rows: rows.flatMap(({ row }) => (row ? [dated(row)] : [])) };
}

/** Who is in these groups, by name. */
export async function selectMembersOf(
  ctx: TenantDb,
  groupIds: readonly string[],
): Promise<Map<string, { id: string; name: string }[]>> {
  const rows = await queryInTenant<{ groupId: string; id: string; name: string }>(
    ctx,
    `SELECT x.group_id AS "groupId", u.id, u.name FROM directory_group_members x
     JOIN member_facts u ON u.tenant_id = x.tenant_id AND u.id = x.user_id AND NOT u.removed
     WHERE x.tenant_id = $1 AND x.group_id = ANY ($2) ORDER BY u.name, u.id`,
    [ctx.tenantId, groupIds],
  );
  return Map.groupBy(rows, ({ groupId }) => groupId);
}

/** Ids of who is in a group. */
export async function selectMemberIds(tx: Tx, tenantId: string, groupId: string): Promise<string[]> {
  const rows = await tx.directoryGroupMember.findMany({
    where: { tenantId, groupId },
    select: { userId: true },
  });
  return rows.map(({ userId }) => userId);
}

/** Which roles the groups of these people give them. */
export async function selectWantedRoles(
  tx: Tx,
  tenantId: string,
  userIds: readonly string[],
): Promise<{ userId: string; roleId: string; unitId: string | null; group: string }[]> {
  return tx.$queryRaw`
    SELECT DISTINCT ON (x.user_id, m.role_id, m.unit_id)
           x.user_id AS "userId", m.role_id AS "roleId", m.unit_id AS "unitId", g.name AS "group"
    FROM directory_group_members x
    JOIN directory_mappings m ON m.tenant_id = x.tenant_id AND m.group_id = x.group_id
    JOIN directory_groups g ON g.tenant_id = x.tenant_id AND g.id = x.group_id
    JOIN member_facts u ON u.tenant_id = x.tenant_id AND u.id = x.user_id AND NOT u.removed
    WHERE x.tenant_id = ${tenantId}::uuid AND x.user_id = ANY (${[...userIds]}::uuid[])
    ORDER BY x.user_id, m.role_id, m.unit_id, g.name`;
}

/** Groups by name, with how many are in each. */
export async function selectGroupsByName(
  ctx: TenantDb,
  input: { search: string | null; after: string | null; limit: number },
): Promise<{ id: string; name: string; createdAt: Date; members: number }[]> {
  return queryInTenant(
    ctx,
    `SELECT g.id, g.name, g.created_at AS "createdAt",
            (SELECT count(*)::int FROM directory_group_members x WHERE x.tenant_id = g.tenant_id AND x.group_id = g.id) AS members
     FROM directory_groups g
     WHERE g.tenant_id = $1 AND ($2::text IS NULL OR g.name ILIKE $2)
       AND ($3::uuid IS NULL
            OR (g.name, g.id) > (SELECT c.name, c.id FROM directory_groups c WHERE c.tenant_id = $1 AND c.id = $3))
     ORDER BY g.name, g.id LIMIT $4`,
    [
      ctx.tenantId,
      input.search === null ? null : `%${input.search.replace(/[\\%_]/g, "\\$&")}%`,
      input.after,
      input.limit,
    ],
  );
}

export interface MappingRow {
  id: string;
  groupId: string;
  roleId: string;
  unitId: string | null;
  createdByName: string;
  createdAt: Date;
}

/** What these groups give. */
export function selectMappings(tx: Tx, tenantId: string, groupIds: readonly string[]): Promise<MappingRow[]> {
  return tx.directoryMapping.findMany({
    where: { tenantId, groupId: { in: [...groupIds] } },
    select: { id: true, groupId: true, roleId: true, unitId: true, createdByName: true, createdAt: true },
    orderBy: { id: "asc" },
    take: 1_000,
  });
}
