import type { BookedPrice } from "../adapters/adapter.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant, queryInTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { idFloor } from "../kernel/ids.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import type { PriceScope } from "./estimate-cost.ts";
import type { CostEntry } from "./schemas.ts";
import type { lackable } from "./vocabulary.ts";

/** A tenant by its short name, over the role of worker or console. */
export async function selectFees(
  db: Db,
  slug: string,
): Promise<{ tenantId: string; name: string; fees: unknown } | null> {
  const { rows } = await db.pool.query<{ tenantId: string; name: string; fees: unknown }>(
    `SELECT id AS "tenantId", name, platform_fees AS fees FROM tenant_states WHERE slug = $1`,
    [slug],
  );
  return rows[0] ?? null;
}

/**
 * Books prices of messages that a connection sent, each on the attempt that the provider accepted. A booked price is
 * final: it replaces estimates and receipts' prices. Returns how many costs changed. Ignores the sandbox.
 */
export async function bookPrices(
  db: Db,
  tenantId: string,
  connectionId: string,
  prices: readonly BookedPrice[],
): Promise<number> {
  const { rowCount } = await db.pool.query(
    `INSERT INTO cost_entries AS ce (tenant_id, id, notification_id, attempt, kind, amount, currency, source, segments, at)
     SELECT $1, uuidv7_new(), n.id, coalesce(a.number, greatest(n.attempts, 1)), 'message', x.amount, x.currency, 'reported',
       n.segments, coalesce(a.started_at, n.created_at)
     FROM (
       SELECT DISTINCT ON ("providerMessageId") * FROM jsonb_to_recordset($3::jsonb)
         AS p("providerMessageId" text, amount numeric, currency text) ORDER BY "providerMessageId"
     ) AS x
     CROSS JOIN LATERAL (
       SELECT n.id, n.attempts, n.segments, n.created_at FROM notification_facts n WHERE n.tenant_id = $1 AND n.connection_id = $2
         AND n.provider_message_id = x."providerMessageId" AND NOT n.sandbox LIMIT 1
     ) AS n
     LEFT JOIN LATERAL (
       SELECT a.number, a.started_at FROM attempt_facts a WHERE a.tenant_id = $1 AND a.notification_id = n.id
         AND a.provider_message_id = x."providerMessageId" ORDER BY a.number DESC LIMIT 1
     ) AS a ON true
     ON CONFLICT (tenant_id, notification_id, attempt, kind) DO UPDATE
       SET amount = excluded.amount, currency = excluded.currency, source = excluded.source, segments = excluded.segments
       WHERE (ce.amount, ce.currency, ce.source) IS DISTINCT FROM (excluded.amount, excluded.currency, excluded.source)`,
    [
      tenantId,
      connectionId,
      JSON.stringify(prices.map(({ providerMessageId, price }) => ({ providerMessageId, ...price }))),
    ],
  );
  return rowCount ?? 0;
}

/** All costs of a message, in the order of its attempts, the fee last; each also in the organisation's own currency. */
export function selectCosts(
  ctx: Ctx,
  notificationId: string,
): Promise<(Omit<CostEntry, "at"> & { at: Date })[]> {
  return queryInTenant(
    ctx,
    `SELECT e.kind, e.attempt, e.amount::text AS amount, e.currency, e.source, e.at,
       CASE WHEN o.worth IS NOT NULL OR (e.amount = 0 AND c.currency IS NOT NULL) THEN
         jsonb_build_object('amount', round(e.amount * coalesce(o.worth, 0), 6)::text, 'currency', c.currency) END AS own
     FROM cost_entries e
     LEFT JOIN cost_currencies c ON c.tenant_id = e.tenant_id
     CROSS JOIN LATERAL (SELECT own_rate($1, e.currency, (e.at AT TIME ZONE 'UTC')::date) AS worth) AS o
     WHERE e.tenant_id = $1 AND e.notification_id = $2 ORDER BY e.kind, e.attempt LIMIT 1000`,
    [ctx.tenantId, notificationId],
  );
}

