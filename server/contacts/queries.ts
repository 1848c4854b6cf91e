import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { likeAddress } from "./present-contact.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

/**
 * What statements run on: a pool, the client of a transaction, or a transaction of Prisma's. Under the web's role one that names the
 * tenant.
 */
export type Queryable = Pick<Db["pool"], "query"> | Pick<Tx, "$queryRawUnsafe">;

/** The rows of a statement, with column names in camelCase. */
async function rowsOf<Row>(db: Queryable, text: string, values: unknown[]): Promise<Row[]> {
  if ("$queryRawUnsafe" in db) {
    const rows = await db.$queryRawUnsafe<object[]>(text, ...values);
    const fields = Object.keys(rows[0] ?? {}).map((name) => ({ name }) as never);
    return camelRows<Row>({ fields, rows });
  }
  return camelRows<Row>(await db.query(text, values));
}

export interface GroupFactsRow {
  id: string;
  name: string;
  kind: "static" | "filter";
  size: number | null;
}

export function selectGroupsNamed(ctx: Reader, names: readonly string[]): Promise<GroupFactsRow[]> {
  return queryInTenant<GroupFactsRow>(
    ctx,
    "SELECT id, name, kind, size FROM contact_groups WHERE tenant_id = $1 AND name = ANY ($2::text[]) ORDER BY id",
    [ctx.tenantId, names],
  );
}

/** By name, no more than `limit`. */
export function selectGroups(
  ctx: Reader,
  of: { search: string | null; limit: number },
): Promise<GroupFactsRow[]> {
  return queryInTenant<GroupFactsRow>(
    ctx,
    `SELECT id, name, kind, size FROM contact_groups
     WHERE tenant_id = $1 AND ($2::text IS NULL OR strpos(lower(name), lower($2)) > 0) ORDER BY name LIMIT $3`,
    [ctx.tenantId, of.search, of.limit],
  );
}

/** How a group knows its contacts; null: there is no such group. */
export async function selectGroupKind(
  db: Queryable,
  tenantId: string,
  groupId: string,
): Promise<{ kind: "static" | "filter"; filter: unknown } | null> {
  const rows = await rowsOf<{ kind: "static" | "filter"; filter: unknown }>(
    db,
    "SELECT kind, filter FROM contact_groups WHERE tenant_id = $1::uuid AND id = $2::uuid",
    [tenantId, groupId],
  );
  return rows[0] ?? null;
}

const first = "00000000-0000-0000-0000-000000000000";

/** The next members of a group that is a list, by id. */
export async function selectMemberPage(
  db: Queryable,
  of: { tenantId: string; groupId: string; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    `SELECT contact_id AS id FROM contact_group_members
     WHERE tenant_id = $1::uuid AND group_id = $2::uuid AND contact_id > $3::uuid ORDER BY contact_id LIMIT $4::int`,
    [of.tenantId, of.groupId, of.after ?? first, of.limit],
  );
  return rows.map(({ id }) => id);
}

/** The next contacts of the organisation by id, and whether a filter holds for each. */
export function selectMatchPage(
  db: Queryable,
  of: { tenantId: string; filter: unknown; after: string | null; limit: number },
): Promise<{ id: string; matches: boolean }[]> {
  return rowsOf(
    db,
    `SELECT c.id, contact_matches($2::jsonb, c.region, c.language, c.time_zone, c.attributes) AS matches FROM contacts c
     WHERE c.tenant_id = $1::uuid AND c.id > $3::uuid ORDER BY c.id LIMIT $4::int`,
    [of.tenantId, JSON.stringify(of.filter), of.after ?? first, of.limit],
  );
}

export interface RecipientRow {
  contactId: string;
  externalId: string | null;
  name: string | null;
  region: string | null;
  language: string | null;
  timeZone: string | null;
  attributes: Record<string, string>;
  addresses: { channel: Channel; address: string }[];
}

