import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { idFloor } from "../kernel/ids.ts";
import { queryFigures } from "../kernel/replica.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import { groupColumns, rollupSource } from "./rollup-source.ts";
import type { RollupFilter } from "./rollup-source.ts";
import { counters, nobody } from "./rollup-store.ts";
import type { Counter } from "./rollup-store.ts";
import type { Dimension, Interval } from "./schemas.ts";

type Scopes = Required<Scope>[] | null;

/** How the rows of a period are added up. */
export interface Grouping {
  by: readonly Dimension[];
  interval: Interval | null;
  /** The most groups, the largest first; null: all of them, for groupings over time only. */
  limit: number | null;
}

export interface GroupRow {
  /** Values of the dimensions, in their order. */
  key: string[];
  /** Start of the interval; null without one. */
  at: Date | null;
}

const fine = (interval: Interval | null) => interval === "hour";
const isKey = (keys: readonly string[][]) => JSON.stringify(keys);
const grouped = (columns: readonly string[]) =>
  columns.length === 0 ? "" : `GROUP BY ${columns.join(", ")}`;
/** Only groups that are named; a JSON array of arrays, as arrays of arrays must be of one length. */
const amongKeys = (column: string, place: string) =>
  `to_jsonb(${column}) IN (SELECT jsonb_array_elements(${place}::jsonb))`;

/** Counts of messages by group and interval. @param keys only these groups @param sums which counts */
export function selectCounts<Sum extends Counter = Counter>(
  ctx: Ctx,
  scopes: Scopes,
  filter: RollupFilter,
  { by, interval, limit }: Grouping,
  {
    keys,
    sums = counters as readonly Counter[] as readonly Sum[],
  }: { keys?: readonly string[][]; sums?: readonly Sum[] } = {},
): Promise<(GroupRow & Record<Sum, number>)[]> {
  const { from, where } = rollupSource("counts", ctx.tenantId, scopes, filter, { fine: fine(interval), by });
  const { key, at, group } = groupColumns(by, interval);
  if (keys) where.and(amongKeys(key, where.bind(isKey(keys))));
  return queryFigures(
    ctx,
    `SELECT ${key} AS key, ${at} AS at, ${sums.map((each) => `sum(r.${each})::float8 AS ${each}`).join(", ")}
     FROM ${from} WHERE ${where.sql} ${grouped(group)}
     HAVING sum(r.accepted + r.sent + r.failed + r.rejected + r.expired + r.canceled + r.undetermined + r.delivered) > 0
     ORDER BY ${limit === null ? "2, 1" : `greatest(sum(r.accepted), sum(r.sent)) DESC, 1 LIMIT ${where.bind(limit)}`}`,
    where.values,
  );
}

/** How long messages took, as counts by latency bucket. @param keys only these groups */
export function selectLatencies(
  ctx: Ctx,
  scopes: Scopes,
  filter: RollupFilter,
  { by, interval }: Pick<Grouping, "by" | "interval">,
  keys?: readonly string[][],
): Promise<(GroupRow & { measure: "sent" | "delivered"; latency: number; count: number })[]> {
  const { from, where } = rollupSource("counts", ctx.tenantId, scopes, filter, { fine: fine(interval), by });
  const { key, at, group } = groupColumns(by, interval);
  if (keys) where.and(amongKeys(key, where.bind(isKey(keys))));
  const columns = group.map((_, index) => `c${String(index)}`);
  const named = group.map((column, index) => `${column} AS ${columns[index] ?? ""}, `).join("");
  const of = (index: number) => columns[index] ?? "";
  // Both histograms in one set: a join with each row's own would cost more than all else.
  return queryFigures(
    ctx,
    `SELECT ${by.length === 0 ? key : `ARRAY[${by.map((_, index) => `${of(index)}::text`).join(", ")}]`} AS key,
       ${interval === null ? at : of(by.length)} AS at, CASE WHEN n <= sent THEN 'sent' ELSE 'delivered' END AS measure,
       (entry >> 40)::int AS latency, sum(entry & 1099511627775)::float8 AS count
     FROM (
       SELECT *, unnest(entries) AS entry, generate_subscripts(entries, 1) AS n FROM (
         SELECT ${named}coalesce(cardinality(r.sent_ms), 0) AS sent, r.sent_ms || r.delivered_ms AS entries
         FROM ${from} WHERE ${where.sql} OFFSET 0) AS cells
     ) AS e
     ${grouped([...columns, "n <= sent", "entry >> 40"])} ORDER BY entry >> 40`,
    where.values,
  );
}

