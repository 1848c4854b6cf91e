import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";

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
export function selectGroups(ctx: Reader, limit: number): Promise<GroupFactsRow[]> {
  return queryInTenant<GroupFactsRow>(
    ctx,
    "SELECT id, name, kind, size FROM contact_groups WHERE tenant_id = $1 ORDER BY name LIMIT $2",
    [ctx.tenantId, limit],
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
