import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { getDeliverability } from "../deliverability/get-deliverability.ts";
import { forgetHolds } from "../deliverability/holds.ts";
import { judgeStandings } from "../deliverability/judge-standings.ts";
import { releaseHold } from "../deliverability/release-hold.ts";
import { testDatabase } from "../testing/database.ts";
import { mailFigures } from "../testing/mail-figures.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { explainSend } from "./explain-send.ts";
import { getTimeline } from "./get-timeline.ts";
import { orderOfSend } from "./orders.ts";
import { resumeHeldMails, resumeHeldMessages } from "./resume-held.ts";
import { sendRequestSchema } from "./schemas.ts";

const database = await testDatabase();
const sql = database.owner;
const mail = await startMailServer();
afterAll(() => mail.close());
beforeEach(async () => {
  await sql.query("DELETE FROM graphile_worker._private_jobs");
});

const marketing = (recipient: string): SendFields => ({
  notificationType: "marketing",
  notificationSubtype: "promotion",
  recipients: [{ channel: "email", recipient }],
});

async function makeWorld() {
  const world = await makeSendingWorld(database, {
    settings: { consentPolicies: [{ class: "marketing", policy: "opt_out" }] },
  });
  const connectionId = await world.addSmtp(mail.port);
  await world.addRule("production", [[connectionId]]);
  const owner = world.tenant.as("owner");
  const figures = (of: Omit<Parameters<typeof mailFigures>[2], "domain">) =>
    mailFigures(database, world, { domain: "yahoo.com", ...of });
  const judge = async () => {
    await judgeStandings(database.worker);
    forgetHolds(world.tenantId);
  };
  const run = async (id: string) => {
    await world.runJobs();
    return world.notification(id);
  };
  const yahoo = async () => (await getDeliverability(owner)).groups.find(({ group }) => group === "yahoo");
  /** As if a hold had ended long enough ago for every process to know. */
  const settle = () =>
    sql.query(
      "UPDATE mail_standings SET resumed_at = resumed_at - interval '10 seconds' WHERE tenant_id = $1",
      [world.tenantId],
    );
  const notices = async (kind: string) =>
    (
      await sql.query("SELECT FROM notices WHERE tenant_id = $1 AND kind = $2 AND read_at IS NULL", [
        world.tenantId,
        kind,
      ])
    ).rowCount;
  return { ...world, owner, figures, judge, run, yahoo, settle, notices };
}

describe("the thresholds", () => {
  test.each([
    ["999 delivered say nothing", { delivered: 999, complained: 20 }, "fine", null],
    ["below a tenth of a percent all is well", { delivered: 1_001, complained: 1 }, "fine", null],
    ["a tenth of a percent of complaints warns", { delivered: 1_000, complained: 1 }, "warned", "complaints"],
    ["just below 0.3 % warns", { delivered: 1_001, complained: 3 }, "warned", "complaints"],
    ["0.3 % of 1,000 holds", { delivered: 1_000, complained: 3 }, "held", "complaints"],
    ["5 % that came back warn", { delivered: 950, bounced: 50 }, "warned", "bounces"],
    [
      "what is sent without receipts has arrived, as far as anybody knows",
      { delivered: 0, bounced: 40, unconfirmed: 1_000 },
      "fine",
      null,
    ],
    ["10 % that came back hold", { delivered: 900, bounced: 100 }, "held", "bounces"],
  ] as const)("%s", async (_, figures, level, cause) => {
    const world = await makeWorld();
    await world.figures(figures);
    await world.judge();
    expect(await world.yahoo()).toMatchObject({ ...figures, level, cause });
  });
});

