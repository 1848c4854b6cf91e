import { afterAll, expect, test, vi } from "vitest";
import { foldMetrics } from "../insights/fold-metrics.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { builtInRoles } from "../operations/permissions.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { setCurrency, setRate } from "../costs/currency.ts";
import { setPlatformFees } from "../costs/set-platform-fees.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import { deleteEnvironment } from "../workspace/change-environment.ts";
import { deleteUnit } from "../workspace/change-unit.ts";
import { createEnvironment } from "../workspace/create-environment.ts";
import { createUnit } from "../workspace/create-unit.ts";
import { figuresOf } from "./figures.ts";
import { periodOf, selectDue, selectWaiting } from "./queries.ts";
import { changeView, saveView } from "./saved-views.ts";
import { createSchedule, leaveSchedule, listSchedules, pauseSchedule } from "./schedules.ts";
import type { Rhythm } from "./schemas.ts";
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

test("who is taken off the recipients gets nothing more, not even what is tried again", async () => {
  const { member, connect, due, again, run, schedule } = await makeWorld(false);
  const owner = await member("owner");
  const operator = await member("operator");
  const { id } = await schedule(owner, [owner, operator]);
  await due();
  await run();
  expect(await lastOf(owner)).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
  await leaveSchedule(operator, { id });
  await connect();
  await again();
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
  expect(mailsTo(operator)).toEqual([]);
  expect(await lastOf(owner)).toMatchObject([
    { name: "Operator", state: "skipped", problem: "Is no longer among its recipients." },
    { name: "Owner", state: "sent" },
  ]);
});

test("a report that cannot be begun keeps nobody else from theirs", async () => {
  const broken = await makeWorld();
  const other = await makeWorld();
  for (const { member, schedule, due } of [broken, other]) {
    const owner = await member("owner");
    await schedule(owner, [owner]);
    await due();
  }
  const { tenantId } = broken.tenant;
  // As when the database's list of time zones has lost one.
  await database.owner.query(
    "UPDATE report_schedules SET time_zone = 'Mars/Olympus', next_at = now() - interval '1 hour' WHERE tenant_id = $1",
    [tenantId],
  );
  await other.run();
  const sent = async (of: string) =>
    (
      await database.owner.query<{ state: string }>("SELECT state FROM report_sends WHERE tenant_id = $1", [
        of,
      ])
    ).rows;
  expect(await sent(tenantId)).toEqual([]);
  expect(await sent(other.tenant.tenantId)).toEqual([{ state: "sent" }]);
  await database.owner.query("DELETE FROM report_schedules WHERE tenant_id = $1", [tenantId]);
});

test("many reports of one organisation keep no other waiting for theirs", async () => {
  const [many, one] = [await makeWorld(), await makeWorld()];
  for (const { tenant, member, schedule } of [many, one]) {
    const people = [await member("owner"), await member("operator"), await member("operator")];
    const [owner] = people;
    const { id } = await schedule(owner!, tenant === many.tenant ? people : [owner!]);
    await database.owner.query(
      `INSERT INTO report_sends (tenant_id, id, schedule_id, user_id, due_at, state, next_at)
       SELECT tenant_id, gen_random_uuid(), id, r, now(), 'waiting', now() - make_interval(hours => $2)
       FROM report_schedules, unnest(recipients) AS r WHERE id = $1`,
      [id, tenant === many.tenant ? 2 : 1],
    );
  }
  const mine = [many.tenantId, one.tenantId];
  const waiting = (await selectWaiting(database.worker, 1_000))
    .map(({ tenantId }) => mine.indexOf(tenantId))
    .filter((index) => index >= 0);
  expect(waiting).toEqual([0, 1, 0, 0]);
});

