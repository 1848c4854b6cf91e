import type pg from "pg";
import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Minutes } from "./burn.ts";
import type { ObjectiveKind, ObjectiveSettings, StatusPageSettings } from "./schemas.ts";
import type { IncidentState } from "./vocabulary.ts";
import { defaultObjectives } from "./schemas.ts";

/** Writes what a process counted, and that it is there. */
export async function noteAnswers(
  db: Db,
  processId: string,
  rows: readonly { tenantId: string; minute: number; good: number; missed: number }[],
): Promise<void> {
  // A connection that is gone without a word must not keep the next turn from coming.
  const statement: pg.QueryConfig & { query_timeout: number } = {
    name: "note_answers",
    text: "SELECT note_answers($1, $2, $3, $4, $5)",
    query_timeout: 15_000,
    values: [
      processId,
      rows.map((row) => row.tenantId),
      rows.map((row) => new Date(row.minute)),
      rows.map((row) => row.good),
      rows.map((row) => row.missed),
    ],
  };
  await db.pool.query(statement);
}

const settingsColumns = `coalesce(s.availability_target, ${String(defaultObjectives.availabilityTarget)})::float8 AS availability_target,
  coalesce(s.codes_target, ${String(defaultObjectives.codesTarget)})::float8 AS codes_target,
  coalesce(s.codes_seconds, ${String(defaultObjectives.codesSeconds)}) AS codes_seconds`;

export async function selectSettings(ctx: Ctx): Promise<ObjectiveSettings> {
  const [row] = await queryInTenant<ObjectiveSettings>(
    ctx,
    `SELECT ${settingsColumns} FROM (SELECT $1::uuid AS id) AS t LEFT JOIN objective_settings s ON s.tenant_id = t.id`,
    [ctx.tenantId],
  );
  return row ?? defaultObjectives;
}

/** Writes what differs from `before`: what somebody else is changing at the same time stays theirs. */
export async function storeSettings(
  tx: Tx,
  tenantId: string,
  before: ObjectiveSettings,
  change: Partial<ObjectiveSettings> & { changedAt: Date },
): Promise<void> {
  await tx.objectiveSettings.upsert({
    where: { tenantId },
    create: { tenantId, ...before, ...change },
    update: change,
  });
}

/** The last step of latencies that lies within a number of seconds, of which there is an SQL expression. */
const stepOf = (seconds: string) => `floor(4 * ln(${seconds} * 1000.0) / ln(2.0) + 1e-9)::int`;
/** How long a latency of that step is at most, in seconds. */
export const measuredSeconds = (seconds: number) =>
  2 ** (Math.floor(4 * Math.log2(seconds * 1_000) + 1e-9) / 4) / 1_000;

/**
 * One-time codes by hour or day: `good` left within so many seconds ($seconds), `missed` later, or never by our or a provider's fault.
 * A failure after a code had left is no miss; what a person canceled or a recipient's own choice rejected counts nowhere.
 */
const codes = (grain: "hour" | "day", where: string, seconds: string) => `
  SELECT tenant_id, at, good, sent - good + greatest(0, least(ended, accepted - sent - aside)) AS missed FROM (
    SELECT c.tenant_id, c.at, sum(c.accepted) AS accepted, sum(c.sent) AS sent, sum(c.failed + c.expired + c.undetermined) AS ended,
      sum(c.rejected + c.canceled) AS aside, sum(coalesce(g.good, 0)) AS good
    FROM type_volumes c CROSS JOIN LATERAL (
      SELECT sum(entry & 1099511627775) AS good FROM unnest(c.sent_ms) AS entry WHERE (entry >> 40) <= ${stepOf(seconds)}
    ) AS g
    WHERE c.grain = '${grain}' AND c.class = 'authentication' AND ${where} GROUP BY 1, 2
  ) AS sums`;

/** Times without a web process, the one that lasts with them. */
const gaps = `(SELECT began_at, ended_at FROM web_gaps UNION ALL
  SELECT seen_at, $1::timestamptz FROM web_presence WHERE seen_at < $1::timestamptz - interval '1 minute')`;

export interface DayRow {
  day: string;
  good: number;
  missed: number;
  downMs: number;
  lengthMs: number;
}

/** Since when web processes are seen; null: never yet. */
export async function selectSince(db: Db): Promise<Date | null> {
  const { rows } = await db.pool.query<{ since: Date }>("SELECT since FROM web_presence WHERE id = 1");
  return rows[0]?.since ?? null;
}