test("marketing to a held group waits with its reason, everything else goes out, and a release lets it go", async () => {
  const world = await makeWorld();
  await world.figures({ delivered: 1_000, complained: 4 });
  await world.judge();
  const held = messageId(await world.send(marketing("ann@yahoo.com")));
  expect(await world.run(held)).toMatchObject({ status: "queued", attempts: 0, reason_code: "mail_hold" });
  const { due_at } = await world.notification(held);
  // One job for the whole time.
  expect(await world.waitingJobs(held)).toMatchObject([{ run_at: due_at }]);
  const { waits } = await getTimeline(world.owner, { id: held });
  expect(waits).toContain(
    "Marketing to Yahoo and AOL is held: 0.40% of 1,000 delivered messages were reported as spam",
  );
  const explained = await explainSend(
    world.owner,
    orderOfSend(
      world.tenant.environments.production,
      sendRequestSchema.parse(sendBody(marketing("ann@yahoo.com"))),
    ),
  );
  expect(explained.messages[0]).toMatchObject({
    outcome: "would_send",
    limits: { waits: { code: "mail_hold", until: null } },
  });
  expect(await world.yahoo()).toMatchObject({ level: "held", waiting: 1 });

  const others = [
    await world.send(marketing("ann@gmail.com")),
    await world.send({ recipients: [{ channel: "email", recipient: "ann@yahoo.com" }] }),
  ].map((sent) => messageId(sent));
  for (const id of others) expect(await world.run(id)).toMatchObject({ status: "sent" });

  const { acceptedUntil } = await releaseHold(world.owner, {
    group: "yahoo",
    note: "A faulty list, removed",
  });
  expect(Date.parse(acceptedUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  await world.settle();
  expect(await resumeHeldMails(database.worker)).toBe(1);
  expect(await world.run(held)).toMatchObject({ status: "sent", attempts: 1, reason_code: null });
  expect(await resumeHeldMails(database.worker)).toBe(0);
  await sql.query(
    "UPDATE mail_standings SET resumed_at = resumed_at - interval '1 minute' WHERE tenant_id = $1",
    [world.tenantId],
  );
  await resumeHeldMails(database.worker);
  const { rows } = await sql.query("SELECT resumed_at FROM mail_standings WHERE tenant_id = $1", [
    world.tenantId,
  ]);
  expect(rows).toEqual([{ resumed_at: null }]);
  // The rate is accepted for a day, then it is judged again.
  await world.judge();
  expect(await world.yahoo()).toMatchObject({
    level: "warned",
    accepted: { byName: world.owner.actor.name, note: "A faulty list, removed" },
  });
  await sql.query(
    "UPDATE mail_standings SET accepted_until = now() - interval '1 second' WHERE tenant_id = $1",
    [world.tenantId],
  );
  await world.judge();
  expect(await world.yahoo()).toMatchObject({ level: "held", accepted: null });
});

test("a hold ends by itself at the line of the warning, and not as soon as other mails lower the rate", async () => {
  const world = await makeWorld();
  await world.figures({ delivered: 1_000, complained: 3 });
  await world.judge();
  const held = messageId(await world.send(marketing("ann@yahoo.com")));
  await world.run(held);
  const { since } = (await world.yahoo())!;
  await world.figures({ delivered: 100 });
  await world.judge();
  expect(await world.yahoo()).toMatchObject({ level: "held", cause: "complaints", since });
  // As many come back as would hold it as well: the same hold, for another cause, of which nobody is told again.
  await world.figures({ delivered: 0, bounced: 200 });
  await world.judge();
  expect(await world.yahoo()).toMatchObject({ level: "held", cause: "bounces", since });
  expect(await world.notices("mail.held")).toBe(1);
  await world.figures({ delivered: 3_200 });
  await world.judge();
  expect(await world.yahoo()).toMatchObject({ level: "fine" });
  expect(await world.notices("mail.held")).toBe(0);
  expect(await world.notices("mail.hold_ended")).toBe(1);
  await world.settle();
  expect(await resumeHeldMails(database.worker)).toBe(1);
  expect(await world.run(held)).toMatchObject({ status: "sent" });
});

test("what waits longer than it lives ends as expired, with the hold as the reason", async () => {
  const world = await makeWorld();
  await world.figures({ delivered: 1_000, complained: 3 });
  await world.judge();
  const id = messageId(await world.send(marketing("ann@yahoo.com")));
  const { due_at } = await world.run(id);
  await world.passTime((due_at?.getTime() ?? 0) - Date.now() + 1_000);
  expect(await world.run(id)).toMatchObject({ status: "expired", attempts: 0, reason_code: "mail_hold" });
});

test("a hold of one organisation is nobody else's, and resuming suspended ones does not break it", async () => {
  const [world, other] = [await makeWorld(), await makeWorld()];
  await world.figures({ delivered: 1_000, complained: 3 });
  await world.judge();
  const [held, free] = [
    messageId(await world.send(marketing("ann@yahoo.com"))),
    messageId(await other.send(marketing("ann@yahoo.com"))),
  ];
  expect(await world.run(held)).toMatchObject({ status: "queued" });
  expect(await other.run(free)).toMatchObject({ status: "sent" });
  await sql.query("UPDATE tenants SET resumed_at = now() - interval '10 seconds' WHERE id = $1", [
    world.tenantId,
  ]);
  expect(await resumeHeldMessages(database.worker)).toBe(1);
  expect(await world.run(held)).toMatchObject({ status: "queued", reason_code: "mail_hold" });
});

test("an organisation whose messages cannot be fetched back keeps no other's from coming back", async () => {
  const worlds = [await makeWorld(), await makeWorld()];
  const ids: string[] = [];
  for (const world of worlds) {
    await world.figures({ delivered: 1_000, complained: 3 });
    await world.judge();
    const id = messageId(await world.send(marketing("ann@yahoo.com")));
    expect(await world.run(id)).toMatchObject({ status: "queued" });
    ids.push(id);
  }
  const [broken, other] = worlds;
  await sql.query("UPDATE tenants SET resumed_at = now() - interval '10 seconds' WHERE id = ANY ($1)", [
    worlds.map(({ tenantId }) => tenantId),
  ]);
  await sql.query(
    `CREATE FUNCTION refuse_fetch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON notifications FOR EACH ROW
       WHEN (NEW.tenant_id = '${broken!.tenantId}') EXECUTE FUNCTION refuse_fetch()`,
  );
  expect(await resumeHeldMessages(database.worker)).toBe(1);
  await sql.query("DROP TRIGGER refuse ON notifications; DROP FUNCTION refuse_fetch()");
  const left = await sql.query("SELECT id FROM tenants WHERE resumed_at IS NOT NULL AND id = ANY ($1)", [
    worlds.map(({ tenantId }) => tenantId),
  ]);
  expect(left.rows).toEqual([{ id: broken!.tenantId }]);
  expect(await resumeHeldMessages(database.worker)).toBe(1);
  expect(await other!.run(ids[1]!)).toMatchObject({ reason_code: "mail_hold" });
});

test("a mail that was deferred once before the hold comes back with the others", async () => {
  const world = await makeWorld();
  await world.figures({ delivered: 1_000, complained: 3 });
  await world.judge();
  const deferred = messageId(await world.send(marketing("ann@yahoo.com")));
  await sql.query("UPDATE notifications SET status = 'sending', attempts = 1 WHERE id = $1", [deferred]);
  expect(await world.run(deferred)).toMatchObject({ status: "sending", reason_code: "mail_hold" });
  expect(await world.yahoo()).toMatchObject({ level: "held", waiting: 1 });
  await sql.query("UPDATE tenants SET resumed_at = now() - interval '10 seconds' WHERE id = $1", [
    world.tenantId,
  ]);
  expect(await resumeHeldMessages(database.worker)).toBe(1);
  expect(await world.run(deferred)).toMatchObject({ status: "sending", reason_code: "mail_hold" });
  await releaseHold(world.owner, { group: "yahoo", note: "A faulty list, removed" });
  await world.settle();
  forgetHolds(world.tenantId);
  expect(await resumeHeldMails(database.worker)).toBe(1);
  expect(await world.run(deferred)).toMatchObject({ status: "sent" });
});

test("webhook endpoints are told of a hold, and of its end", async () => {
  const world = await makeWorld();
  await createWebhookEndpoint(world.tenant.system, {
    environmentId: world.tenant.environments.production,
    application: "shop",
    url: "https://8.8.8.8/hooks",
    events: ["processing.error"],
  });
  await world.figures({ delivered: 1_000, complained: 3 });
  await world.judge();
  await releaseHold(world.owner, { group: "yahoo", note: "Taken as it is" });
  const { rows } = await sql.query<{ payload: object }>(
    "SELECT payload FROM webhook_deliveries WHERE tenant_id = $1 AND event = 'processing.error' ORDER BY id",
    [world.tenantId],
  );
  const figures = { group: "yahoo", cause: "complaints", delivered: 1_000, complained: 3 };
  expect(rows.map(({ payload }) => payload)).toMatchObject([
    { code: "mail_held", ...figures },
    { code: "mail_hold_released", ...figures },
  ]);
});

test("people are told once, and only who may change routing everywhere can release, once", async () => {
  const world = await makeWorld();
  await world.figures({ delivered: 1_000, complained: 3 });
  await world.judge();
  await world.judge();
  expect(await world.notices("mail.held")).toBe(1);
  const release = { group: "yahoo", note: "I take the rate as it is" } as const;
  expect((await refusal(releaseHold(world.tenant.as("developer"), release))).code).toBe("permission_denied");
  await releaseHold(world.tenant.as("operator"), release);
  expect(await world.notices("mail.held")).toBe(0);
  expect((await refusal(releaseHold(world.owner, release))).code).toBe("conflict");
  const { rows } = await sql.query<{ action: string; data: Record<string, unknown> }>(
    "SELECT action, data FROM audit_events WHERE tenant_id = $1 AND action LIKE 'mail_hold.%' ORDER BY id",
    [world.tenantId],
  );
  expect(rows).toMatchObject([
    {
      action: "mail_hold.began",
      data: { group: "yahoo", cause: "complaints", delivered: 1_000, complained: 3 },
    },
    { action: "mail_hold.released", data: { note: release.note } },
  ]);
});

test("what was sent in the sandbox counts for nothing", async () => {
  const world = await makeWorld();
  await mailFigures(
    database,
    { ...world, send: (fields) => world.send(fields, { environment: "sandbox" }) },
    { domain: "yahoo.com", delivered: 1_000, complained: 30 },
  );
  await world.judge();
  expect(await world.yahoo()).toMatchObject({ delivered: 0, level: "fine" });
});
