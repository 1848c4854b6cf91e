import { afterAll, expect, test } from "vitest";
import { foldMetrics } from "../insights/fold-metrics.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { builtInRoles } from "../operations/permissions.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { setPlatformFees } from "../costs/set-platform-fees.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { saveView } from "./saved-views.ts";
import { createSchedule, leaveSchedule, listSchedules, pauseSchedule } from "./schedules.ts";
import { sendReports } from "./send-reports.ts";

const database = await testDatabase();
const mail = await startMailServer();
afterAll(() => mail.close());

async function makeWorld(connected = true) {
  const world = await makeSendingWorld(database);
  const { tenant } = world;
  const connect = async () => {
    const smtp = await world.addSmtp(mail.port);
    await world.addRule("production", [[smtp]], { channel: "email" });
  };
  if (connected) await connect();
  const member = async (role: BuiltInRole, unitId?: string): Promise<Ctx & { email: string }> => {
    const { id, email } = await tenant.addMember(role, unitId === undefined ? {} : { unitId });
    return { ...tenant.as(role, unitId), actor: { type: "user", id, name: role, email }, email };
  };
  /** Eight in the morning has come. */
  const due = () =>
    database.owner.query(
      "UPDATE report_schedules SET next_at = now() - interval '1 second' WHERE tenant_id = $1 AND next_at IS NOT NULL",
      [tenant.tenantId],
    );
  const again = () =>
    database.owner.query(
      "UPDATE report_sends SET next_at = now() - interval '1 second' WHERE tenant_id = $1 AND next_at IS NOT NULL",
      [tenant.tenantId],
    );
  /** What was sent was sent yesterday. */
  const yesterday = async () => {
    await foldMetrics(database.worker);
    for (const table of ["rollups", "rollup_costs"]) {
      await database.owner.query(`UPDATE ${table} SET at = at - interval '1 day' WHERE tenant_id = $1`, [
        tenant.tenantId,
      ]);
    }
  };
  const run = async () => {
    await sendReports(database.worker);
    await world.runJobs();
  };
  const schedule = async (
    owner: Ctx,
    recipients: Ctx[],
    query = "application=shop&channel=email",
    page: "delivery" | "costs" = "delivery",
  ) => {
    const view = await saveView(owner, {
      page,
      name: "Shop <by> mail",
      query,
      shared: true,
    });
    return createSchedule(owner, {
      viewId: view.id,
      rhythm: "daily",
      day: null,
      hour: 8,
      timeZone: "UTC",
      recipients: recipients.map(({ actor }) => actor.id ?? ""),
    });
  };
  return { ...world, connect, member, due, again, yesterday, run, schedule };
}