/** Contacts by id, of each channel the address that is written to. */
export function selectRecipients(
  db: Queryable,
  tenantId: string,
  contactIds: readonly string[],
): Promise<RecipientRow[]> {
  return rowsOf<RecipientRow>(
    db,
    `SELECT c.id AS contact_id, c.external_id, c.name, c.region, c.language, c.time_zone, c.attributes, coalesce(a.addresses, '[]') AS addresses
     FROM contacts c
     LEFT JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object('channel', x.channel, 'address', x.address) ORDER BY x.channel) AS addresses
       FROM (SELECT DISTINCT ON (o.channel) o.channel, o.address FROM contact_addresses o
             WHERE o.tenant_id = c.tenant_id AND o.contact_id = c.id ORDER BY o.channel, o.position) x
     ) a ON true
     WHERE c.tenant_id = $1::uuid AND c.id = ANY ($2::uuid[]) ORDER BY c.id`,
    [tenantId, contactIds],
  );
}

/** A contact with its addresses: channel by channel, the one that is written to first. */
export interface StoredContact {
  id: string;
  externalId: string | null;
  name: string | null;
  region: string | null;
  language: string | null;
  timeZone: string | null;
  attributes: Record<string, string>;
  addresses: { channel: Channel; address: string }[];
}

const storedColumns = `c.id, c.external_id, c.name, c.region, c.language, c.time_zone, c.attributes,
  coalesce((SELECT jsonb_agg(jsonb_build_object('channel', o.channel, 'address', o.address) ORDER BY o.channel, o.position)
    FROM contact_addresses o WHERE o.tenant_id = c.tenant_id AND o.contact_id = c.id), '[]') AS addresses`;

/**
 * Until the transaction ends nobody else writes contacts, addresses or memberships of the organisation: whom an address belongs to is
 * decided by what is there, and sizes of groups are counted in no particular order.
 */