/** Why messages did not arrive, most frequent first, at most 50; by connection and the provider's code. */
export function selectFailures(
  ctx: Ctx,
  scopes: Scopes,
  filter: RollupFilter,
): Promise<{ status: string; code: string; providerCode: string; connectionId: string; count: number }[]> {
  const { from, where } = rollupSource("reasons", ctx.tenantId, scopes, filter, {
    fine: false,
    by: ["provider"],
  });
  return queryFigures(
    ctx,
    `SELECT r.status, r.code, r.provider_code, k.connection_id, sum(r.count)::float8 AS count FROM ${from}
     WHERE ${where.sql} AND r.status IN ('failed', 'rejected', 'expired', 'undetermined')
     GROUP BY 1, 2, 3, 4 HAVING sum(r.count) > 0 ORDER BY 5 DESC, 1, 2, 3, 4 LIMIT 50`,
    where.values,
  );
}

/** Why messages did not arrive, whatever the connection and the provider's own code, most frequent first, at most 50. */
export function selectReasons(
  ctx: Ctx,
  scopes: Scopes,
  filter: RollupFilter,
): Promise<{ status: string; code: string; count: number }[]> {
  const { from, where } = rollupSource("reasons", ctx.tenantId, scopes, filter, { fine: false, by: [] });
  return queryFigures(
    ctx,
    `SELECT r.status, r.code, sum(r.count)::float8 AS count FROM ${from}
     WHERE ${where.sql} AND r.status IN ('failed', 'rejected', 'expired', 'undetermined')
     GROUP BY 1, 2 HAVING sum(r.count) > 0 ORDER BY 3 DESC, 1, 2 LIMIT 50`,
    where.values,
  );
}

/** Messages of a short time that have something in common. */
export interface RecentRow {
  /** Start of its step, counted from `from`. */
  at: Date;
  channel: Channel;
  simulated: boolean;
  status: string;
  final: boolean;
  /** As metric_code() has it. */
  code: string;
  /** Bucket of the time from accepted (or scheduled) to sent; -1: not sent. */
  latency: number;
  count: number;
}

/**
 * Messages accepted from `from` until `to`, read from the messages themselves, because rollups know whole hours only: whoever asks keeps
 * the time short, and the number small. A range of the primary key; at most `most` are read.
 * @param simulators connections that reach nobody
 */
export function selectRecent(
  ctx: Ctx,
  scopes: Scopes,
  filter: Pick<RollupFilter, "from" | "to" | "environmentId" | "unitId" | "applicationId" | "channel">,
  { stepMs, simulators, most }: { stepMs: number; simulators: readonly string[]; most: number },
): Promise<RecentRow[]> {
  const minute = 60_000;
  const where = new Conditions([ctx.tenantId, filter.from, filter.to], "n.tenant_id = $1")
    // Ids contain the time, and the table is partitioned and indexed by them; the exact limit is checked as well.
    .given("n.id >= ?", idFloor(new Date(filter.from.getTime() - minute)))
    .given("n.id < ?", idFloor(new Date(filter.to.getTime() + minute)))
    .and("n.created_at >= $2 AND n.created_at < $3")
    .given("n.environment_id = ?", filter.environmentId)
    .given("n.unit_id = ?", filter.unitId)
    .given("n.application_id = ?", filter.applicationId)
    .given("n.channel = ?", filter.channel)
    .within(scopes, "n");
  const among = where.bind(simulators);
  const step = where.bind(stepMs);
  return queryInTenant<RecentRow>(
    ctx,
    `SELECT date_bin(make_interval(secs => ${step}::float8 / 1000), created_at, $2) AS at, channel,
       coalesce(connection_id = ANY (${among}::uuid[]), false) AS simulated, status, final,
       metric_code(status, reason_code, failure) AS code,
       CASE WHEN sent_at IS NULL THEN -1 ELSE latency_bucket(sent_at - coalesce(scheduled_at, created_at)) END AS latency,
       count(*)::float8 AS count
     FROM (SELECT * FROM notification_facts n WHERE ${where.sql} LIMIT ${where.bind(most)}) AS recent
     GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 7`,
    where.values,
  );
}