/** Mails to somebody, as they were written. */
const mailsTo = ({ email }: { email: string }) =>
  mail.received
    .filter(({ to }) => to.includes(email))
    .map(({ raw }) => raw.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="));
const lastOf = async (ctx: Ctx) => (await listSchedules(ctx)).data[0]?.last?.sends;

test("each recipient gets the figures that they may see, once, with a link to the view", async () => {
  const { tenant, member, due, yesterday, run, schedule, send, runJobs } = await makeWorld();
  for (let index = 0; index < 3; index++)
    await send({ recipients: [{ channel: "email", recipient: `ada${String(index)}@example.com` }] });
  await runJobs();
  await yesterday();
  const owner = await member("owner");
  const beta = await member("operator", tenant.units.beta);
  const sender = await member("sender");
  await schedule(owner, [owner, beta, sender]);
  await run();
  expect(mailsTo(owner)).toEqual([]);
  await due();
  await run();
  await run();
  const [text = "", ...more] = mailsTo(owner);
  expect(more).toEqual([]);
  expect(text).toContain("Shop &lt;by&gt; mail");
  expect(text).toMatch(/Accepted<\/td><td[^>]*>3</);
  expect(text).toContain(`${env().publicUrl}/${tenant.slug}/delivery?application=shop&amp;channel=email`);
  // Another team's messages are not theirs to count.
  expect(mailsTo(beta)[0]).toMatch(/Accepted<\/td><td[^>]*>0</);
  expect(mailsTo(sender)).toEqual([]);
  expect(await lastOf(owner)).toMatchObject([
    { name: "Operator", state: "sent" },
    { name: "Owner", state: "sent" },
    { name: "Sender", state: "skipped", problem: "Lacks the permission reports:read." },
  ]);
  // Nobody sees in the list of messages what was mailed to a member.
  const id = (await lastOf(owner))?.[1]?.notificationId ?? "";
  expect(JSON.stringify(await getTimeline(owner, { id }))).not.toContain(owner.email);
  // Tomorrow's waits for tomorrow.
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
});

test("costs are mailed to those who may read costs, and no figure of them to anybody else", async () => {
  const { tenant, member, due, yesterday, run, schedule, send, runJobs } = await makeWorld();
  await setPlatformFees(database.worker, tenant.slug, { email: { amount: "1.25", currency: "EUR" } });
  await send({ recipients: [{ channel: "email", recipient: "ada@example.com" }] });
  await runJobs();
  await yesterday();
  const everybody = await Promise.all(
    (Object.keys(builtInRoles) as BuiltInRole[]).map(async (role) => ({ role, ctx: await member(role) })),
  );
  const owner = await member("owner");
  await schedule(
    owner,
    everybody.map(({ ctx }) => ctx),
    "channel=email",
    "costs",
  );
  await due();
  await run();
  for (const { role, ctx } of everybody) {
    const may = (builtInRoles[role].permissions as readonly string[]).includes("costs:read");
    expect(mailsTo(ctx).length, role).toBe(may ? 1 : 0);
    if (may) expect(mailsTo(ctx)[0]).toMatch(/Platform fees<\/td><td[^>]*>EUR 1\.25</);
  }
});

test("after days without a worker one mail is sent, about the last day that was missed", async () => {
  const { tenantId, member, run, schedule } = await makeWorld();
  const owner = await member("owner");
  await schedule(owner, [owner]);
  await database.owner.query(
    "UPDATE report_schedules SET next_at = next_at - interval '6 days' WHERE tenant_id = $1",
    [tenantId],
  );
  await run();
  await run();
  const [text = "", ...more] = mailsTo(owner);
  expect(more).toEqual([]);
  const { rows } = await database.owner.query<{ day: string; others: string[]; next: boolean; due: boolean }>(
    `SELECT to_char((last - interval '1 day') AT TIME ZONE 'UTC', 'FMDD Mon YYYY') AS day, next = last + interval '1 day' AS next,
       (SELECT bool_and(due_at = last) FROM report_sends WHERE tenant_id = $1) AS due,
       ARRAY(SELECT to_char((last - make_interval(days => b)) AT TIME ZONE 'UTC', 'FMDD Mon YYYY') FROM generate_series(3, 8) AS b) AS others
     FROM (SELECT CASE WHEN eight <= now() THEN eight ELSE eight - interval '1 day' END AS last,
         (SELECT next_at FROM report_schedules WHERE tenant_id = $1) AS next
       FROM (SELECT date_trunc('day', now(), 'UTC') + interval '8 hours' AS eight) AS t) AS l`,
    [tenantId],
  );
  expect(rows[0]).toMatchObject({ next: true, due: true });
  expect(text).toContain(rows[0]!.day);
  for (const day of rows[0]!.others) expect(text).not.toContain(day);
});

test("whoever has lost the right, or is no member any more, gets nothing", async () => {
  const { tenantId, member, due, run, schedule } = await makeWorld();
  const owner = await member("owner");
  const auditor = await member("auditor");
  const gone = await member("auditor");
  await schedule(owner, [auditor, gone]);
  await database.owner.query(
    "UPDATE role_assignments SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'template_author') WHERE user_id = $2",
    [tenantId, auditor.actor.id],
  );
  await database.owner.query("UPDATE users SET disabled_at = now() WHERE id = $1", [gone.actor.id]);
  await due();
  await run();
  expect(mailsTo(auditor)).toEqual([]);
  expect(mailsTo(gone)).toEqual([]);
  expect((await lastOf(owner))?.map(({ state }) => state)).toEqual(["skipped", "skipped"]);
});

test("a mail that cannot be sent is tried again, shown, and told of when it is given up", async () => {
  const { member, due, again, run, schedule, connect } = await makeWorld(false);
  const owner = await member("owner");
  await schedule(owner, [owner]);
  await due();
  await run();
  expect(await lastOf(owner)).toMatchObject([
    {
      state: "waiting",
      attempts: 1,
      problem: "The organisation has no e-mail connection that production messages go through.",
    },
  ]);
  // Not before its time.
  await run();
  expect(await lastOf(owner)).toMatchObject([{ attempts: 1 }]);
  for (let index = 0; index < 5; index++) {
    await again();
    await run();
  }
  expect(await lastOf(owner)).toMatchObject([{ state: "failed", attempts: 6, nextAt: null }]);
  expect((await listOwnNotices(owner, { limit: 5 })).data).toMatchObject([{ kind: "report.failed" }]);

  await connect();
  await due();
  await run();
  expect(await lastOf(owner)).toMatchObject([{ state: "sent", problem: null }]);
  expect(mailsTo(owner)).toHaveLength(1);
});

test("a process that ends between sending and noting it mails nobody twice", async () => {
  const { tenantId, member, due, again, run, schedule } = await makeWorld();
  const owner = await member("owner");
  await schedule(owner, [owner]);
  await due();
  await run();
  await database.owner.query(
    "UPDATE report_sends SET state = 'waiting', attempts = 0, next_at = now() WHERE tenant_id = $1",
    [tenantId],
  );
  await again();
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
  expect(await lastOf(owner)).toMatchObject([{ state: "sent" }]);
});

test("a paused report sends nothing, and neither does one that everybody has left", async () => {
  const { member, due, run, schedule } = await makeWorld();
  const owner = await member("owner");
  const { id } = await schedule(owner, [owner]);
  await pauseSchedule(owner, { id, paused: true });
  await due();
  await run();
  await pauseSchedule(owner, { id, paused: false });
  await leaveSchedule(owner, { id });
  await due();
  await run();
  expect(mailsTo(owner)).toEqual([]);
});
