import { findMembers } from "../access/find-holders.ts";
import { refuseOutdated } from "../access/revision.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorize, may } from "../operations/authorize.ts";
import {
  countSchedules,
  deleteSchedule,
  insertSchedule,
  knowsZone,
  lockSchedule,
  nextOf,
  selectLastSends,
  selectSchedule,
  selectSchedules,
  updateSchedule,
} from "./queries.ts";
import type { ScheduleRow, SendRow } from "./queries.ts";
import { reader, requireView } from "./saved-views.ts";
import { reportLimits, reportPages } from "./vocabulary.ts";
import type { Schedule, ScheduleInput, ScheduleSend, ScheduleUpdate } from "./schemas.ts";

const mayChange = (ctx: Ctx, row: Pick<ScheduleRow, "createdById">) =>
  row.createdById === ctx.actor.id || may(ctx, "settings:manage", {});

/** Schedules that the caller made or gets; all of them for whoever manages the settings. */
export async function listSchedules(ctx: Ctx): Promise<{ data: Schedule[]; mayChoose: boolean }> {
  const user = reader(ctx);
  const rows = (await selectSchedules(ctx)).filter(
    (row) => mayChange(ctx, row) || row.recipients.includes(user.id),
  );
  const sends = Map.groupBy(
    await selectLastSends(
      ctx,
      rows.map(({ id }) => id),
    ),
    ({ scheduleId }) => scheduleId,
  );
  const data = rows.map((row): Schedule => {
    const last = sends.get(row.id);
    // What became of others' mails is theirs and of whoever looks after the schedule.
    const shown = last?.filter((send) => mayChange(ctx, row) || send.userId === user.id);
    return {
      id: row.id,
      // Its maker may have had it show something else since it was shared.
      view: { id: row.viewId, page: row.page, name: row.viewName, query: row.available ? row.query : "" },
      available: row.available,
      rhythm: row.rhythm,
      day: row.day,
      hour: row.hour,
      timeZone: row.timeZone,
      recipients: row.people,
      revision: revisionOf(row),
      by: row.createdBy,
      paused: row.nextAt === null,
      nextAt: row.nextAt?.toISOString() ?? null,
      mayChange: mayChange(ctx, row),
      mine: row.recipients.includes(user.id),
      last: shown?.[0] ? { dueAt: shown[0].dueAt.toISOString(), sends: shown.map(sendOf) } : null,
    };
  });
  return { data, mayChoose: may(ctx, "members:manage", {}) };
}

/** How a message ends that did not arrive. */
const lost = ["failed", "rejected", "expired", "canceled", "undetermined"];

function sendOf(row: SendRow): ScheduleSend {
  const undelivered = row.messageStatus !== null && lost.includes(row.messageStatus);
  return {
    name: row.name ?? "A former member",
    state: undelivered ? "failed" : row.state,
    attempts: row.attempts,
    problem: undelivered ? "The mail was sent and did not arrive." : row.problem,
    nextAt: row.nextAt?.toISOString() ?? null,
    notificationId: row.notificationId,
  };
}

async function requireSchedule(ctx: Ctx, id: string): Promise<ScheduleRow> {
  const user = reader(ctx);
  const row = await selectSchedule(ctx, id);
  if (!row || !(mayChange(ctx, row) || row.recipients.includes(user.id))) throw notFound();
  return row;
}

async function requireOwn(ctx: Ctx, id: string): Promise<ScheduleRow> {
  const row = await requireSchedule(ctx, id);
  if (!mayChange(ctx, row)) throw new DomainError("permission_denied", "This report is somebody else’s.");
  return row;
}

/** Everybody may have a report for themselves; who chooses others may manage members. Nobody outside the organisation gets one. */
async function checkRecipients(ctx: Ctx, ids: readonly string[], before: readonly string[]): Promise<void> {
  const user = reader(ctx);
  const added = ids.filter((id) => !before.includes(id));
  if (added.some((id) => id !== user.id)) authorize(ctx, "members:manage", {});
  const members = await inTenant(ctx, (tx) => findMembers(tx, ctx.tenantId, added));
  if (members.length < new Set(added).size) {
    throw new DomainError("invalid_request", "Somebody of these is no member.", {
      errors: [{ pointer: "/recipients", code: "unknown", detail: "Somebody of these is no member" }],
    });
  }
}

async function checkZone(ctx: Ctx, timeZone: string): Promise<void> {
  if (await knowsZone(ctx, timeZone)) return;
  const detail = "This time zone is not known here: choose another place of it";
  throw new DomainError("invalid_request", `${detail}.`, {
    errors: [{ pointer: "/timeZone", code: "unknown", detail }],
  });
}