export async function lockContacts(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`contacts ${tenantId}`}, 0))`;
}

/** The contacts that have one of these external ids or addresses. */
export function selectKnownContacts(
  tx: Tx,
  tenantId: string,
  of: { externalIds: readonly string[]; addresses: readonly { channel: Channel; address: string }[] },
): Promise<StoredContact[]> {
  return rowsOf<StoredContact>(
    tx,
    `SELECT ${storedColumns} FROM contacts c WHERE c.tenant_id = $1::uuid AND c.id IN (
       SELECT e.id FROM contacts e WHERE e.tenant_id = $1::uuid AND e.external_id = ANY ($2::text[])
       UNION
       SELECT a.contact_id FROM jsonb_to_recordset($3::jsonb) AS x(channel text, address text)
       JOIN contact_addresses a ON a.tenant_id = $1::uuid AND a.channel = x.channel AND a.address = x.address)`,
    [tenantId, of.externalIds, JSON.stringify(of.addresses)],
  );
}

/** Which of these are groups that are lists. */
export async function selectStaticGroups(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<{ id: string }>(
    tx,
    "SELECT id FROM contact_groups WHERE tenant_id = $1::uuid AND id = ANY ($2::uuid[]) AND kind = 'static'",
    [tenantId, ids],
  );
  return rows.map(({ id }) => id);
}

const recordset = `jsonb_to_recordset($2::jsonb) AS x(id uuid, "externalId" text, name text, region text, language text,
  "timeZone" text, attributes jsonb)`;

const withoutAddresses = (contacts: readonly StoredContact[]) =>
  JSON.stringify(contacts.map(({ addresses: _, ...contact }) => contact));

export async function insertContacts(
  tx: Tx,
  tenantId: string,
  contacts: readonly StoredContact[],
  at: Date,
): Promise<void> {
  if (contacts.length === 0) return;
  await tx.$executeRawUnsafe(
    `INSERT INTO contacts (tenant_id, id, external_id, name, region, language, time_zone, attributes, created_at, updated_at)
     SELECT $1::uuid, x.id, x."externalId", x.name, x.region, x.language, x."timeZone", x.attributes, $3::timestamptz, $3::timestamptz
     FROM ${recordset}`,
    tenantId,
    withoutAddresses(contacts),
    at,
  );
}

export async function updateContacts(
  tx: Tx,
  tenantId: string,
  contacts: readonly StoredContact[],
  at: Date,
): Promise<void> {
  if (contacts.length === 0) return;
  await tx.$executeRawUnsafe(
    `UPDATE contacts c SET external_id = x."externalId", name = x.name, region = x.region, language = x.language,
       time_zone = x."timeZone", attributes = x.attributes, updated_at = $3::timestamptz
     FROM ${recordset} WHERE c.tenant_id = $1::uuid AND c.id = x.id`,
    tenantId,
    withoutAddresses(contacts),
    at,
  );
}

/** Gives contacts the addresses that they are listed with, and no others. */
export async function replaceAddresses(
  tx: Tx,
  tenantId: string,
  contacts: readonly StoredContact[],
  at: Date,
): Promise<void> {
  if (contacts.length === 0) return;
  await tx.$executeRawUnsafe(
    "DELETE FROM contact_addresses WHERE tenant_id = $1::uuid AND contact_id = ANY ($2::uuid[])",
    tenantId,
    contacts.map(({ id }) => id),
  );
  const rows = contacts.flatMap(({ id, addresses }) => {
    const positions = new Map<Channel, number>();
    return addresses.map(({ channel, address }) => {
      const position = positions.get(channel) ?? 0;
      positions.set(channel, position + 1);
      return { contactId: id, channel, address, position };
    });
  });
  await tx.$executeRawUnsafe(
    `INSERT INTO contact_addresses (tenant_id, channel, address, contact_id, position, created_at)
     SELECT $1::uuid, x.channel, x.address, x."contactId", x.position, $3::timestamptz
     FROM jsonb_to_recordset($2::jsonb) AS x(channel text, address text, "contactId" uuid, position smallint)`,
    tenantId,
    JSON.stringify(rows),
    at,
  );
}

/** Puts contacts into groups. Returns who was not in there yet. */
export async function insertMembers(
  tx: Tx,
  tenantId: string,
  members: readonly { groupId: string; contactId: string }[],
  at: Date,
): Promise<{ groupId: string; contactId: string }[]> {
  if (members.length === 0) return [];
  return rowsOf(
    tx,
    `INSERT INTO contact_group_members (tenant_id, group_id, contact_id, added_at)
     SELECT DISTINCT $1::uuid, x."groupId", x."contactId", $3::timestamptz
     FROM jsonb_to_recordset($2::jsonb) AS x("groupId" uuid, "contactId" uuid)
     ON CONFLICT DO NOTHING RETURNING group_id, contact_id`,
    [tenantId, JSON.stringify(members), at],
  );
}

/** See analyze_new_contacts(). */
export async function analyzeNewContacts(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT analyze_new_contacts()`;
}

/** Which of these members are in their groups already, each looked up on its own: a group that was filled a moment ago looks empty to the planner. */
export async function selectMembersAmong(
  tx: Tx,
  tenantId: string,
  members: readonly { groupId: string; contactId: string }[],
): Promise<{ groupId: string; contactId: string }[]> {
  if (members.length === 0) return [];
  return rowsOf(
    tx,
    `SELECT m.group_id, m.contact_id FROM jsonb_to_recordset($2::jsonb) AS x("groupId" uuid, "contactId" uuid)
     CROSS JOIN LATERAL (SELECT group_id, contact_id FROM contact_group_members WHERE tenant_id = $1::uuid
       AND group_id = x."groupId" AND contact_id BETWEEN x."contactId" AND x."contactId" ORDER BY contact_id LIMIT 1) m`,
    [tenantId, JSON.stringify(members)],
  );
}

