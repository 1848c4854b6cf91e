import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Prisma, Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";

type Scopes = Required<Scope>[] | null;

const nobody = "00000000-0000-0000-0000-000000000000";

export interface BudgetRow {
  id: string;
  name: string;
  applicationId: string | null;
  environmentId: string | null;
  amount: string;
  currency: string;
  converted: boolean;
  thresholds: number[];
}

/** Budgets `b` with the days of costs `c` that count towards them. Without a rate of its own currency a converted one has none. */
const counted = `
  JOIN cost_days c ON c.tenant_id = b.tenant_id AND (b.application_id IS NULL OR c.application_id = b.application_id)
    AND CASE WHEN b.converted THEN EXISTS (
      SELECT FROM own_currencies o WHERE o.tenant_id = b.tenant_id AND o.currency = b.currency) ELSE c.currency = b.currency END
  JOIN environment_facts v ON v.tenant_id = c.tenant_id AND v.id = c.environment_id
    AND CASE WHEN b.environment_id IS NULL THEN v.kind = 'production' ELSE v.id = b.environment_id END`;
const worth = `CASE WHEN s.converted THEN own_rate(s.tenant_id, s.currency, (s.at AT TIME ZONE 'UTC')::date) ELSE 1 END`;

const columns =
  "b.id, b.name, b.application_id, b.environment_id, trim_scale(b.amount)::text AS amount, b.currency::text AS currency, b.converted, b.thresholds";

/** All budgets of an organisation, by name. */
export function selectBudgets(ctx: Ctx, limit: number): Promise<BudgetRow[]> {
  return queryInTenant(
    ctx,
    `SELECT ${columns} FROM budgets b WHERE b.tenant_id = $1 ORDER BY lower(b.name), b.id LIMIT $2`,
    [ctx.tenantId, limit],
  );
}

/** What some budgets' days came to; `amount` null: there is no rate for it. */
export function selectSpent(
  ctx: Ctx,
  ids: readonly string[],
  from: Date,
): Promise<{ id: string; at: Date; currency: string; amount: string | null }[]> {
  return queryInTenant(
    ctx,
    `WITH s AS (
       SELECT b.tenant_id, b.id, b.converted, c.currency, c.at, sum(c.amount) AS amount FROM budgets b ${counted}
       WHERE b.tenant_id = $1 AND b.id = ANY ($2::uuid[]) AND c.at >= $3 GROUP BY 1, 2, 3, 4, 5
     )
     SELECT s.id, s.at, s.currency, (s.amount * ${worth})::text AS amount FROM s WHERE s.amount <> 0`,
    [ctx.tenantId, ids, from],
  );
}

/** Which thresholds were told in a month. */
export function selectReached(
  ctx: Ctx,
  ids: readonly string[],
  month: string,
): Promise<{ budgetId: string; percent: number; at: Date }[]> {
  return queryInTenant(
    ctx,
    `SELECT budget_id, percent, at FROM budget_alerts
     WHERE tenant_id = $1 AND budget_id = ANY ($2::uuid[]) AND month = $3::date ORDER BY percent`,
    [ctx.tenantId, ids, month],
  );
}