/** Days (UTC) from `from` to now: answers to send requests, and how long no process was there to give any. */
export function selectAnswerDays(ctx: Ctx, from: Date): Promise<DayRow[]> {
  return queryInTenant(
    ctx,
    `SELECT (d.day AT TIME ZONE 'UTC')::date::text AS day, coalesce(a.good, 0)::float8 AS good, coalesce(a.missed, 0)::float8 AS missed,
       coalesce(g.down_ms, 0)::float8 AS down_ms, greatest(0, extract(epoch FROM least(d.day + interval '24 hours', $1) - greatest(d.day, $2)) * 1000)::float8 AS length_ms
     FROM (SELECT s AT TIME ZONE 'UTC' AS day FROM generate_series(date_trunc('day', $2::timestamptz AT TIME ZONE 'UTC'), $1::timestamptz AT TIME ZONE 'UTC', interval '1 day') AS s) AS d
     LEFT JOIN (
       SELECT date_trunc('day', at, 'UTC') AS day, sum(good) AS good, sum(missed) AS missed FROM answer_counts
       WHERE tenant_id = $3 AND at >= date_trunc('day', $2::timestamptz, 'UTC') GROUP BY 1
     ) AS a ON a.day = d.day
     LEFT JOIN LATERAL (
       SELECT sum(extract(epoch FROM least(g.ended_at, d.day + interval '24 hours') - greatest(g.began_at, d.day, $2)) * 1000) AS down_ms
       FROM ${gaps} AS g WHERE g.began_at < d.day + interval '24 hours' AND g.ended_at > greatest(d.day, $2)
     ) AS g ON true
     ORDER BY d.day`,
    [ctx.now(), from, ctx.tenantId],
  );
}

/** The same of one-time codes, without days on which there were none. */
export function selectCodeDays(ctx: Ctx, from: Date, seconds: number): Promise<DayRow[]> {
  return queryInTenant(
    ctx,
    `SELECT (at AT TIME ZONE 'UTC')::date::text AS day, good::float8 AS good, missed::float8 AS missed, 0::float8 AS down_ms, 0::float8 AS length_ms
     FROM (${codes("day", "c.tenant_id = $1 AND c.at >= date_trunc('day', $2::timestamptz, 'UTC')", "$3::int")}) AS c
     WHERE good + missed > 0 ORDER BY at`,
    [ctx.tenantId, from, seconds],
  );
}

export interface WindowRow {
  tenantId: string;
  objective: ObjectiveKind;
  minutes: Minutes;
  good: number;
  missed: number;
}

const windows = "(VALUES (5), (30), (60), (360)) AS w(minutes)";

/** What the last minutes came to. $1 now, $2 the organisations. */
const windowSums = `
  SELECT a.tenant_id, 'availability' AS objective, w.minutes, sum(a.good)::float8 AS good, sum(a.missed)::float8 AS missed
  FROM answer_counts a JOIN ${windows} ON a.at > $1::timestamptz - make_interval(mins => w.minutes)
  WHERE a.tenant_id = ANY ($2::uuid[]) AND a.at > $1::timestamptz - interval '6 hours' GROUP BY 1, 2, 3
  UNION ALL
  SELECT n.tenant_id, 'codes', w.minutes, sum(greatest(0, n.good - coalesce(m.good, 0)))::float8,
    sum(greatest(0, n.missed - coalesce(m.missed, 0)))::float8
  FROM (SELECT c.*, t.seconds FROM (SELECT t.id, ${settingsColumns.replace("AS codes_seconds", "AS seconds")} FROM unnest($2::uuid[]) AS t(id)
      LEFT JOIN objective_settings s ON s.tenant_id = t.id) AS t
    CROSS JOIN LATERAL (${codes("hour", "c.tenant_id = t.id AND c.at > $1::timestamptz - interval '8 hours'", "t.seconds")}) AS c) AS n
  CROSS JOIN ${windows}
  LEFT JOIN LATERAL (
    SELECT good, missed FROM code_marks k WHERE k.tenant_id = n.tenant_id AND k.hour = n.at
      AND k.seen_at <= $1::timestamptz - make_interval(mins => w.minutes) ORDER BY k.seen_at DESC LIMIT 1
  ) AS m ON true
  GROUP BY 1, 2, 3`;

export function selectOwnWindows(ctx: Ctx): Promise<WindowRow[]> {
  return queryInTenant(ctx, windowSums, [ctx.now(), [ctx.tenantId]]);
}

/** The same of some organisations (worker's role). */
export async function selectWindows(db: Db, now: Date, tenants: readonly string[]): Promise<WindowRow[]> {
  return camelRows<WindowRow>(await db.pool.query(windowSums, [now, tenants]));
}