/** Contacts by id, as they are stored. */
export function selectStoredContacts(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<StoredContact[]> {
  return rowsOf<StoredContact>(
    tx,
    `SELECT ${storedColumns} FROM contacts c WHERE c.tenant_id = $1::uuid AND c.id = ANY ($2::uuid[])`,
    [tenantId, ids],
  );
}

export interface ContactRow extends StoredContact {
  createdAt: Date;
  updatedAt: Date;
}

const shownColumns = `${storedColumns}, c.created_at, c.updated_at`;

export function selectContacts(ctx: Reader, ids: readonly string[]): Promise<ContactRow[]> {
  return queryInTenant<ContactRow>(
    ctx,
    `SELECT ${shownColumns} FROM contacts c WHERE c.tenant_id = $1 AND c.id = ANY ($2::uuid[])`,
    [ctx.tenantId, ids],
  );
}

/** The group that a list is about; `filter`: null of one that is a list itself. */
type OfGroup = { id: string; filter: unknown } | null;

const last = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Contacts by id, newest first; of a group by filter, at most `scanned` are looked at. */
export async function selectContactPage(
  ctx: Reader,
  of: { group: OfGroup; before: string | null; limit: number; scanned: number },
): Promise<{ rows: ContactRow[]; next: string | null }> {
  const { group, limit } = of;
  const before = of.before ?? last;
  if (group?.filter) {
    // The ids first: their contacts are put together for those that match only.
    const looked = await queryInTenant<{ id: string; found: string[] | null; count: number }>(
      ctx,
      `WITH page AS MATERIALIZED (
         SELECT id, region, language, time_zone, attributes FROM contacts WHERE tenant_id = $1 AND id < $2::uuid ORDER BY id DESC LIMIT $3)
       SELECT (SELECT array_agg(m.id) FROM (SELECT p.id FROM page p
            WHERE contact_matches($4::jsonb, p.region, p.language, p.time_zone, p.attributes) ORDER BY p.id DESC LIMIT $5) m) AS found,
          (SELECT id FROM page ORDER BY id LIMIT 1) AS id, (SELECT count(*)::int FROM page) AS count`,
      [ctx.tenantId, before, of.scanned, JSON.stringify(group.filter), limit + 1],
    );
    const [{ id: end, found, count } = { id: null, found: null, count: 0 }] = looked;
    const ids = (found ?? []).slice(0, limit);
    const rows = await selectContacts(ctx, ids);
    const next = (found?.length ?? 0) > limit ? (ids.at(-1) ?? null) : count === of.scanned ? end : null;
    return { rows: rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)), next };
  }
  const rows = group
    ? await queryInTenant<ContactRow>(
        ctx,
        `SELECT ${shownColumns} FROM contact_group_members m JOIN contacts c ON c.tenant_id = m.tenant_id AND c.id = m.contact_id
         WHERE m.tenant_id = $1 AND m.group_id = $4 AND m.contact_id < $2::uuid ORDER BY m.contact_id DESC LIMIT $3`,
        [ctx.tenantId, before, limit + 1, group.id],
      )
    : await queryInTenant<ContactRow>(
        ctx,
        `SELECT ${shownColumns} FROM contacts c WHERE c.tenant_id = $1 AND c.id < $2::uuid ORDER BY c.id DESC LIMIT $3`,
        [ctx.tenantId, before, limit + 1],
      );
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Greater than every text that begins with what it is put behind, byte by byte. */
const end = "\u{10ffff}";

/**
 * Contacts whose name, external id or address begins with a text, in order of name. Of each kind only the first are looked at, so that
 * one letter costs no more than a whole name; of a group, those of them who are in it. Not `revealed`: neither addresses nor names
 * and ids that look like one are looked at, so that nobody learns them piece by piece.
 */