const hour = 3_600_000;

export interface EntryFilter {
  /** When the cost arose. */
  from?: Date | undefined;
  to?: Date | undefined;
  environmentId?: string | undefined;
  unitId?: string | undefined;
  applicationId?: string | undefined;
  channel?: string | undefined;
}

/** An entry of the ledger with what it was for; its message may be gone. */
export interface EntryRow {
  id: string;
  at: Date;
  notificationId: string;
  kind: string;
  attempt: number;
  source: string;
  amount: string;
  currency: string;
  environmentId: string | null;
  applicationId: string | null;
  unitId: string | null;
  channel: string | null;
  provider: string | null;
  country: string | null;
  notificationType: string | null;
  notificationSubtype: string | null;
  template: string | null;
  segments: number | null;
}

/** The id so many entries after another one, whatever a filter says of them; null: there are fewer. */
export async function selectEntryAhead(
  ctx: Ctx,
  from: { since: Date | undefined; after: string | null; upTo: string; ahead: number },
): Promise<string | null> {
  const { since } = from;
  const where = new Conditions([ctx.tenantId], "tenant_id = $1")
    .given("id >= ?", since && idFloor(new Date(since.getTime() - hour)))
    .given("id > ?", from.after)
    .given("id <= ?", from.upTo);
  const rows = await queryInTenant<{ id: string }>(
    ctx,
    `SELECT id FROM cost_entries WHERE ${where.sql} ORDER BY id OFFSET ${where.bind(from.ahead - 1)} LIMIT 1`,
    where.values,
  );
  return rows[0]?.id ?? null;
}

/** Entries after an id, up to another one that may be among them, oldest first. */
export function selectEntries(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: EntryFilter,
  part: { after: string | null; upTo: string; limit: number },
): Promise<EntryRow[]> {
  const where = new Conditions([ctx.tenantId], "e.tenant_id = $1")
    .given("e.id > ?", part.after)
    .given("e.id <= ?", part.upTo)
    // An entry is never written before the try that it is for was made; an hour is for clocks that differ.
    .given("e.id >= ?", filter.from && idFloor(new Date(filter.from.getTime() - hour)))
    .given("e.at >= ?", filter.from)
    .given("e.at < ?", filter.to)
    .given("n.environment_id = ?", filter.environmentId)
    .given("n.unit_id = ?", filter.unitId)
    .given("n.application_id = ?", filter.applicationId)
    .given("n.channel = ?", filter.channel)
    .within(scopes, "n");
  return queryInTenant<EntryRow>(
    ctx,
    `SELECT e.id, e.at, e.notification_id, e.kind, e.attempt, e.source, e.amount::text AS amount, e.currency, n.environment_id,
       n.application_id, n.unit_id, n.channel, coalesce(a.provider, n.provider) AS provider, n.country, e.segments, n.notification_type,
       n.notification_subtype, t.name AS template
     FROM cost_entries e
     LEFT JOIN notification_facts n ON n.tenant_id = e.tenant_id AND n.id = e.notification_id
     LEFT JOIN attempt_facts a ON a.tenant_id = e.tenant_id AND a.notification_id = e.notification_id AND a.number = e.attempt
     LEFT JOIN template_facts t ON t.tenant_id = n.tenant_id AND t.id = n.template_id
     WHERE ${where.sql} ORDER BY e.id LIMIT ${where.bind(part.limit)}`,
    where.values,
  );
}

/** A place in the ledger by time. */
export interface EntryPlace {
  at: Date;
  id: string;
}

export interface ListedEntryRow extends EntryPlace {
  notificationId: string;
  kind: "message" | "platform_fee";
  attempt: number;
  source: "reported" | "estimated";
  amount: string;
  currency: string;
  segments: number | null;
  environmentId: string;
  applicationId: string;
  channel: string;
  connectionId: string | null;
  country: string | null;
  notificationType: string;
  notificationSubtype: string;
  template: string | null;
}

