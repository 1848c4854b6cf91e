import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Prisma, Tx } from "../kernel/db.ts";
import type { Rhythm } from "./schemas.ts";
import type { ViewPage } from "./vocabulary.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

export interface ViewRow {
  id: string;
  page: ViewPage;
  name: string;
  query: string;
  shared: boolean;
  userId: string;
  userName: string;
  updatedAt: Date;
  /** Scheduled reports of it, and how many of them are scheduled by others than its maker. */
  reports: number;
  reportsOfOthers: number;
}

const viewColumns = `v.id, v.page, v.name, v.query, v.shared, v.user_id, v.user_name, v.updated_at, r.reports, r.reports_of_others`;
const viewsWithReports = `saved_views v CROSS JOIN LATERAL (
       SELECT count(*)::int AS reports, count(*) FILTER (WHERE s.created_by_id <> v.user_id)::int AS reports_of_others
       FROM report_schedules s WHERE s.tenant_id = v.tenant_id AND s.view_id = v.id) AS r`;
/** Whether whoever scheduled a report still has its view. */
const available = "(v.shared OR v.user_id = s.created_by_id)";

/** Somebody's own views of a page and those that are shared, by name. Their number is bounded. */
export function selectViews(ctx: Reader, page: ViewPage, userId: string): Promise<ViewRow[]> {
  return queryInTenant<ViewRow>(
    ctx,
    `SELECT ${viewColumns} FROM ${viewsWithReports}
     WHERE v.tenant_id = $1 AND v.page = $2 AND (v.shared OR v.user_id = $3)
     ORDER BY v.shared, lower(v.name), v.id LIMIT 500`,
    [ctx.tenantId, page, userId],
  );
}