/** For how long no web process was there in the last minutes, ms. */
export async function selectDown(db: Db, now: Date): Promise<Map<Minutes, number>> {
  const { rows } = await db.pool.query<{ minutes: Minutes; down: number }>(
    `SELECT w.minutes, coalesce(sum(extract(epoch FROM least(g.ended_at, $1) - greatest(g.began_at, $1::timestamptz - make_interval(mins => w.minutes))) * 1000)
       FILTER (WHERE g.ended_at IS NOT NULL), 0)::float8 AS down
     FROM ${windows} LEFT JOIN ${gaps} AS g ON g.ended_at > $1::timestamptz - make_interval(mins => w.minutes) AND g.began_at < $1 GROUP BY 1`,
    [now],
  );
  return new Map(rows.map(({ minutes, down }) => [minutes, down]));
}

/** Marks what the codes of the last hours have come to, where that has changed (worker's role). */
export async function markCodes(db: Db, now: Date): Promise<void> {
  await db.pool.query(
    `INSERT INTO code_marks (tenant_id, hour, seen_at, good, missed)
     SELECT n.tenant_id, n.at, $1, n.good, n.missed
     FROM (SELECT tenant_id FROM type_volumes WHERE grain = 'hour' AND class = 'authentication' AND at > $1::timestamptz - interval '8 hours'
         AND tenant_id IN (SELECT id FROM tenant_facts) GROUP BY 1) AS active
     JOIN LATERAL (SELECT ${settingsColumns} FROM (SELECT 1) AS one LEFT JOIN objective_settings s ON s.tenant_id = active.tenant_id) AS t ON true
     CROSS JOIN LATERAL (${codes("hour", "c.tenant_id = active.tenant_id AND c.at > $1::timestamptz - interval '8 hours'", "t.codes_seconds")}) AS n
     LEFT JOIN LATERAL (
       SELECT good, missed FROM code_marks k WHERE k.tenant_id = n.tenant_id AND k.hour = n.at ORDER BY k.seen_at DESC LIMIT 1
     ) AS k ON true
     WHERE (n.good, n.missed) IS DISTINCT FROM (k.good, k.missed)
     ON CONFLICT DO NOTHING`,
    [now],
  );
}

/** Another limit counts from now on: what the last hours came to by it is no news. */
export async function markAnew(
  tx: Tx,
  tenantId: string,
  { now, seconds }: { now: Date; seconds: number },
): Promise<void> {
  await tx.$executeRaw`DELETE FROM code_marks WHERE tenant_id = ${tenantId}::uuid`;
  await tx.$executeRawUnsafe(
    `INSERT INTO code_marks (tenant_id, hour, seen_at, good, missed)
     SELECT tenant_id, at, $2::timestamptz - interval '6 hours', good, missed
     FROM (${codes("hour", "c.tenant_id = $1::uuid AND c.at > $2::timestamptz - interval '8 hours'", "$3::int")}) AS n`,
    tenantId,
    now,
    seconds,
  );
}

export interface Candidate extends ObjectiveSettings {
  tenantId: string;
}

/**
 * Organisations whose budgets may burn, or whose alerts may end, by id after another (worker's role). `down`: there was a time without
 * a web process, which counts for everybody who sends.
 */
export async function selectCandidates(
  db: Db,
  { now, after, down, limit }: { now: Date; after: string; down: boolean; limit: number },
): Promise<Candidate[]> {
  return camelRows<Candidate>(
    await db.pool.query(
      `SELECT t.tenant_id, ${settingsColumns} FROM (
         SELECT tenant_id FROM answer_counts WHERE missed > 0 AND at > $1::timestamptz - interval '6 hours'
         UNION SELECT tenant_id FROM code_marks WHERE missed > 0 AND seen_at > $1::timestamptz - interval '7 hours'
         UNION SELECT tenant_id FROM objective_alerts WHERE ended_at IS NULL
         UNION SELECT tenant_id FROM answer_counts WHERE $3 AND at > $1::timestamptz - interval '30 days'
       ) AS t LEFT JOIN objective_settings s ON s.tenant_id = t.tenant_id
       WHERE t.tenant_id > $2 AND t.tenant_id IN (SELECT id FROM tenant_facts) ORDER BY t.tenant_id LIMIT $4`,
      [now, after, down, limit],
    ),
  );
}

export interface OpenAlert {
  tenantId: string;
  id: string;
  objective: ObjectiveKind;
}

/** Alerts that have not ended (worker's role). */
export async function selectOpenAlerts(db: Db, tenants: readonly string[]): Promise<OpenAlert[]> {
  return camelRows<OpenAlert>(
    await db.pool.query(
      "SELECT tenant_id, id, objective FROM objective_alerts WHERE tenant_id = ANY ($1::uuid[]) AND ended_at IS NULL",
      [tenants],
    ),
  );
}