/** Groups of costs are sorted by what they come to, in whatever currency: so many rows are looked at. */
const mostCostRows = 10_000;

export interface CostRow extends GroupRow {
  kind: "message" | "platform_fee";
  source: "reported" | "estimated";
  currency: string;
  entries: number;
  segments: number;
  /** Decimal strings: all of it, what tries with segments cost, and in the own currency what has a rate (null: nothing has). */
  amount: string;
  segmentAmount: string;
  own: string | null;
  /** Whether all of it has a rate; nothing needs none. */
  rated: boolean;
}

/** Sums of the cost ledger by group and interval. @param keys only these groups */
export function selectCosts(
  ctx: Ctx,
  scopes: Scopes,
  filter: RollupFilter & { currency?: string | undefined },
  { by, interval }: Pick<Grouping, "by" | "interval">,
  keys?: readonly string[][],
): Promise<CostRow[]> {
  // Segments are told by the channel.
  const { from, where } = rollupSource("costs", ctx.tenantId, scopes, filter, {
    fine: fine(interval),
    by: [...by, "channel"],
  });
  where.given("r.currency = ?", filter.currency);
  const { key, at, group } = groupColumns(by, interval);
  if (keys) where.and(amongKeys(key, where.bind(isKey(keys))));
  // By a day's rate, which a price need not have.
  return queryFigures(
    ctx,
    `WITH rates AS MATERIALIZED (
       SELECT currency, day, rate FROM own_rates($1, ($2::timestamptz AT TIME ZONE 'UTC')::date, ($3::timestamptz AT TIME ZONE 'UTC')::date)
     )
     SELECT ${key} AS key, ${at} AS at, r.kind, r.source, r.currency, sum(r.entries)::float8 AS entries, sum(r.segments)::float8 AS segments,
       sum(r.amount)::text AS amount, coalesce(sum(r.amount) FILTER (WHERE k.channel = 'sms'), 0)::text AS "segmentAmount",
       round(sum(r.amount * o.rate), 6)::text AS own, bool_and(o.rate IS NOT NULL OR r.amount = 0) AS rated
     FROM ${from} LEFT JOIN rates o ON o.currency = r.currency AND o.day = (r.at AT TIME ZONE 'UTC')::date
     WHERE ${where.sql} ${grouped([...group, "r.kind", "r.source", "r.currency"])}
     HAVING sum(r.entries) <> 0 OR sum(r.amount) <> 0
     ORDER BY ${interval === null ? `sum(r.amount) DESC, 1, 3, 4, 5 LIMIT ${String(mostCostRows)}` : "2, 1, 3, 4, 5"}`,
    where.values,
  );
}

/** Sums of a day (UTC) under one key. */
export interface DailyCost {
  at: Date;
  keyId: string;
  kind: "message" | "platform_fee";
  source: "reported" | "estimated";
  currency: string;
  entries: number;
  segments: number;
  amount: string;
  environmentId: string;
  applicationId: string;
  unitId: string;
  channel: string;
  notificationType: string;
  notificationSubtype: string;
  country: string;
  templateId: string | null;
  connectionId: string;
}

/**
 * A page of the sums of one day (UTC), the filter's period: those of `limit` rows and all others of the last one's key. A cost never
 * leaves its day and key, whatever becomes of its price, so that over all pages each is in exactly one sum.
 */