export async function selectView(ctx: Reader, id: string): Promise<ViewRow | undefined> {
  const rows = await queryInTenant<ViewRow>(
    ctx,
    `SELECT ${viewColumns} FROM ${viewsWithReports} WHERE v.tenant_id = $1 AND v.id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

/** How many views there are; nobody adds or shares one until the transaction ends. */
export async function countViews(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<{ own: number; shared: number }> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`saved views ${tenantId}`}, 0))`;
  const [own, shared] = [
    await tx.savedView.count({ where: { tenantId, userId } }),
    await tx.savedView.count({ where: { tenantId, shared: true } }),
  ];
  return { own, shared };
}

export async function hasView(
  tx: Tx,
  where: { tenantId: string; userId: string; page: string; name: string; but?: string },
): Promise<boolean> {
  const { but, ...same } = where;
  const found = await tx.savedView.findFirst({
    where: { ...same, ...(but === undefined ? {} : { id: { not: but } }) },
    select: { id: true },
  });
  return found !== null;
}

export async function insertView(tx: Tx, row: Prisma.SavedViewUncheckedCreateInput): Promise<void> {
  await tx.savedView.create({ data: row, select: { id: true } });
}

export async function updateView(
  tx: Tx,
  tenantId: string,
  id: string,
  change: Prisma.SavedViewUncheckedUpdateInput,
): Promise<void> {
  await tx.savedView.update({
    where: { tenantId_id: { tenantId, id } },
    data: change,
    select: { id: true },
  });
}

/** Who has scheduled reports of a view, apart from these people. Their number is bounded. */
export async function selectSchedulers(
  tx: Tx,
  tenantId: string,
  viewId: string,
  but: readonly string[],
): Promise<string[]> {
  const rows = await tx.reportSchedule.findMany({
    where: { tenantId, viewId, createdById: { notIn: [...but] } },
    distinct: ["createdById"],
    select: { createdById: true },
    take: 1_000,
  });
  return rows.map(({ createdById }) => createdById);
}

/** With the mails about it. */
export async function deleteView(tx: Tx, tenantId: string, id: string): Promise<void> {
  const schedules = await tx.reportSchedule.findMany({
    where: { tenantId, viewId: id },
    select: { id: true },
    take: 1_000,
  });
  for (const schedule of schedules) await deleteSchedule(tx, tenantId, schedule.id);
  await tx.savedView.delete({ where: { tenantId_id: { tenantId, id } }, select: { id: true } });
}

export interface ScheduleRow {
  id: string;
  viewId: string;
  rhythm: Rhythm;
  day: number | null;
  hour: number;
  timeZone: string;
  recipients: string[];
  createdById: string;
  createdBy: string;
  nextAt: Date | null;
}

const scheduleColumns =
  "s.id, s.view_id, s.rhythm, s.day, s.hour, s.time_zone, s.recipients, s.created_by_id, s.created_by, s.next_at";

/** An organisation's schedules with their views; their number is bounded. */
export function selectSchedules(ctx: Reader): Promise<
  (ScheduleRow & {
    page: ViewPage;
    viewName: string;
    query: string;
    available: boolean;
    people: { id: string; name: string }[];
  })[]
> {
  return queryInTenant(
    ctx,
    `SELECT ${scheduleColumns}, v.page, v.name AS view_name, v.query, ${available} AS available,
       coalesce((SELECT jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name) ORDER BY m.name)
                 FROM member_facts m WHERE m.tenant_id = s.tenant_id AND m.id = ANY (s.recipients)), '[]') AS people
     FROM report_schedules s JOIN saved_views v ON v.tenant_id = s.tenant_id AND v.id = s.view_id
     WHERE s.tenant_id = $1 ORDER BY s.id DESC LIMIT 500`,
    [ctx.tenantId],
  );
}

export async function selectSchedule(ctx: Reader, id: string): Promise<ScheduleRow | undefined> {
  const rows = await queryInTenant<ScheduleRow>(
    ctx,
    `SELECT ${scheduleColumns} FROM report_schedules s WHERE s.tenant_id = $1 AND s.id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

/** A schedule as it is now; nobody else changes it until the transaction ends. */
export async function lockSchedule(tx: Tx, tenantId: string, id: string): Promise<ScheduleRow | null> {
  await tx.$executeRaw`
    SELECT 1 FROM report_schedules WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  const row = await tx.reportSchedule.findUnique({ where: { tenantId_id: { tenantId, id } } });
  return row && { ...row, rhythm: row.rhythm as Rhythm };
}

export interface SendRow {
  id: string;
  scheduleId: string;
  userId: string;
  name: string | null;
  dueAt: Date;
  state: "waiting" | "sent" | "skipped" | "failed";
  attempts: number;
  problem: string | null;
  notificationId: string | null;
  /** Of the message that it became. */
  messageStatus: string | null;
  nextAt: Date | null;
}

/** The mails of the last time that each of these schedules was due. */
export function selectLastSends(ctx: Reader, scheduleIds: readonly string[]): Promise<SendRow[]> {
  return queryInTenant<SendRow>(
    ctx,
    `SELECT r.id, r.schedule_id, r.user_id, m.name, r.due_at, r.state, r.attempts, r.problem, r.notification_id, n.status AS message_status,
       r.next_at
     FROM unnest($2::uuid[]) AS w(id)
     CROSS JOIN LATERAL (SELECT max(due_at) AS at FROM report_sends WHERE tenant_id = $1 AND schedule_id = w.id) AS l
     JOIN report_sends r ON r.tenant_id = $1 AND r.schedule_id = w.id AND r.due_at = l.at
     LEFT JOIN member_facts m ON m.tenant_id = r.tenant_id AND m.id = r.user_id
     LEFT JOIN notification_facts n ON n.tenant_id = r.tenant_id AND n.id = r.notification_id
     ORDER BY m.name, r.id LIMIT 10000`,
    [ctx.tenantId, scheduleIds],
  );
}

export async function countSchedules(tx: Tx, tenantId: string): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`report schedules ${tenantId}`}, 0))`;
  return tx.reportSchedule.count({ where: { tenantId } });
}

/** Whether the database knows what clocks of a time zone say; it need not have all that the browser has. */
export async function knowsZone(ctx: Reader, timeZone: string): Promise<boolean> {
  const rows = await queryInTenant(
    ctx,
    "SELECT FROM pg_timezone_names WHERE lower(name) = lower($1) LIMIT 1",
    [timeZone],
  );
  return rows.length > 0;
}

/** The first moment after another one at which a schedule is due, as clocks in its time zone say. */
export async function nextOf(
  tx: Tx,
  schedule: Pick<ScheduleRow, "rhythm" | "day" | "hour" | "timeZone">,
  after: Date,
): Promise<Date> {
  const { rhythm, day, hour, timeZone } = schedule;
  const rows = await tx.$queryRaw<{ at: Date }[]>`
    SELECT min(c.at) AS at FROM (
      SELECT (d + make_interval(hours => ${hour}::int)) AT TIME ZONE ${timeZone} AS at
      FROM generate_series(date_trunc('day', ${after}::timestamptz AT TIME ZONE ${timeZone}),
        date_trunc('day', ${after}::timestamptz AT TIME ZONE ${timeZone}) + interval '40 days', interval '1 day') AS d
      WHERE CASE ${rhythm} WHEN 'weekly' THEN extract(isodow FROM d) = ${day}::int
                           WHEN 'monthly' THEN extract(day FROM d) = ${day}::int ELSE true END
    ) AS c WHERE c.at > ${after}::timestamptz`;
  const at = rows[0]?.at;
  if (!at) throw new Error("a schedule is never due");
  return at;
}

/** The last moment up to another one at which a schedule was due, of the 40 days before it. */
export async function lastOf(
  tx: Tx,
  schedule: Pick<ScheduleRow, "rhythm" | "day" | "hour" | "timeZone">,
  until: Date,
): Promise<Date | null> {
  const { rhythm, day, hour, timeZone } = schedule;
  const rows = await tx.$queryRaw<{ at: Date | null }[]>`
    SELECT max(c.at) AS at FROM (
      SELECT (d + make_interval(hours => ${hour}::int)) AT TIME ZONE ${timeZone} AS at
      FROM generate_series(date_trunc('day', ${until}::timestamptz AT TIME ZONE ${timeZone}) - interval '40 days',
        date_trunc('day', ${until}::timestamptz AT TIME ZONE ${timeZone}), interval '1 day') AS d
      WHERE CASE ${rhythm} WHEN 'weekly' THEN extract(isodow FROM d) = ${day}::int
                           WHEN 'monthly' THEN extract(day FROM d) = ${day}::int ELSE true END
    ) AS c WHERE c.at <= ${until}::timestamptz`;
  return rows[0]?.at ?? null;
}

/** The days that a report of this moment is about, up to midnight before it in its time zone; `before`: where the ones before them begin. */
export async function periodOf(
  ctx: Reader,
  schedule: Pick<ScheduleRow, "rhythm" | "timeZone">,
  dueAt: Date,
): Promise<{ before: Date; from: Date; to: Date; first: string; last: string }> {
  const rows = await queryInTenant<{ before: Date; from: Date; to: Date; first: string; last: string }>(
    ctx,
    `SELECT (e - 2 * w) AT TIME ZONE $2 AS before, (e - w) AT TIME ZONE $2 AS "from", e AT TIME ZONE $2 AS "to",
       to_char(e - w, 'FMDD Mon YYYY') AS first, to_char(e - interval '1 day', 'FMDD Mon YYYY') AS last
     FROM (SELECT date_trunc('day', $1::timestamptz AT TIME ZONE $2) AS e,
             CASE $3 WHEN 'weekly' THEN interval '7 days' WHEN 'monthly' THEN interval '1 month' ELSE interval '1 day' END AS w) AS p`,
    [dueAt, schedule.timeZone, schedule.rhythm],
  );
  const [period] = rows;
  if (!period) throw new Error("a period is missing");
  return period;
}

export async function insertSchedule(tx: Tx, row: Prisma.ReportScheduleUncheckedCreateInput): Promise<void> {
  await tx.reportSchedule.create({ data: row, select: { id: true } });
}

export async function updateSchedule(
  tx: Tx,
  tenantId: string,
  id: string,
  change: Prisma.ReportScheduleUncheckedUpdateInput,
): Promise<void> {
  await tx.reportSchedule.update({
    where: { tenantId_id: { tenantId, id } },
    data: change,
    select: { id: true },
  });
}

export async function deleteSchedule(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.reportSend.deleteMany({ where: { tenantId, scheduleId: id } });
  await tx.reportSchedule.delete({ where: { tenantId_id: { tenantId, id } }, select: { id: true } });
}

/** Schedules of all organisations that are due, one of each in turns, so that none waits for another's many (worker's role). */
export async function selectDue(db: Db, limit: number): Promise<{ tenantId: string; id: string }[]> {
  const { rows } = await db.pool.query<{ tenantId: string; id: string }>(
    `SELECT tenant_id AS "tenantId", id FROM report_schedules WHERE next_at <= now()
     ORDER BY row_number() OVER (PARTITION BY tenant_id ORDER BY random()), random() LIMIT $1`,
    [limit],
  );
  return rows;
}

/** A schedule that is due; nobody else takes it until the transaction ends. */
export async function lockDue(tx: Tx, tenantId: string, id: string): Promise<ScheduleRow | undefined> {
  const rows = await tx.$queryRaw<ScheduleRow[]>`
    SELECT id, view_id AS "viewId", rhythm, day, hour, time_zone AS "timeZone", recipients, created_by_id AS "createdById",
      created_by AS "createdBy", next_at AS "nextAt"
    FROM report_schedules WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND next_at <= now() FOR UPDATE SKIP LOCKED`;
  return rows[0];
}

export async function insertSends(tx: Tx, rows: Prisma.ReportSendCreateManyInput[]): Promise<void> {
  await tx.reportSend.createMany({ data: rows });
}

export interface WaitingMail {
  tenantId: string;
  id: string;
  scheduleId: string;
  userId: string;
  /** Whether the person is still among the recipients. */
  wanted: boolean;
  dueAt: Date;
  attempts: number;
  rhythm: Rhythm;
  timeZone: string;
  createdById: string;
  page: ViewPage;
  viewName: string;
  query: string;
  /** Whether whoever scheduled the report still has its view. */
  available: boolean;
}

/** Mails of all organisations that are to be sent now, one of each in turns, so that none waits for another's many (worker's role). */
export async function selectWaiting(db: Db, limit: number): Promise<WaitingMail[]> {
  const { rows } = await db.pool.query<WaitingMail>(
    `SELECT r.tenant_id AS "tenantId", r.id, r.schedule_id AS "scheduleId", r.user_id AS "userId", r.user_id = ANY (s.recipients) AS wanted,
       r.due_at AS "dueAt", r.attempts, s.rhythm, s.time_zone AS "timeZone", s.created_by_id AS "createdById", v.page,
       v.name AS "viewName", v.query, ${available} AS available
     FROM (SELECT *, row_number() OVER (PARTITION BY tenant_id ORDER BY next_at, id) AS turn
           FROM report_sends WHERE next_at <= now()) AS r
     JOIN report_schedules s ON s.tenant_id = r.tenant_id AND s.id = r.schedule_id
     JOIN saved_views v ON v.tenant_id = s.tenant_id AND v.id = s.view_id
     ORDER BY r.turn, r.next_at, r.id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Notes what became of a mail, unless somebody else has. */
export async function noteSend(
  tx: Tx,
  tenantId: string,
  id: string,
  before: { attempts: number },
  change: Prisma.ReportSendUncheckedUpdateManyInput,
): Promise<boolean> {
  const { count } = await tx.reportSend.updateMany({
    where: { tenantId, id, state: "waiting", attempts: before.attempts },
    data: change,
  });
  return count > 0;
}