/** What a list of entries is narrowed to; ids, not names. */
export interface ListedEntryFilter {
  from: Date;
  to: Date;
  environmentId?: string | undefined;
  unitId?: string | undefined;
  applicationId?: string | undefined;
  channel?: string | undefined;
  connectionId?: string | undefined;
  country?: string | undefined;
  notificationType?: string | undefined;
  notificationSubtype?: string | undefined;
  templateId?: string | undefined;
  mailDomain?: string | undefined;
  currency?: string | undefined;
  without?: (typeof lackable)[number] | undefined;
}

const placed = (
  where: Conditions,
  filter: Pick<ListedEntryFilter, "from" | "to">,
  before: EntryPlace | undefined,
): Conditions => {
  where.given("e.at >= ?", filter.from).given("e.at < ?", filter.to);
  return before === undefined
    ? where
    : where.and(`(e.at, e.id) < (${where.bind(before.at)}::timestamptz, ${where.bind(before.id)}::uuid)`);
};

/** The entry so many before a place in a period, whatever else a filter says; null: there are fewer. */
export async function selectPlaceAhead(
  ctx: Ctx,
  filter: ListedEntryFilter,
  part: { before: EntryPlace | undefined; ahead: number },
): Promise<EntryPlace | null> {
  const where = placed(new Conditions([ctx.tenantId], "e.tenant_id = $1"), filter, part.before);
  const rows = await queryInTenant<EntryPlace>(
    ctx,
    `SELECT e.at, e.id FROM cost_entries e WHERE ${where.sql}
     ORDER BY e.at DESC, e.id DESC OFFSET ${where.bind(part.ahead - 1)} LIMIT 1`,
    where.values,
  );
  return rows[0] ?? null;
}

/** At whom a price is: the connection that made the try. A fee is nobody's. */
const chargedBy = "CASE WHEN e.kind = 'message' THEN a.connection_id END";
const lacks: Record<(typeof lackable)[number], string> = {
  provider: `${chargedBy} IS NULL`,
  template: "n.template_id IS NULL",
  country: "coalesce(n.country, n.region) = ''",
  mailDomain: "coalesce(n.mail_domain, '') = ''",
  notificationType: "n.notification_type = ''",
  notificationSubtype: "n.notification_subtype = ''",
};

/** Entries of a period from a place back to another one, which may be among them, newest first; as the rollups count them. */
export function selectListedEntries(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: ListedEntryFilter,
  part: { before: EntryPlace | undefined; backTo: EntryPlace | null; limit: number },
): Promise<ListedEntryRow[]> {
  const where = placed(new Conditions([ctx.tenantId], "e.tenant_id = $1"), filter, part.before)
    .given("e.currency = ?", filter.currency)
    .given("n.environment_id = ?", filter.environmentId)
    .given("n.unit_id = ?", filter.unitId)
    .given("n.application_id = ?", filter.applicationId)
    .given("n.channel = ?", filter.channel)
    .given(`${chargedBy} = ?`, filter.connectionId)
    .given("coalesce(n.country, n.region) = ?", filter.country)
    .given("n.notification_type = ?", filter.notificationType)
    .given("n.notification_subtype = ?", filter.notificationSubtype)
    .given("n.template_id = ?", filter.templateId)
    .given("n.mail_domain = ?", filter.mailDomain)
    .within(scopes, "n");
  if (part.backTo)
    where.and(
      `(e.at, e.id) >= (${where.bind(part.backTo.at)}::timestamptz, ${where.bind(part.backTo.id)}::uuid)`,
    );
  if (filter.without) where.and(lacks[filter.without]);
  // Each message is looked up by its id, so that the order of the index holds and the page ends the statement.
  return queryInTenant<ListedEntryRow>(
    ctx,
    `SELECT e.id, e.at, e.notification_id, e.kind, e.attempt, e.source, e.amount::text AS amount, e.currency, e.segments, n.environment_id,
       n.application_id, n.channel, ${chargedBy} AS connection_id, coalesce(n.country, n.region) AS country, n.notification_type,
       n.notification_subtype, t.name AS template
     FROM cost_entries e
     CROSS JOIN LATERAL (
       SELECT * FROM notification_facts n WHERE n.tenant_id = $1 AND n.id = e.notification_id OFFSET 0) AS n
     LEFT JOIN LATERAL (
       SELECT a.connection_id FROM attempt_facts a WHERE a.tenant_id = $1 AND a.notification_id = e.notification_id
         AND a.number = e.attempt OFFSET 0) AS a ON true
     LEFT JOIN LATERAL (
       SELECT t.name FROM template_facts t WHERE t.tenant_id = $1 AND t.id = n.template_id OFFSET 0) AS t ON true
     WHERE ${where.sql} ORDER BY e.at DESC, e.id DESC LIMIT ${where.bind(part.limit)}`,
    where.values,
  );
}

