import { currentGrants } from "../access/current-grants.ts";
import { findMembers } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { sendLink } from "../invitations/send-link.ts";
import { alone } from "../kernel/alone.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { maySomewhere } from "../operations/authorize.ts";
import { reportTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { figurePermission, figuresOf } from "./figures.ts";
import {
  insertSends,
  lastOf,
  lockDue,
  nextOf,
  noteSend,
  periodOf,
  selectDue,
  selectWaiting,
  updateSchedule,
} from "./queries.ts";
import type { WaitingMail } from "./queries.ts";
import { reportPages, viewPaths } from "./vocabulary.ts";

/** Of all organisations, of one run; the rest is the next minute's. */
const atOnce = { schedules: 200, mails: 200 };
/** After which a mail that could not be sent is tried again, minutes; then no more. */
const waits = [1, 5, 15, 60, 240];
/** How long a mail may be under way, ms. */
const patience = 24 * 3_600_000;

/**
 * Sends the reports that are due, each to each of its recipients with the figures that this person may see now. A process may end
 * anywhere: what is due is noted with the next time, and each mail is sent once. Returns how many mails were looked at.
 */
export async function sendReports(db: Db): Promise<number> {
  for (const { tenantId, id } of await selectDue(db, atOnce.schedules))
    await alone(tenantId, "a report that is due could not be begun", () => open(db, tenantId, id));
  const waiting = await selectWaiting(db, atOnce.mails);
  for (const mail of waiting)
    await alone(mail.tenantId, "what became of a report could not be noted", () => send(db, mail));
  return waiting.length;
}

/** Notes whom to mail. After a time without a worker only the last report that was missed is sent. */
async function open(db: Db, tenantId: string, id: string): Promise<void> {
  const ctx = systemCtx(db, tenantId, "Reports");
  await inTenant(ctx, async (tx) => {
    const row = await lockDue(tx, tenantId, id);
    if (!row?.nextAt) return;
    const now = ctx.now();
    const last = await lastOf(tx, row, now);
    const dueAt = last && last > row.nextAt ? last : row.nextAt;
    await insertSends(
      tx,
      row.recipients.map((userId) => ({
        tenantId,
        id: newId(),
        scheduleId: id,
        userId,
        dueAt,
        state: "waiting",
        nextAt: dueAt,
      })),
    );
    // The database's clock says what is due, and ours may be behind it: never the same time again.
    await updateSchedule(tx, tenantId, id, { nextAt: await nextOf(tx, row, dueAt > now ? dueAt : now) });
  });
}

type Result =
  | { state: "sent"; notificationId: string }
  | { state: "skipped"; problem: string }
  | { state: "failed"; problem: string };

async function send(db: Db, mail: WaitingMail): Promise<void> {
  const ctx = systemCtx(db, mail.tenantId, "Reports");
  let result: Result;
  try {
    result = await carryOut(ctx, mail);
  } catch (error) {
    ctx.log.error({ err: error, tenantId: mail.tenantId, reportSend: mail.id }, "a report was not sent");
    result = { state: "failed", problem: "The service could not make the report." };
  }
  const wait = result.state === "failed" ? waits[mail.attempts] : undefined;
  const attempts = mail.attempts + 1;
  await inTenant(ctx, async (tx) => {
    const noted = await noteSend(tx, mail.tenantId, mail.id, mail, {
      attempts,
      ...result,
      ...(wait === undefined ? { nextAt: null } : { state: "waiting", nextAt: inMinutes(ctx, wait) }),
    });
    if (!noted || result.state !== "failed" || wait !== undefined) return;
    await writeNotices(ctx, tx, [mail.createdById], {
      kind: "report.failed",
      targetType: "report",
      targetId: mail.scheduleId,
      data: { view: mail.viewName },
    });
  });
}

const inMinutes = (ctx: Ctx, minutes: number) => new Date(ctx.now().getTime() + minutes * 60_000);

async function carryOut(system: Ctx, mail: WaitingMail): Promise<Result> {
  if (!mail.wanted) return { state: "skipped", problem: "Is no longer among its recipients." };
  if (!mail.available)
    return { state: "skipped", problem: "The view is no longer shared with whoever scheduled this." };
  const [member] = await inTenant(system, (tx) => findMembers(tx, system.tenantId, [mail.userId]));
  if (!member) return { state: "skipped", problem: "Is no member any more, or may not sign in." };
  const actor = { type: "user" as const, ...member };
  const ctx: Ctx = { ...system, actor, grants: await currentGrants(system, actor) };
  const page = reportPages.find((each) => each === mail.page);
  if (!page) return { state: "skipped", problem: "Figures of this page are not mailed." };
  const needed = figurePermission[page];
  if (!maySomewhere(ctx, needed)) return { state: "skipped", problem: `Lacks the permission ${needed}.` };
  const { tenant } = await getCatalogue(system);
  const period = await periodOf(system, mail, mail.dueAt);
  const made = await figuresOf(ctx, { page, query: mail.query }, period);
  if ("gone" in made) return { state: "skipped", problem: `The view’s ${made.gone} no longer exists.` };
  const { environment, figures, early } = made;
  const path = `${env().publicUrl}/${tenant.slug}${viewPaths[page]}`;
  const delivery = await sendLink(system, {
    template: reportTemplate,
    class: "transactional",
    email: member.email,
    unitId: null,
    variables: {
      name: member.name,
      organisation: tenant.name,
      view: mail.viewName,
      environment,
      rhythm: mail.rhythm,
      period: period.first === period.last ? period.first : `${period.first} – ${period.last}`,
      zone: early ? `${mail.timeZone}, counted from the full hour (UTC) before midnight` : mail.timeZone,
      figures: figures.map((figure) => figure.join("|")).join("||"),
      link: mail.query === "" ? path : `${path}?${mail.query}`,
      settings: `${env().publicUrl}/${tenant.slug}/scheduled-reports`,
    },
    expiresAt: new Date(system.now().getTime() + patience),
    once: `report ${mail.id}`,
  });
  return delivery.by === "email"
    ? { state: "sent", notificationId: delivery.notificationId }
    : { state: "failed", problem: delivery.detail };
}