/** Opens an alert; false: there is one. */
export async function insertAlert(
  tx: Tx,
  row: { tenantId: string; id: string; objective: ObjectiveKind; speed: string; burn: number; at: Date },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO objective_alerts (tenant_id, id, objective, speed, began_at, burn)
    VALUES (${row.tenantId}::uuid, ${row.id}::uuid, ${row.objective}, ${row.speed}, ${row.at}, least(${row.burn}::float8, 99999999)::numeric)
    ON CONFLICT DO NOTHING`;
  return count > 0;
}

/** Ends an alert; false: it has ended. */
export async function endAlert(tx: Tx, tenantId: string, id: string, at: Date): Promise<boolean> {
  const { count } = await tx.objectiveAlert.updateMany({
    where: { tenantId, id, endedAt: null },
    data: { endedAt: at },
  });
  return count > 0;
}

export interface UnmailedAlert extends OpenAlert {
  /** When it began, or ended. */
  at: Date;
  /** What is to be mailed. */
  ended: boolean;
}

/**
 * Alerts, or ends of them, of which nobody was mailed yet: one of each organisation before the second of any, in any order; what is a
 * day old is no news (worker's role).
 */
export async function selectUnmailed(db: Db, limit: number): Promise<UnmailedAlert[]> {
  return camelRows<UnmailedAlert>(
    await db.pool.query(
      `SELECT tenant_id, id, objective, CASE WHEN mailed_at IS NULL THEN began_at ELSE ended_at END AS at, mailed_at IS NOT NULL AS ended
       FROM objective_alerts
       WHERE (mailed_at IS NULL OR (ended_at IS NOT NULL AND end_mailed_at IS NULL)) AND coalesce(ended_at, began_at) > now() - interval '1 day'
       ORDER BY row_number() OVER (PARTITION BY tenant_id ORDER BY began_at, id), random() LIMIT $1`,
      [limit],
    ),
  );
}

export async function noteMailed(tx: Tx, { tenantId, id, ended }: UnmailedAlert, at: Date): Promise<void> {
  await tx.objectiveAlert.updateMany({
    where: { tenantId, id },
    data: ended ? { endMailedAt: at } : { mailedAt: at },
  });
}

export interface AlertRow {
  id: string;
  objective: ObjectiveKind;
  speed: "fast" | "slow";
  beganAt: Date;
  endedAt: Date | null;
  burn: number;
}

/** The newest alerts. */
export function selectAlerts(ctx: Ctx, limit: number): Promise<AlertRow[]> {
  return queryInTenant(
    ctx,
    `SELECT id, objective, speed, began_at, ended_at, burn::float8 AS burn FROM objective_alerts
     WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2`,
    [ctx.tenantId, limit],
  );
}

/** Sums up minutes by the hour once nobody asks for minutes, and deletes what no page shows any more (worker's role). */
export async function foldAndPurge(db: Db, now: Date): Promise<void> {
  await db.pool.query(
    `WITH old AS (
       DELETE FROM answer_counts WHERE at < date_trunc('hour', $1::timestamptz - interval '8 hours', 'UTC')
         AND process_id <> '00000000-0000-0000-0000-000000000000' RETURNING *
     )
     INSERT INTO answer_counts AS c (tenant_id, at, process_id, good, missed)
     SELECT tenant_id, date_trunc('hour', at, 'UTC'), '00000000-0000-0000-0000-000000000000', sum(good), sum(missed) FROM old GROUP BY 1, 2
     ON CONFLICT (tenant_id, at, process_id) DO UPDATE SET good = c.good + excluded.good, missed = c.missed + excluded.missed`,
    [now],
  );
  for (const statement of [
    "DELETE FROM answer_counts WHERE at < $1::timestamptz - interval '100 days'",
    "DELETE FROM code_marks WHERE seen_at < $1::timestamptz - interval '16 hours'",
    "DELETE FROM web_gaps WHERE ended_at < $1::timestamptz - interval '100 days'",
    "DELETE FROM objective_alerts WHERE ended_at < $1::timestamptz - interval '400 days'",
    "DELETE FROM status_incidents WHERE resolved_at < $1::timestamptz - interval '400 days'",
  ])
    await db.pool.query(statement, [now]);
}

export async function selectStatusPage(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<StatusPageSettings | null> {
  const [row] = await queryInTenant<StatusPageSettings>(
    ctx,
    "SELECT slug, published, figures, automatic FROM status_pages WHERE tenant_id = $1",
    [ctx.tenantId],
  );
  return row ?? null;
}

/** Writes the page's settings anew; false: another organisation has the address. */
export async function storeStatusPage(
  tx: Tx,
  tenantId: string,
  page: StatusPageSettings & { changedAt: Date },
): Promise<boolean> {
  await tx.statusPage.deleteMany({ where: { tenantId } });
  const count = await tx.$executeRaw`
    INSERT INTO status_pages (tenant_id, slug, published, figures, automatic, changed_at)
    VALUES (${tenantId}::uuid, ${page.slug}, ${page.published}, ${page.figures}, ${page.automatic}, ${page.changedAt})
    ON CONFLICT DO NOTHING`;
  return count > 0;
}

/** The addresses of all pages that anybody may see. */
export async function selectPublished(db: Db): Promise<{ slug: string; tenantId: string }[]> {
  return camelRows(await db.pool.query("SELECT slug, tenant_id FROM published_status_pages()"));
}

export interface IncidentRow {
  id: string;
  title: string;
  state: IncidentState;
  automatic: boolean;
  beganAt: Date;
  resolvedAt: Date | null;
  updates: { id: string; state: IncidentState; text: string; at: string }[];
}

/** Incidents: the open ones first, then the newest, each with its newest updates. */
export function selectIncidents(
  ctx: Pick<Ctx, "db" | "tenantId">,
  { since, limit, updates }: { since: Date; limit: number; updates: number },
): Promise<IncidentRow[]> {
  return queryInTenant(
    ctx,
    `SELECT i.id, i.title, i.state, i.alert_id IS NOT NULL AS automatic, i.began_at, i.resolved_at, u.updates
     FROM status_incidents i CROSS JOIN LATERAL (
       SELECT coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'state', n.state, 'text', n.text, 'at', to_char(n.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY n.id DESC), '[]') AS updates
       FROM (SELECT * FROM status_updates s WHERE s.tenant_id = $1 AND s.incident_id = i.id ORDER BY s.id DESC LIMIT $4) AS n
     ) AS u
     WHERE i.tenant_id = $1 AND (i.resolved_at IS NULL OR i.began_at >= $2)
     ORDER BY i.resolved_at IS NOT NULL, i.began_at DESC, i.id DESC LIMIT $3`,
    [ctx.tenantId, since, limit, updates],
  );
}

/** Locks the organisation's incidents against a second change at a time; how many there are. */
export async function lockIncidents(tx: Tx, tenantId: string): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('incidents ' || ${tenantId}, 0))`;
  return tx.statusIncident.count({ where: { tenantId } });
}