/** One change of an organisation's budgets at a time. */
export async function lockBudgets(tx: Tx, tenantId: string): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('budgets ' || ${tenantId}, 0))`;
  return tx.budget.count({ where: { tenantId } });
}

export async function selectBudget(tx: Tx, tenantId: string, id: string): Promise<BudgetRow | null> {
  const row = await tx.budget.findUnique({ where: { tenantId_id: { tenantId, id } } });
  return row && { ...row, amount: row.amount.toString() };
}

/** The organisation's own currency; null: it has chosen none. */
export async function selectOwnCurrency(ctx: Pick<Ctx, "db" | "tenantId">): Promise<string | null> {
  const [row] = await queryInTenant<{ currency: string }>(
    ctx,
    "SELECT currency::text AS currency FROM own_currencies WHERE tenant_id = $1",
    [ctx.tenantId],
  );
  return row?.currency ?? null;
}

export async function insertBudget(tx: Tx, data: Prisma.BudgetCreateManyInput): Promise<void> {
  await tx.budget.create({ data });
}

/**
 * Changes a budget; `anew`: it is another one from now on. Then its thresholds are told once more from this month on, and what a month
 * that is over has come to is not held against it.
 */
export async function updateBudget(
  tx: Tx,
  tenantId: string,
  { id, ...data }: BudgetRow,
  anew: { month: Date; at: Date } | null,
): Promise<void> {
  if (anew)
    await tx.budgetAlert.deleteMany({ where: { tenantId, budgetId: id, month: { gte: anew.month } } });
  await tx.budget.update({
    where: { tenantId_id: { tenantId, id } },
    data: { ...data, ...(anew && { createdAt: anew.at }) },
  });
}

export async function deleteBudget(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.budget.delete({ where: { tenantId_id: { tenantId, id } } });
}

export interface DueBudget extends BudgetRow {
  tenantId: string;
  /** Thresholds that are reached and were not told in the month. */
  due: number[];
}

/**
 * Budgets of any organisations that have reached a threshold of a month of which nobody was told (worker's role); of a month that is
 * over only those that there were in it. One of each organisation before the second of any.
 */
export async function selectDue(db: Db, month: string, limit: number): Promise<DueBudget[]> {
  return camelRows<DueBudget>(
    await db.pool.query(
      `WITH s AS (
         SELECT b.tenant_id, b.id, b.converted, c.currency, c.at, sum(c.amount) AS amount FROM budgets b ${counted}
         WHERE c.at >= $1::date AT TIME ZONE 'UTC' AND c.at < ($1::date + interval '1 month') AT TIME ZONE 'UTC'
           AND b.created_at < ($1::date + interval '1 month') AT TIME ZONE 'UTC'
           AND EXISTS (SELECT FROM unnest(b.thresholds) AS p WHERE NOT EXISTS (
             SELECT FROM budget_alerts a WHERE a.tenant_id = b.tenant_id AND a.budget_id = b.id AND a.month = $1::date AND a.percent = p))
         GROUP BY 1, 2, 3, 4, 5
       ), spent AS (SELECT s.tenant_id, s.id, sum(s.amount * ${worth}) AS amount FROM s GROUP BY 1, 2)
       SELECT b.tenant_id, ${columns}, d.due FROM spent JOIN budgets b ON b.tenant_id = spent.tenant_id AND b.id = spent.id
       CROSS JOIN LATERAL (
         SELECT array_agg(p ORDER BY p) AS due FROM unnest(b.thresholds) AS p
         WHERE spent.amount * 100 >= b.amount * p AND NOT EXISTS (
           SELECT FROM budget_alerts a WHERE a.tenant_id = b.tenant_id AND a.budget_id = b.id AND a.month = $1::date AND a.percent = p)
       ) AS d
       WHERE d.due IS NOT NULL
       ORDER BY row_number() OVER (PARTITION BY b.tenant_id ORDER BY random()), random() LIMIT $2`,
      [month, limit],
    ),
  );
}

/**
 * Notes that thresholds are told, of which the highest is still to be mailed; returns those that nobody had noted. None when the
 * budget has been changed to another one or removed since it was found due.
 */
export async function insertAlerts(
  tx: Tx,
  { tenantId, id, amount, currency, converted, applicationId, environmentId, due }: DueBudget,
  { month, ids, at }: { month: string; ids: readonly string[]; at: Date },
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ percent: number }[]>`
    INSERT INTO budget_alerts (tenant_id, id, budget_id, month, percent, at, mailed_at)
    SELECT b.tenant_id, d.id, b.id, ${month}::date, d.percent, ${at}::timestamptz,
      CASE WHEN d.percent < ${Math.max(...due)}::int THEN ${at}::timestamptz END
    FROM unnest(${ids}::uuid[], ${due}::int[]) AS d(id, percent)
    CROSS JOIN (SELECT * FROM budgets WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND amount = ${amount}::numeric
      AND currency = ${currency} AND converted = ${converted} AND application_id IS NOT DISTINCT FROM ${applicationId}::uuid
      AND environment_id IS NOT DISTINCT FROM ${environmentId}::uuid FOR SHARE) AS b
    ON CONFLICT (tenant_id, budget_id, month, percent) DO NOTHING RETURNING percent`;
  return rows.map(({ percent }) => percent);
}

export interface UnmailedAlert {
  tenantId: string;
  id: string;
  budgetId: string;
  name: string;
  percent: number;
  month: string;
  at: Date;
  applicationId: string | null;
  /** Mails about budgets that the organisation has got today. */
  mailed: number;
}

/**
 * Alerts of which nobody was mailed yet (worker's role): one of each organisation before the second of any, in any order, so that none
 * keeps the others waiting.
 */
export async function selectUnmailed(
  db: Db,
  { today, limit }: { today: Date; limit: number },
): Promise<UnmailedAlert[]> {
  return camelRows<UnmailedAlert>(
    await db.pool.query(
      `SELECT a.tenant_id, a.id, a.budget_id, b.name, a.percent, a.month::text AS month, a.at, b.application_id,
         (SELECT coalesce(sum(m.mails), 0)::int FROM budget_alerts m WHERE m.tenant_id = a.tenant_id AND m.mailed_at >= $1) AS mailed
       FROM budget_alerts a JOIN budgets b ON b.tenant_id = a.tenant_id AND b.id = a.budget_id
       WHERE a.mailed_at IS NULL
       ORDER BY row_number() OVER (PARTITION BY a.tenant_id ORDER BY random()), random() LIMIT $2`,
      [today, limit],
    ),
  );
}

export async function noteMailed(
  tx: Tx,
  tenantId: string,
  id: string,
  { mails, at }: { mails: number; at: Date },
): Promise<void> {
  await tx.budgetAlert.updateMany({ where: { tenantId, id }, data: { mails, mailedAt: at } });
}

/** Organisations with costs on a day, whose costs of that day were not looked at yet (worker's role). */
export async function selectToLookAt(db: Db, day: string, limit: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ tenant_id: string }>(
    `SELECT t.id AS tenant_id FROM tenant_facts t
     WHERE NOT EXISTS (SELECT FROM cost_looks l WHERE l.tenant_id = t.id AND l.day >= $1::date)
       AND EXISTS (SELECT FROM cost_days c WHERE c.tenant_id = t.id AND c.at = $1::date AT TIME ZONE 'UTC')
     ORDER BY random() LIMIT $2`,
    [day, limit],
  );
  return rows.map((row) => row.tenant_id);
}

export interface DaySums {
  environmentId: string;
  applicationId: string;
  unitId: string;
  connectionId: string;
  channel: string;
  country: string;
  currency: string;
  amount: string;
  /** The same weekday, one to four weeks before. */
  before: number[];
}

/**
 * Production costs of a day with those of the same weekday before it, the largest first; none for an organisation that had no costs
 * four weeks before.
 */
export async function selectDaySums(
  db: Db,
  tenantId: string,
  { day, least, limit }: { day: string; least: number; limit: number },
): Promise<DaySums[]> {
  const on = (weeks: number) =>
    `coalesce(sum(c.amount) FILTER (WHERE c.at = ($2::date - ${String(7 * weeks)}) AT TIME ZONE 'UTC'), 0)`;
  return camelRows<DaySums>(
    await db.pool.query(
      `SELECT c.environment_id, c.application_id, c.unit_id, c.connection_id, c.channel, c.country, c.currency, ${on(0)}::text AS amount,
         ARRAY[${[1, 2, 3, 4].map((weeks) => `${on(weeks)}::float8`).join(", ")}] AS before
       FROM cost_days c JOIN environment_facts v ON v.tenant_id = c.tenant_id AND v.id = c.environment_id AND v.kind = 'production'
       WHERE c.tenant_id = $1 AND c.kind = 'message' AND c.at = ANY (
         SELECT ($2::date - 7 * w) AT TIME ZONE 'UTC' FROM generate_series(0, 4) AS w)
         AND EXISTS (SELECT FROM cost_days f WHERE f.tenant_id = $1
           AND f.at >= ($2::date - 35) AT TIME ZONE 'UTC' AND f.at <= ($2::date - 28) AT TIME ZONE 'UTC')
       GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING ${on(0)} >= $3 ORDER BY ${on(0)} DESC LIMIT $4`,
      [tenantId, day, least, limit],
    ),
  );
}

/** Notes that a day was looked at; false when somebody has noted it before. */
export async function noteLook(tx: Tx, tenantId: string, day: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    INSERT INTO cost_looks AS l (tenant_id, day) VALUES (${tenantId}::uuid, ${day}::date)
    ON CONFLICT (tenant_id) DO UPDATE SET day = excluded.day WHERE l.day < excluded.day RETURNING 1`;
  return rows.length > 0;
}