test("many reports of one organisation that are due keep no other's from beginning", async () => {
  const [many, one] = [await makeWorld(), await makeWorld()];
  for (const { member, schedule, due } of [many, one]) {
    const owner = await member("owner");
    await schedule(owner, [owner]);
    await due();
  }
  await database.owner.query(
    `INSERT INTO report_schedules SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'next_at', now() - interval '1 hour'))).*
     FROM report_schedules s, generate_series(1, 20) WHERE tenant_id = $1`,
    [many.tenantId],
  );
  const begun = (await selectDue(database.worker, 2)).map(({ tenantId }) => tenantId);
  expect(new Set(begun)).toEqual(new Set([many.tenantId, one.tenantId]));
  await database.owner.query("DELETE FROM report_schedules WHERE tenant_id = ANY ($1)", [
    [many.tenantId, one.tenantId],
  ]);
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

test("a worker whose clock is behind the database’s mails a report once", async () => {
  const { tenantId, member, run, schedule } = await makeWorld();
  const owner = await member("owner");
  await schedule(owner, [owner]);
  const { rows: schedules } = await database.owner.query<{ due: Date }>(
    `UPDATE report_schedules SET hour = extract(hour FROM now() AT TIME ZONE 'UTC'), next_at = date_trunc('hour', now(), 'UTC')
     WHERE tenant_id = $1 RETURNING next_at AS due`,
    [tenantId],
  );
  const due = schedules[0]!.due.getTime();
  vi.useFakeTimers({ toFake: ["Date"], now: due - 20 });
  try {
    await sendReports(database.worker);
    await sendReports(database.worker);
  } finally {
    vi.useRealTimers();
  }
  await run();
  const { rows } = await database.owner.query<{ next: Date; sends: number }>(
    "SELECT next_at AS next, (SELECT count(*)::int FROM report_sends WHERE tenant_id = $1) AS sends FROM report_schedules WHERE tenant_id = $1",
    [tenantId],
  );
  expect(rows).toEqual([{ next: new Date(due + 24 * 3_600_000), sends: 1 }]);
  expect(mailsTo(owner)).toHaveLength(1);
});

/** A message, and how many a report that is due at a moment counts: of its period, and of the one before. */
async function makeCount() {
  const { tenantId, member, send, runJobs, ...world } = await makeWorld();
  await send({ recipients: [{ channel: "email", recipient: "ada@example.com" }] });
  await runJobs();
  await foldMetrics(database.worker);
  const owner = await member("owner");
  /** It was accepted in this hour. */
  const sentAt = (at: string) =>
    database.owner.query(
      `UPDATE rollups r SET at = date_trunc(grain, $2::timestamptz, 'UTC')
       WHERE tenant_id = $1 AND accepted > 0`,
      [tenantId, at],
    );
  const counted = async (rhythm: Rhythm, timeZone: string, due: string) => {
    const period = await periodOf(owner, { rhythm, timeZone }, new Date(due));
    const made = await figuresOf(owner, { page: "delivery", query: "" }, period);
    return "gone" in made ? [] : made.figures.find(([label]) => label === "Accepted")?.slice(1);
  };
  return { ...world, tenantId, owner, sentAt, counted };
}

test("an hour is of one day and counted once, also where midnight is between two hours; the mail says so", async () => {
  const { tenantId, owner, sentAt, counted, schedule, due, run } = await makeCount();
  await sentAt("2026-03-09T18:00:00Z");
  for (const zone of ["Asia/Kolkata", "Asia/Kathmandu"]) {
    expect(await counted("daily", zone, "2026-03-10T02:30:00Z")).toEqual(["0", "0"]);
    expect(await counted("daily", zone, "2026-03-11T02:30:00Z")).toEqual(["1", "0"]);
    expect(await counted("daily", zone, "2026-03-12T02:30:00Z")).toEqual(["0", "1"]);
  }
  await schedule(owner, [owner]);
  await due();
  await run();
  await database.owner.query("UPDATE report_schedules SET time_zone = 'Asia/Kolkata' WHERE tenant_id = $1", [
    tenantId,
  ]);
  await due();
  await run();
  const [inUtc = "", inIndia = ""] = mailsTo(owner);
  expect(inUtc).toContain("days in UTC.");
  expect(inIndia).toContain("days in Asia/Kolkata, counted from the full hour (UTC) before midnight.");
});

test("costs in another currency are told in one’s own, too, each period with what it has no rate for", async () => {
  const { tenantId, member, addSmtp, send, advance } = await makeWorld();
  const owner = await member("owner");
  const connection = await addSmtp(25);
  const period = await periodOf(owner, { rhythm: "daily", timeZone: "UTC" }, new Date());
  for (const [amount, daysAgo] of [
    ["4", 2],
    ["1", 1],
  ] as const) {
    const price = { amount, currency: "USD", source: "reported" as const };
    await advance(messageId(await send()), claimOver(connection), takenBy(1, { price }));
    await foldMetrics(database.worker);
    await database.owner.query(
      `UPDATE rollup_costs SET at = at - make_interval(days => $2) WHERE tenant_id = $1 AND at >= date_trunc('day', now(), 'UTC')`,
      [tenantId, daysAgo],
    );
  }
  await setCurrency(owner, { currency: "EUR" });
  const validFrom = period.from.toISOString().slice(0, 10);
  await setRate(owner, { currency: "USD", validFrom, rate: "0.5" });
  const made = await figuresOf(owner, { page: "costs", query: "" }, period);
  expect("figures" in made && made.figures.slice(0, 2)).toEqual([
    ["All at your own rates", "EUR 0.50", "EUR 0.00, without USD"],
    ["Total", "USD 1.00", "USD 4.00"],
  ]);
});

test("figures stand beside those of the month and day before, however long these are", async () => {
  const { sentAt, counted } = await makeCount();
  await sentAt("2026-01-30T12:00:00Z");
  expect(await counted("monthly", "UTC", "2026-04-01T06:00:00Z")).toEqual(["0", "0"]);
  await sentAt("2026-01-02T12:00:00Z");
  expect(await counted("monthly", "UTC", "2026-03-01T06:00:00Z")).toEqual(["0", "1"]);
  // The 29th has 23 hours, and the 28th its 24.
  await sentAt("2026-03-27T23:00:00Z");
  expect(await counted("daily", "Europe/Berlin", "2026-03-30T06:00:00Z")).toEqual(["0", "1"]);
});

test("a report of another’s view is not sent while that is not shared, and is again once it is", async () => {
  const { member, due, run } = await makeWorld();
  const owner = await member("owner");
  const operator = await member("operator");
  const shown = { page: "delivery", name: "Shop", query: "application=shop" } as const;
  const { id: viewId } = await saveView(owner, { ...shown, shared: true });
  const daily = { viewId, rhythm: "daily", day: null, hour: 8, timeZone: "UTC" } as const;
  for (const ctx of [owner, operator])
    await createSchedule(ctx, { ...daily, recipients: [ctx.actor.id ?? ""] });
  await changeView(owner, { id: viewId, shared: false });
  await due();
  await run();
  expect(mailsTo(operator)).toEqual([]);
  expect(mailsTo(owner)).toHaveLength(1);
  expect(await lastOf(operator)).toMatchObject([
    { state: "skipped", problem: "The view is no longer shared with whoever scheduled this." },
  ]);
  await changeView(owner, { id: viewId, shared: true });
  await due();
  await run();
  expect(mailsTo(operator)).toHaveLength(1);
});

test("a view of a team or an environment that no longer exists is not mailed as one of everything", async () => {
  const { tenant, member, due, run, schedule } = await makeWorld();
  const { system } = tenant;
  const owner = await member("owner");
  const team = await createUnit(system, { slug: "gamma", name: "Gamma" });
  const trial = await createEnvironment(system, { slug: "trial", name: "Trial", kind: "nonproduction" });
  await schedule(owner, [owner], "unit=gamma&channel=email");
  await schedule(owner, [owner], "env=trial&unit=alpha", "costs");
  await due();
  await run();
  expect(mailsTo(owner)).toHaveLength(2);
  await deleteUnit(system, { id: team.id });
  await deleteEnvironment(system, { id: trial.id });
  await due();
  await run();
  expect(mailsTo(owner)).toHaveLength(2);
  expect((await listSchedules(owner)).data.map(({ last }) => last?.sends)).toMatchObject([
    [{ state: "skipped", problem: "The view’s environment “trial” no longer exists." }],
    [{ state: "skipped", problem: "The view’s team “gamma” no longer exists." }],
  ]);
});