/**
 * How many units a connection's counted rows have priced in a month. One row for each counted row of its price list, which has
 * at most 2,000.
 */
export function selectUnits(
  ctx: Pick<Ctx, "db" | "tenantId">,
  connectionId: string,
  month: string,
): Promise<(PriceScope & { units: number })[]> {
  return queryInTenant(
    ctx,
    `SELECT channel, category, country, units::float8 AS units FROM price_units
     WHERE tenant_id = $1 AND connection_id = $2 AND month = $3::date LIMIT 5000`,
    [ctx.tenantId, connectionId, `${month}-01`],
  );
}

/**
 * Writes as what an entry counts in its month. False: it does not count as `was` any more, so that of several receipts that say the
 * same one moves it.
 */
export async function recountEntry(
  ctx: Ctx,
  entry: { notificationId: string; attempt: number; was: string | null; is: string | null },
): Promise<boolean> {
  const changed = await inTenant(
    ctx,
    (tx) => tx.$executeRaw`
      UPDATE cost_entries SET counted_as = ${entry.is}
      WHERE tenant_id = ${ctx.tenantId}::uuid AND notification_id = ${entry.notificationId}::uuid AND attempt = ${entry.attempt}
        AND kind = 'message' AND counted_as IS NOT DISTINCT FROM ${entry.was}`,
  );
  return changed > 0;
}

type UnitsRow = PriceScope & { tenantId: string; connectionId: string; month: string; units: number };

/**
 * Adds to the counts of a month, of any tenants in the worker's role and of one in the web process's, and returns what they are now.
 * The first of a new month begins anew; what comes late for the month before is left out.
 */
export async function addUnits(db: Db, rows: readonly UnitsRow[]): Promise<UnitsRow[]> {
  const statement = `INSERT INTO price_units AS u (tenant_id, connection_id, channel, category, country, month, units)
     SELECT x."tenantId", x."connectionId", x.channel, x.category, x.country, (x.month || '-01')::date, x.units
     FROM jsonb_to_recordset($1::jsonb)
       AS x("tenantId" uuid, "connectionId" uuid, channel text, category text, country text, month text, units bigint)
     ORDER BY 1, 2, 3, 4, 5, 6
     ON CONFLICT (tenant_id, connection_id, channel, category, country) DO UPDATE
       SET units = CASE WHEN u.month = excluded.month THEN u.units + excluded.units ELSE excluded.units END,
           month = excluded.month
       WHERE u.month <= excluded.month
     RETURNING tenant_id AS "tenantId", connection_id AS "connectionId", channel, category, country,
       to_char(month, 'YYYY-MM') AS month, units::float8 AS units`;
  const [first] = rows;
  if (!first) return [];
  if (db.role === "worker") return (await db.pool.query<UnitsRow>(statement, [JSON.stringify(rows)])).rows;
  return inTenant({ db, tenantId: first.tenantId }, (tx) =>
    tx.$queryRawUnsafe<UnitsRow[]>(statement, JSON.stringify(rows)),
  );
}