export async function insertAnomalies(tx: Tx, rows: Prisma.CostAnomalyCreateManyInput[]): Promise<void> {
  await tx.costAnomaly.createMany({ data: rows, skipDuplicates: true });
}

/** Deletes what is older than the longest report reaches back (worker's role). */
export async function deleteOld(db: Db, days: number): Promise<void> {
  await db.pool.query("DELETE FROM cost_anomalies WHERE day < current_date - $1::int", [days]);
  await db.pool.query("DELETE FROM budget_alerts WHERE month < current_date - $1::int", [days]);
}

export interface AnomalyRow extends Omit<DaySums, "before"> {
  id: string;
  day: string;
  expected: string;
}

/** Unusual days since one, the newest first. */
export function selectAnomalies(
  ctx: Ctx,
  scopes: Scopes,
  { since, limit }: { since: Date; limit: number },
): Promise<AnomalyRow[]> {
  const where = new Conditions([ctx.tenantId, since], "a.tenant_id = $1", "a.day >= $2::date").within(
    scopes,
    "a",
  );
  return queryInTenant(
    ctx,
    `SELECT a.id, a.day::text AS day, a.environment_id, a.application_id, a.unit_id, a.connection_id, a.channel, a.country,
       a.currency::text AS currency, a.amount::text AS amount, a.expected::text AS expected
     FROM cost_anomalies a WHERE ${where.sql} ORDER BY a.day DESC, a.amount - a.expected DESC LIMIT ${where.bind(limit)}`,
    where.values,
  );
}