/** Mails the figures of a view to members, daily, weekly or monthly. */
export async function createSchedule(ctx: Ctx, input: ScheduleInput): Promise<{ id: string }> {
  const view = await requireView(ctx, input.viewId);
  if (!reportPages.some((page) => page === view.page))
    throw new DomainError("invalid_request", "Only views with figures can be mailed.");
  await checkRecipients(ctx, input.recipients, []);
  await checkZone(ctx, input.timeZone);
  const user = reader(ctx);
  const { tenantId } = ctx;
  const id = newId();
  await inTenant(ctx, async (tx) => {
    if ((await countSchedules(tx, tenantId)) >= reportLimits.schedules) {
      throw new DomainError(
        "conflict",
        `Your organisation has ${String(reportLimits.schedules)} scheduled reports, which is the most. Delete one first.`,
      );
    }
    await insertSchedule(tx, {
      tenantId,
      id,
      ...input,
      recipients: [...new Set(input.recipients)],
      createdById: user.id,
      createdBy: user.name,
      createdAt: ctx.now(),
      nextAt: await nextOf(tx, input, ctx.now()),
    });
    await recordAudit(ctx, tx, {
      action: "report.scheduled",
      targetType: "report",
      targetId: id,
      after: { view: view.name, ...timing(input), recipients: input.recipients.length },
    });
  });
  return { id };
}

const timing = ({ rhythm, day, hour, timeZone }: Omit<ScheduleInput, "viewId" | "recipients">) => ({
  rhythm,
  day,
  hour,
  timeZone,
});

/** Names when a report is sent and to whom. */
const revisionOf = (row: ScheduleRow) => jsonHash([timing(row), row.recipients]);

/**
 * Changes when a report is sent and to whom. Throws `revision_conflict` when what the change is based on is given, and somebody has
 * changed it, or left the report, since.
 */
export async function changeSchedule(ctx: Ctx, input: ScheduleUpdate): Promise<{ id: string }> {
  const read = await requireOwn(ctx, input.id);
  await checkRecipients(ctx, input.recipients, read.recipients);
  await checkZone(ctx, input.timeZone);
  const { tenantId } = ctx;
  const { id, revision, ...change } = input;
  await inTenant(ctx, async (tx) => {
    const row = await lockSchedule(tx, tenantId, id);
    if (!row) throw notFound();
    refuseOutdated("the report", revision, revisionOf(row));
    await updateSchedule(tx, tenantId, id, {
      ...change,
      recipients: [...new Set(change.recipients)],
      ...(row.nextAt ? { nextAt: await nextOf(tx, input, ctx.now()) } : {}),
    });
    await recordAudit(ctx, tx, {
      action: "report.changed",
      targetType: "report",
      targetId: id,
      before: { ...timing(row), recipients: row.recipients.length },
      after: { ...timing(input), recipients: input.recipients.length },
    });
  });
  return { id };
}

/** Pauses a report, or goes on with the next time that it is due. */
export async function pauseSchedule(
  ctx: Ctx,
  input: { id: string; paused: boolean },
): Promise<{ id: string }> {
  const row = await requireOwn(ctx, input.id);
  await inTenant(ctx, async (tx) => {
    const nextAt = input.paused ? null : await nextOf(tx, row, ctx.now());
    await updateSchedule(tx, ctx.tenantId, row.id, { nextAt });
    await recordAudit(ctx, tx, {
      action: input.paused ? "report.paused" : "report.resumed",
      targetType: "report",
      targetId: row.id,
      before: { paused: row.nextAt === null },
      after: { paused: input.paused },
    });
  });
  return { id: row.id };
}

/** Takes the caller off a report's recipients. */
export async function leaveSchedule(ctx: Ctx, input: { id: string }): Promise<{ id: string }> {
  const row = await requireSchedule(ctx, input.id);
  const user = reader(ctx);
  await inTenant(ctx, async (tx) => {
    // Somebody else may be leaving, too.
    const before = (await lockSchedule(tx, ctx.tenantId, row.id))?.recipients;
    if (!before) throw notFound();
    const recipients = before.filter((id) => id !== user.id);
    await updateSchedule(tx, ctx.tenantId, row.id, {
      recipients,
      // With nobody left there is nothing to do.
      ...(recipients.length === 0 ? { nextAt: null } : {}),
    });
    await recordAudit(ctx, tx, {
      action: "report.left",
      targetType: "report",
      targetId: row.id,
      before: { recipients: before.length },
      after: { recipients: recipients.length },
    });
  });
  return { id: row.id };
}

/** Ends a report; what was sent stays sent. */
export async function removeSchedule(ctx: Ctx, input: { id: string }): Promise<{ id: string }> {
  const row = await requireOwn(ctx, input.id);
  await inTenant(ctx, async (tx) => {
    await deleteSchedule(tx, ctx.tenantId, row.id);
    await recordAudit(ctx, tx, {
      action: "report.deleted",
      targetType: "report",
      targetId: row.id,
      before: { ...timing(row), recipients: row.recipients.length },
    });
  });
  return { id: row.id };
}
