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