export function searchContacts(
  ctx: Reader,
  of: { text: string; address: string; revealed: boolean; group: OfGroup; limit: number },
): Promise<ContactRow[]> {
  const { group } = of;
  const readable = (column: string) => (of.revealed ? "" : `AND NOT ${column} ~ '${likeAddress}'`);
  const looked = group ? 2_000 : of.limit;
  return queryInTenant<ContactRow>(
    ctx,
    `WITH found AS (
       (SELECT id FROM contacts WHERE tenant_id = $1 AND name_key >= lower($2) AND name_key < lower($2) || $6 ${readable("name_key")} ORDER BY name_key, id LIMIT $5)
       UNION
       (SELECT id FROM contacts WHERE tenant_id = $1 AND external_id >= $2 AND external_id < $2 || $6 ${readable("external_id")} ORDER BY external_id LIMIT $5)
       UNION
       (SELECT contact_id FROM contact_addresses WHERE tenant_id = $1 AND ${String(of.revealed)} AND address >= $3 AND address < $3 || $6
        ORDER BY address LIMIT $5))
     SELECT ${shownColumns} FROM found f JOIN contacts c ON c.tenant_id = $1 AND c.id = f.id
     ${group ? (group.filter ? "WHERE contact_matches($7::jsonb, c.region, c.language, c.time_zone, c.attributes)" : "WHERE EXISTS (SELECT FROM contact_group_members m WHERE m.tenant_id = $1 AND m.group_id = $7::uuid AND m.contact_id = c.id)") : ""}
     ORDER BY c.name_key, c.id LIMIT $4`,
    [
      ctx.tenantId,
      of.text,
      of.address,
      of.limit,
      looked,
      end,
      ...(group ? [group.filter ? JSON.stringify(group.filter) : group.id] : []),
    ],
  );
}

/** Pairs of neighbours with the same name, in order of name from behind a contact. */
export async function selectSameNames(
  ctx: Reader,
  of: { after: string | null; scanned: number; limit: number },
): Promise<{ pairs: [string, string][]; next: string | null }> {
  const rows = await queryInTenant<{ id: string; other: string | null; last: boolean }>(
    ctx,
    `WITH page AS MATERIALIZED (
       SELECT id, name_key FROM contacts WHERE tenant_id = $1 AND name_key IS NOT NULL
         AND (name_key, id) >= (coalesce((SELECT s.name_key FROM contacts s WHERE s.tenant_id = $1 AND s.id = $2::uuid), ''), coalesce($2::uuid, '${first}'))
       ORDER BY name_key, id LIMIT $3),
     paired AS (
       SELECT id, CASE WHEN lead(name_key) OVER w = name_key THEN lead(id) OVER w END AS other, row_number() OVER w AS number
       FROM page WINDOW w AS (ORDER BY name_key, id))
     SELECT id, other, number = $3 AS last FROM paired WHERE other IS NOT NULL OR number = $3 ORDER BY number LIMIT $4`,
    [ctx.tenantId, of.after, of.scanned, of.limit + 1],
  );
  const page = rows.slice(0, of.limit);
  const pairs = page.flatMap(({ id, other }): [string, string][] => (other === null ? [] : [[id, other]]));
  const more = rows.length > of.limit ? rows[of.limit] : page.find((row) => row.last);
  return { pairs, next: more && more.id !== of.after ? more.id : null };
}

export async function deleteContacts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<number> {
  const { count } = await tx.contact.deleteMany({ where: { tenantId, id: { in: [...ids] } } });
  return count;
}