export async function insertIncident(
  tx: Tx,
  row: {
    tenantId: string;
    id: string;
    title: string;
    state: IncidentState;
    alertId: string | null;
    at: Date;
  },
): Promise<void> {
  const { at, ...data } = row;
  await tx.statusIncident.create({
    data: { ...data, beganAt: at, resolvedAt: row.state === "resolved" ? at : null },
  });
}

export async function insertUpdate(
  tx: Tx,
  row: { tenantId: string; id: string; incidentId: string; state: IncidentState; text: string; at: Date },
): Promise<void> {
  await tx.statusUpdate.create({ data: row });
}

export async function findIncident(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ id: string; title: string; state: IncidentState; updates: number } | null> {
  const row = await tx.statusIncident.findUnique({
    where: { tenantId_id: { tenantId, id } },
    include: { _count: { select: { updates: true } } },
  });
  return row && { id, title: row.title, state: row.state as IncidentState, updates: row._count.updates };
}

/** The open incident that an alert opened. */
export async function findIncidentOf(tx: Tx, tenantId: string, alertId: string): Promise<string | null> {
  const row = await tx.statusIncident.findFirst({ where: { tenantId, alertId, resolvedAt: null } });
  return row?.id ?? null;
}

export async function setIncidentState(
  tx: Tx,
  tenantId: string,
  id: string,
  { state, at }: { state: IncidentState; at: Date },
): Promise<void> {
  await tx.statusIncident.update({
    where: { tenantId_id: { tenantId, id } },
    data: { state, resolvedAt: state === "resolved" ? at : null },
  });
}

export async function deleteIncident(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.statusIncident.delete({ where: { tenantId_id: { tenantId, id } } });
}

/** The settings of a page, in the transaction of an alert. */
export async function findStatusPage(tx: Tx, tenantId: string): Promise<StatusPageSettings | null> {
  return tx.statusPage.findUnique({
    where: { tenantId },
    select: { slug: true, published: true, figures: true, automatic: true },
  });
}