export interface PriceRow {
  connectionId: string;
  channel: string;
  country: string;
  currency: string;
  now: string;
  before: string;
  units: number;
  difference: string;
}

/** Prices of the week before `today` that differ from those of the four weeks before it, the dearest first. */
export function selectPriceChanges(
  ctx: Ctx,
  scopes: Scopes,
  of: { today: Date; leastUnits: number; leastShare: number; limit: number },
): Promise<PriceRow[]> {
  const where = new Conditions(
    [ctx.tenantId, of.today],
    "c.tenant_id = $1",
    "c.kind = 'message'",
    `c.connection_id <> '${nobody}'`,
    "c.at >= $2::timestamptz - interval '35 days' AND c.at < $2",
  ).within(scopes, "c");
  const units = "CASE WHEN c.channel = 'sms' AND c.segments > 0 THEN c.segments ELSE c.entries END";
  const [least, share, limit] = [of.leastUnits, of.leastShare, of.limit].map((each) => where.bind(each));
  return queryInTenant(
    ctx,
    `WITH p AS (
       SELECT c.connection_id, c.channel, c.country, c.currency, c.at >= $2::timestamptz - interval '7 days' AS recent,
         sum(c.amount) AS amount, sum(${units}) AS units
       FROM cost_days c WHERE ${where.sql} GROUP BY 1, 2, 3, 4, 5 HAVING sum(${units}) >= ${least ?? ""}
     )
     SELECT n.connection_id, n.channel, n.country, n.currency, round(n.amount / n.units, 6)::text AS now,
       round(o.amount / o.units, 6)::text AS before, n.units::float8 AS units,
       round(n.amount - o.amount / o.units * n.units, 6)::text AS difference
     FROM p n JOIN p o ON (o.connection_id, o.channel, o.country, o.currency) = (n.connection_id, n.channel, n.country, n.currency)
       AND NOT o.recent
     WHERE n.recent AND abs(n.amount / n.units - o.amount / o.units) > ${share ?? ""}::numeric * o.amount / o.units
     ORDER BY n.amount - o.amount / o.units * n.units DESC, 1, 2, 3, 4 LIMIT ${limit ?? ""}`,
    where.values,
  );
}

export interface StatementRow {
  applicationId: string;
  connectionId: string;
  channel: string;
  country: string;
  currency: string;
  messages: number;
  segments: number;
  reported: string;
  estimated: string;
  platformFees: string;
  total: string;
  own: string | null;
}