export interface GroupRow {
  id: string;
  name: string;
  description: string;
  kind: "static" | "filter";
  filter: unknown;
  size: number | null;
  countedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const groupColumns = "id, name, description, kind, filter, size, counted_at, created_at, updated_at";

export async function selectGroup(ctx: Reader, id: string): Promise<GroupRow | null> {
  const rows = await queryInTenant<GroupRow>(
    ctx,
    `SELECT ${groupColumns} FROM contact_groups WHERE tenant_id = $1 AND id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0] ?? null;
}

export function selectGroupPage(
  ctx: Reader,
  of: { before: string | null; search: string | null; kind: string | null; limit: number },
): Promise<GroupRow[]> {
  return queryInTenant<GroupRow>(
    ctx,
    `SELECT ${groupColumns} FROM contact_groups
     WHERE tenant_id = $1 AND id < $2::uuid AND ($3::text IS NULL OR strpos(lower(name), lower($3)) > 0)
       AND ($4::text IS NULL OR kind = $4) ORDER BY id DESC LIMIT $5`,
    [ctx.tenantId, of.before ?? last, of.search, of.kind, of.limit],
  );
}

/** The groups that a contact was put into. */
export function selectGroupsOf(ctx: Reader, contactId: string): Promise<{ id: string; name: string }[]> {
  return queryInTenant(
    ctx,
    `SELECT g.id, g.name FROM contact_group_members m JOIN contact_groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
     WHERE m.tenant_id = $1 AND m.contact_id = $2 ORDER BY g.name`,
    [ctx.tenantId, contactId],
  );
}

export function countGroups(tx: Tx, tenantId: string): Promise<number> {
  return tx.contactGroup.count({ where: { tenantId } });
}

export async function insertGroup(
  tx: Tx,
  tenantId: string,
  group: { id: string; name: string; description: string; filter: object | null; at: Date },
): Promise<void> {
  const { filter, at, ...others } = group;
  await tx.contactGroup.create({
    data: {
      ...others,
      tenantId,
      createdAt: at,
      updatedAt: at,
      ...(filter
        ? { kind: "filter", filter, countingSince: at }
        : { kind: "static", size: 0, countedAt: at }),
    },
    select: { id: true },
  });
}

/** A group that nobody else changes until the transaction ends. */
export async function lockGroup(tx: Tx, tenantId: string, id: string): Promise<GroupRow | null> {
  const rows = await rowsOf<GroupRow>(
    tx,
    `SELECT ${groupColumns} FROM contact_groups WHERE tenant_id = $1::uuid AND id = $2::uuid FOR UPDATE`,
    [tenantId, id],
  );
  return rows[0] ?? null;
}

export async function updateGroup(
  tx: Tx,
  tenantId: string,
  id: string,
  group: { name: string; description: string; filter: unknown; at: Date },
): Promise<void> {
  const { filter, at, ...others } = group;
  await tx.contactGroup.updateMany({
    where: { tenantId, id },
    data: { ...others, updatedAt: at, ...(filter ? { filter } : {}) },
  });
}

export async function deleteGroup(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.contactGroup.deleteMany({ where: { tenantId, id } });
}

/** The contacts that are meant by ids and external ids. */
export function selectIdsOf(
  tx: Tx,
  tenantId: string,
  of: { contactIds: readonly string[]; externalIds: readonly string[] },
): Promise<{ id: string; externalId: string | null }[]> {
  return rowsOf(
    tx,
    `SELECT id, external_id FROM contacts WHERE tenant_id = $1::uuid AND id = ANY ($2::uuid[])
     UNION SELECT id, external_id FROM contacts WHERE tenant_id = $1::uuid AND external_id = ANY ($3::text[])`,
    [tenantId, of.contactIds, of.externalIds],
  );
}

export async function deleteMembers(
  tx: Tx,
  tenantId: string,
  groupId: string,
  contactIds: readonly string[],
): Promise<number> {
  const { count } = await tx.contactGroupMember.deleteMany({
    where: { tenantId, groupId, contactId: { in: [...contactIds] } },
  });
  return count;
}

/** The groups that a contact was put into. */
export async function selectMemberships(tx: Tx, tenantId: string, contactId: string): Promise<string[]> {
  const rows = await tx.contactGroupMember.findMany({
    where: { tenantId, contactId },
    select: { groupId: true },
    take: 1_000,
  });
  return rows.map(({ groupId }) => groupId);
}

/**
 * Notes that groups are counted from the beginning. `stale`: only those that are not being counted, but for counting that began before
 * then and may have been lost; null: all. Returns which.
 */
export async function beginCounting(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  of: { now: Date; stale: Date | null },
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    tx,
    `UPDATE contact_groups SET counting_since = $3::timestamptz, count_after = NULL, count_so_far = 0
     WHERE tenant_id = $1::uuid AND id = ANY ($2::uuid[])
       AND ($4::timestamptz IS NULL OR counting_since IS NULL OR counting_since < $4::timestamptz) RETURNING id`,
    [tenantId, ids, of.now, of.stale],
  );
  return rows.map(({ id }) => id);
}

/** How far a group is counted; null: it is not being counted. Worker's role, as the next two. */
export async function selectCounting(
  db: Pick<Db, "pool">,
  tenantId: string,
  groupId: string,
): Promise<{ filter: unknown; after: string | null; soFar: number } | null> {
  const { rows } = await db.pool.query<{ filter: unknown; after: string | null; soFar: number }>(
    `SELECT filter, count_after AS after, count_so_far AS "soFar" FROM contact_groups
     WHERE tenant_id = $1 AND id = $2 AND kind = 'filter' AND counting_since IS NOT NULL`,
    [tenantId, groupId],
  );
  return rows[0] ?? null;
}

/** Notes how far it came. False: somebody else went on from there, or the filter is another one now. */
export async function saveCount(
  db: Pick<Db, "pool">,
  tenantId: string,
  groupId: string,
  of: { filter: unknown; after: string | null; next: string; soFar: number },
): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `UPDATE contact_groups SET count_after = $5, count_so_far = $6
     WHERE tenant_id = $1 AND id = $2 AND filter = $3::jsonb AND count_after IS NOT DISTINCT FROM $4::uuid AND counting_since IS NOT NULL`,
    [tenantId, groupId, JSON.stringify(of.filter), of.after, of.next, of.soFar],
  );
  return rowCount === 1;
}

export async function finishCounting(
  db: Pick<Db, "pool">,
  tenantId: string,
  groupId: string,
  of: { filter: unknown; after: string | null; size: number; at: Date },
): Promise<void> {
  await db.pool.query(
    `UPDATE contact_groups SET size = $5, counted_at = $6, counting_since = NULL, count_after = NULL, count_so_far = 0
     WHERE tenant_id = $1 AND id = $2 AND filter = $3::jsonb AND count_after IS NOT DISTINCT FROM $4::uuid AND counting_since IS NOT NULL`,
    [tenantId, groupId, JSON.stringify(of.filter), of.after, of.size, of.at],
  );
}

/** Deletes the contacts that have one of these addresses. Returns how many. */
export async function deleteContactsOf(
  tx: Tx,
  tenantId: string,
  addresses: readonly string[],
): Promise<number> {
  return tx.$executeRawUnsafe(
    `DELETE FROM contacts WHERE tenant_id = $1::uuid AND id IN (
       SELECT contact_id FROM contact_addresses WHERE tenant_id = $1::uuid AND address = ANY ($2::text[]))`,
    tenantId,
    addresses,
  );
}

export async function countContactsOf(ctx: Reader, address: string): Promise<number> {
  const [row] = await queryInTenant<{ count: number }>(
    ctx,
    "SELECT count(DISTINCT contact_id)::int AS count FROM contact_addresses WHERE tenant_id = $1 AND address = $2",
    [ctx.tenantId, address],
  );
  return row?.count ?? 0;
}

export async function selectContactsOf(ctx: Reader, address: string): Promise<object[]> {
  const rows = await queryInTenant<{ document: object }>(
    ctx,
    `SELECT to_jsonb(c) - '{tenant_id,name_key}'::text[] || jsonb_build_object(
       'addresses', (SELECT jsonb_agg(to_jsonb(a) - '{tenant_id,contact_id}'::text[]) FROM contact_addresses a
          WHERE a.tenant_id = c.tenant_id AND a.contact_id = c.id),
       'groups', (SELECT coalesce(jsonb_agg(g.name), '[]') FROM contact_group_members m
          JOIN contact_groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
          WHERE m.tenant_id = c.tenant_id AND m.contact_id = c.id)) AS document
     FROM contacts c WHERE c.tenant_id = $1 AND c.id IN (
       SELECT contact_id FROM contact_addresses WHERE tenant_id = $1 AND address = $2)`,
    [ctx.tenantId, address],
  );
  return rows.map(({ document }) => document);
}