export function selectDailyCosts(
  ctx: Ctx,
  scopes: Scopes,
  filter: RollupFilter & { currency?: string | undefined },
  { after, limit }: { after: Pick<DailyCost, "keyId"> | undefined; limit: number },
): Promise<DailyCost[]> {
  const { from, where } = rollupSource("costs", ctx.tenantId, scopes, filter, { fine: false, by: "all" });
  where.given("r.currency = ?", filter.currency).given("r.key_id > ?", after?.keyId);
  return queryFigures(
    ctx,
    `WITH keyed AS MATERIALIZED (
       SELECT r.at, r.key_id, r.kind, r.source, r.currency, sum(r.entries)::float8 AS entries, sum(r.segments)::float8 AS segments,
         sum(r.amount)::text AS amount
       FROM ${from} WHERE ${where.sql} GROUP BY 1, 2, 3, 4, 5 HAVING sum(r.entries) <> 0 OR sum(r.amount) <> 0
       ORDER BY r.key_id FETCH FIRST ${where.bind(limit)} ROWS WITH TIES
     )
     SELECT r.at, r.key_id::text AS key_id, r.kind, r.source, r.currency, r.entries, r.segments, r.amount, k.environment_id,
       k.application_id, k.unit_id, k.channel, k.notification_type, k.notification_subtype, k.country,
       nullif(k.template_id, '${nobody}') AS template_id, k.connection_id
     FROM keyed r JOIN rollup_keys k ON k.tenant_id = $1 AND k.id = r.key_id
     ORDER BY r.key_id, r.kind, r.source, r.currency`,
    where.values,
  );
}

/** Of connections, how many tries they took and how many of these have a price; without the sandbox's environments. */
export async function selectPriced(
  ctx: Ctx,
  scopes: Scopes,
  filter: RollupFilter,
  sandboxes: readonly string[],
): Promise<{ connectionId: string; sent: number; charged: number }[]> {
  const [calls, costs] = (["counts", "costs"] as const).map((store) => {
    const { from, where } = rollupSource(store, ctx.tenantId, scopes, filter, {
      fine: false,
      by: ["provider"],
    });
    where
      .and(`k.connection_id <> '${nobody}'`)
      .and(`k.environment_id <> ALL (${where.bind(sandboxes)}::uuid[])`);
    const sum =
      store === "counts"
        ? "sum(r.calls_sent + r.calls_unknown)"
        : "sum(r.entries) FILTER (WHERE r.kind = 'message')";
    return queryFigures<{ connectionId: string; count: number }>(
      ctx,
      `SELECT k.connection_id, coalesce(${sum}, 0)::float8 AS count FROM ${from} WHERE ${where.sql} GROUP BY 1
       HAVING ${sum} > 0 ORDER BY 2 DESC LIMIT 500`,
      where.values,
    );
  });
  const charged = new Map((await costs)?.map(({ connectionId, count }) => [connectionId, count]));
  return ((await calls) ?? []).map(({ connectionId, count }) => ({
    connectionId,
    sent: count,
    charged: Math.min(count, charged.get(connectionId) ?? 0),
  }));
}

/** The organisation's own currency; null when it has chosen none. */
export async function selectOwnCurrency(ctx: Ctx): Promise<string | null> {
  const [row] = await queryInTenant<{ currency: string }>(
    ctx,
    "SELECT currency FROM own_currencies WHERE tenant_id = $1",
    [ctx.tenantId],
  );
  return row?.currency ?? null;
}

/** Templates by id, with what people call them. */
export async function selectTemplateNames(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryInTenant<{ id: string; name: string; of: string }>(
    ctx,
    `SELECT id, name, concat_ws(', ', channel, region, language) AS of FROM template_facts
     WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
    [ctx.tenantId, ids],
  );
  return new Map(rows.map(({ id, name, of }) => [id, `${name} (${of})`]));
}

/** Organisations in the order of their short names (worker's role). */
export async function selectRecomputed(
  db: Db,
  { after, slugs, limit }: { after: string; slugs: readonly string[]; limit: number },
): Promise<{ id: string; slug: string; settings: unknown }[]> {
  const { rows } = await db.pool.query<{ id: string; slug: string; settings: unknown }>(
    `SELECT s.id, s.slug, f.settings FROM tenant_states s JOIN tenant_facts f ON f.id = s.id
     WHERE s.slug > $1 AND (cardinality($2::text[]) = 0 OR s.slug = ANY ($2)) ORDER BY s.slug LIMIT $3`,
    [after, slugs, limit],
  );
  return rows;
}