/**
 * A month by application, provider, channel and country, the largest first; and its sums by currency. Both from one reading.
 * Lines beyond `limit` are added up, without names, in one for each currency: `folded` says how many.
 */
export function selectStatement(
  ctx: Ctx,
  scopes: Scopes,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<(StatementRow & { part: "line" | "rest" | "total"; folded: number })[]> {
  const where = new Conditions(
    [ctx.tenantId, from, to],
    "c.tenant_id = $1",
    "c.at >= $2 AND c.at < $3",
  ).within(scopes, "c");
  const most = where.bind(limit);
  const sums = `sum(messages)::float8 AS messages, sum(segments)::float8 AS segments, sum(reported)::text AS reported,
    sum(estimated)::text AS estimated, sum(fees)::text AS platform_fees, sum(total)::text AS total,
    CASE WHEN bool_and(own IS NOT NULL) THEN round(sum(own), 6)::text END AS own`;
  return queryInTenant(
    ctx,
    `WITH days AS (
       SELECT c.application_id, c.connection_id, c.channel, c.country, c.currency, (c.at AT TIME ZONE 'UTC')::date AS day,
         coalesce(sum(c.entries) FILTER (WHERE c.kind = 'message'), 0) AS messages,
         coalesce(sum(c.segments) FILTER (WHERE c.kind = 'message'), 0) AS segments,
         coalesce(sum(c.amount) FILTER (WHERE c.kind = 'message' AND c.source = 'reported'), 0) AS reported,
         coalesce(sum(c.amount) FILTER (WHERE c.kind = 'message' AND c.source = 'estimated'), 0) AS estimated,
         coalesce(sum(c.amount) FILTER (WHERE c.kind = 'platform_fee'), 0) AS fees, sum(c.amount) AS total
       FROM cost_days c WHERE ${where.sql} GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(c.entries) <> 0 OR sum(c.amount) <> 0
     ), rates AS (
       SELECT currency, day, own_rate($1, currency, day) AS rate FROM (SELECT DISTINCT currency, day FROM days) AS d
     ), lines AS (
       SELECT application_id, connection_id, channel, country, currency, sum(messages) AS messages, sum(segments) AS segments,
         sum(reported) AS reported, sum(estimated) AS estimated, sum(fees) AS fees, sum(total) AS total,
         CASE WHEN bool_and(rate IS NOT NULL OR total = 0) THEN coalesce(sum(total * rate), 0) END AS own,
         row_number() OVER (ORDER BY sum(total) DESC, application_id, connection_id, channel, country, currency) AS place
       FROM days JOIN rates USING (currency, day) GROUP BY 1, 2, 3, 4, 5
     )
     SELECT 'total' AS part, NULL::uuid AS application_id, NULL::uuid AS connection_id, '' AS channel, '' AS country, currency, 0 AS folded, ${sums}
     FROM lines GROUP BY currency
     UNION ALL
     SELECT 'rest', NULL, NULL, '', '', currency, count(*)::int, ${sums} FROM lines WHERE place > ${most} GROUP BY currency
     UNION ALL
     SELECT 'line', application_id, connection_id, channel, country, currency, 0, ${sums} FROM lines WHERE place <= ${most}
     GROUP BY application_id, connection_id, channel, country, currency`,
    where.values,
  );
}

/** The rates to the own currency by which costs of a month are read, and from when to when. */
export function selectRates(
  ctx: Ctx,
  currencies: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<{ currency: string; rate: string; from: string; to: string }[]> {
  return queryInTenant(
    ctx,
    `WITH d AS (
       SELECT c AS currency, day::date AS day, own_rate($1, c, day::date) AS rate
       FROM unnest($2::text[]) AS c, generate_series($3::date, $4::date - 1, interval '1 day') AS day
     ), g AS (SELECT *, day - (row_number() OVER (PARTITION BY currency, rate ORDER BY day))::int AS run FROM d WHERE rate IS NOT NULL)
     SELECT currency, trim_scale(rate)::text AS rate, min(day)::text AS from, max(day)::text AS to FROM g
     GROUP BY currency, rate, run ORDER BY currency, min(day) LIMIT 500`,
    [ctx.tenantId, currencies, from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)],
  );
}
