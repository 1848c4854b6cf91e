import { afterAll, beforeEach, expect, test } from "vitest";
import { suppressAddress } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { RecipientLimits } from "../recipient-limits/message-limits.ts";
import type { FrequencyCap } from "../recipient-limits/message-limits.ts";
import type { Cap, QuietRule } from "../recipient-limits/schemas.ts";
import { forgetLimits } from "../recipient-limits/stored-limits.ts";
import { getLimits, setLimits } from "../recipient-limits/set-limits.ts";
import { forgetRules } from "../routing/load-rules.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { claimOver, makeSendingWorld, messageId, notTakenBy, sendBody } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { DeliveryStore } from "./delivery-store.ts";
import { explainSend } from "./explain-send.ts";
import { getTimeline } from "./get-timeline.ts";
import { deliveryLanes } from "./lanes.ts";
import { orderOfSend } from "./orders.ts";
import { recordReceipts } from "./record-receipts.ts";
import { sendRequestSchema } from "./schemas.ts";
import { requeueLostNotifications } from "./sweep-notifications.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());
beforeEach(async () => {
  await database.owner.query("DELETE FROM graphile_worker._private_jobs");
  provider.setMode({ kind: "ok" });
  provider.messages.length = 0;
});
const sql = database.owner;
const hour = 3_600_000;

const marketing: SendFields = { notificationType: "marketing", notificationSubtype: "promotion" };
const days: QuietRule["days"] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** "14:30" where it is so much later (hours) than now. */
const inZone = (zone: string, hours: number) =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(Date.now() + hours * hour);

/** Quiet from an hour ago until in so many hours, in Berlin. */
const quietNow = (hours = 2, fields: Partial<QuietRule> = {}): QuietRule => ({
  classes: ["marketing"],
  channels: [],
  regions: [],
  days,
  from: inZone("Europe/Berlin", -1),
  to: inZone("Europe/Berlin", hours),
  ...fields,
});
const cap = (fields: Partial<Cap> = {}): Cap => ({
  class: "marketing",
  channel: null,
  most: 1,
  hours: 24,
  over: "wait",
  ...fields,
});

async function makeWorld(limits: { quietHours?: QuietRule[]; caps?: Cap[] } = {}) {
  const world = await makeSendingWorld(database, {
    settings: { consentPolicies: [{ class: "marketing", policy: "opt_out" }] },
  });
  const { id: connectionId } = await world.addTwilio(provider.baseUrl);
  await world.addRule("production", [[connectionId]]);
  const owner = world.tenant.as("owner");
  const set = async ({ quietHours = [], caps = [] }: { quietHours?: QuietRule[]; caps?: Cap[] }) =>
    setLimits(owner, { quietHours, caps, revision: (await getLimits(owner)).revision });
  await set(limits);
  const send = async (fields: SendFields = marketing) => messageId(await world.send(fields));
  const run = async (id: string) => {
    await world.runJobs();
    return world.notification(id);
  };
  const reason = async (id: string) => {
    const { rows } = await sql.query<{ reason_detail: string | null }>(
      "SELECT reason_detail FROM notifications WHERE tenant_id = $1 AND id = $2",
      [world.tenantId, id],
    );
    return rows[0]?.reason_detail ?? null;
  };
  return { ...world, accept: world.send, connectionId, owner, set, send, run, reason };
}

test("in quiet hours a message waits for their end, says until when and why, and is then sent", async () => {
  const world = await makeWorld({ quietHours: [quietNow(2)] });
  const id = await world.send();
  const waiting = await world.run(id);
  expect(waiting).toMatchObject({ status: "queued", attempts: 0, reason_code: "quiet_hours" });
  const end = Math.floor(Date.now() / 60_000) * 60_000 + 2 * hour;
  const due = waiting.due_at?.getTime() ?? 0;
  expect(due).toBeGreaterThanOrEqual(end - 60_000);
  expect(due).toBeLessThanOrEqual(end + 120_000);
  const text = `Quiet hours for marketing by SMS in Europe/Berlin until`;
  expect(await world.reason(id)).toContain(text);
  expect((await getTimeline(world.owner, { id })).waits).toContain(text);
  expect((await world.waitingJobs(id)).map(({ run_at }) => run_at)).toEqual([waiting.due_at]);
  expect(provider.messages).toHaveLength(0);
  await world.set({});
  await world.passTime(2 * hour + 120_000);
  expect(await world.run(id)).toMatchObject({ status: "sent", reason_code: null, attempts: 1 });
});

test("a restart loses nothing that waits: the sweep finds it when it is due and its job is gone", async () => {
  const world = await makeWorld({ quietHours: [quietNow(1)] });
  const id = await world.send();
  await world.run(id);
  await sql.query("DELETE FROM graphile_worker._private_jobs");
  await world.set({});
  await world.passTime(2 * hour);
  await requeueLostNotifications(database.worker);
  expect(await world.run(id)).toMatchObject({ status: "sent" });
});

test("what would wait longer than it lives ends as expired, with quiet hours as the reason", async () => {
  const world = await makeWorld({ quietHours: [quietNow(3)] });
  const id = await world.send({ ...marketing, expiresAt: new Date(Date.now() + hour).toISOString() });
  expect(await world.run(id)).toMatchObject({ status: "expired", reason_code: "quiet_hours", attempts: 0 });
});

test("one-time codes, other classes, tests to oneself and what the service itself sends are sent in quiet hours", async () => {
  const world = await makeWorld({
    quietHours: [quietNow(2, { classes: ["marketing", "service", "transactional"] })],
    caps: [cap({ class: "transactional", over: "reject" })],
  });
  const otp = await world.send({
    notificationType: "authentication",
    notificationSubtype: "one_time_passcode",
  });
  expect(await world.run(otp)).toMatchObject({ status: "sent" });
  const order = await world.send({});
  expect(await world.run(order)).toMatchObject({ status: "queued", reason_code: "quiet_hours" });
  for (const as of [
    "UPDATE send_requests r SET source = 'test' FROM notifications n WHERE n.tenant_id = $1 AND n.id = $2 AND r.tenant_id = $1 AND r.id = n.request_id",
    "UPDATE notifications SET notification_type = '_access' WHERE tenant_id = $1 AND id = $2",
  ]) {
    const id = await world.send({});
    await sql.query(as, [world.tenantId, id]);
    expect(await world.run(id)).toMatchObject({ status: "sent" });
  }
});

test("what WhatsApp counts as marketing waits as marketing does, whatever the class of its type", async () => {
  const world = await makeWorld({ quietHours: [quietNow(2)] });
  const templateId = await world.addTemplate({
    name: "shipped",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "whatsapp",
    body: "On its way",
    metadata: { templateName: "order_shipped", language: "en_US" },
  });
  await sql.query(
    `INSERT INTO whatsapp_approvals (tenant_id, template_id, template_name, language, status, source, updated_by, updated_at)
     VALUES ($1, $2, 'order_shipped', 'en_US', 'approved', 'provider', 'test', now())`,
    [world.tenantId, templateId],
  );
  await recordReceipts(world.tenant.system, {
    connectionId: world.connectionId,
    receipts: [],
    inbound: [],
    templates: [{ template: "order_shipped", language: "en-US", category: "marketing" }],
  });
  const id = await world.send({ recipients: [{ channel: "whatsapp", recipient: "+4915112345678" }] });
  expect(await world.run(id)).toMatchObject({ status: "queued", reason_code: "quiet_hours" });
  expect(await world.reason(id)).toContain("Quiet hours for marketing by WhatsApp");
});

test("the zone is the contact's, else that of the number: a message goes where it is day", async () => {
  const zone = "Pacific/Auckland";
  const world = await makeWorld({
    quietHours: [quietNow(2, { from: inZone(zone, -1), to: inZone(zone, 2) })],
  });
  const id = await world.send();
  expect(await world.run(id)).toMatchObject({ status: "sent" });
  await sql.query(
    `WITH c AS (INSERT INTO contacts (tenant_id, id, time_zone, created_at, updated_at) VALUES ($1, $2, $3, now(), now()))
     INSERT INTO contact_addresses (tenant_id, channel, address, contact_id, position, created_at)
     VALUES ($1, 'sms', '+4915112345678', $2, 1, now())`,
    [world.tenantId, newId(), zone],
  );
  const second = await world.send();
  expect(await world.run(second)).toMatchObject({ status: "queued", reason_code: "quiet_hours" });
  expect(await world.reason(second)).toContain(zone);
});

test("quiet hours that begin while a message is prepared still hold", async () => {
  const world = await makeWorld();
  const id = await world.send();
  const limits = new RecipientLimits(database.worker, { delayMs: 0, maxItems: 1 });
  const message = {
    tenantId: world.tenantId,
    sandbox: false,
    class: "marketing",
    channel: "sms",
    region: "DE",
    recipient: "+4915112345678",
  } as const;
  expect(await limits.of(message)).toBeNull();
  await world.set({ quietHours: [quietNow(2, { from: inZone("Europe/Berlin", 1) })] });
  const found = await limits.of(message);
  // The same limits, asked at the beginning and before the claim.
  expect(found?.quietAt(Date.now())).toBeNull();
  expect(found?.quietAt(Date.now() + hour + 60_000)).toMatchObject({ code: "quiet_hours" });
  expect(await world.run(id)).toMatchObject({ status: "sent" });
});

test("limits that cannot be read hold marketing back and let everything else go", async () => {
  const world = await makeWorld({ quietHours: [quietNow(2)] });
  for (const broken of [`quiet_hours = '[{"from":"tonight"}]'`, "quiet_hours = '[]', caps = '{}'"]) {
    await sql.query(`UPDATE recipient_limits SET ${broken} WHERE tenant_id = $1`, [world.tenantId]);
    forgetLimits(world.tenantId);
    const id = await world.send();
    expect(await world.run(id)).toMatchObject({ status: "queued", reason_code: "quiet_hours" });
    expect(await world.reason(id)).toContain("cannot be read");
    const order = await world.send({});
    expect(await world.run(order)).toMatchObject({ status: "sent" });
  }
  // Those who can set them anew are told, once until they read it or it is done.
  const { rows } = await sql.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM notices WHERE tenant_id = $1 AND kind = 'recipient_limits.unreadable' AND read_at IS NULL
     GROUP BY user_id`,
    [world.tenantId],
  );
  expect(rows.map(({ open }) => open)).toEqual(rows.map(() => 1));
  expect(rows.length).toBeGreaterThan(0);
  await world.set({});
  const { rowCount } = await sql.query(
    "SELECT FROM notices WHERE tenant_id = $1 AND kind = 'recipient_limits.unreadable' AND read_at IS NULL",
    [world.tenantId],
  );
  expect(rowCount).toBe(0);
});

// eslint-disable-next-line no-restricted-syntax -- of this test alone
const flood = Number(process.env.FLOOD ?? 1_000);

test(`${String(flood)} messages that wait for one moment share jobs, and are not in the way of another organisation`, async () => {
  const world = await makeWorld({ quietHours: [quietNow(1)] });
  const other = await makeWorld();
  const count = flood;
  const accepted: string[] = [];
  for (let from = 0; from < count; from += 500) {
    const recipients = Array.from({ length: 500 }, (_, index) => ({
      channel: "sms" as const,
      recipient: `+49152${String(30_000_000 + from + index)}`,
    }));
    const request = await world.accept({ ...marketing, recipients });
    accepted.push(...recipients.map((_, index) => messageId(request, index)));
  }
  await world.runJobs();
  const state = async () => {
    const { rows } = await sql.query<{ waiting: number; moments: number }>(
      `SELECT count(*)::int AS waiting, count(DISTINCT date_trunc('second', due_at))::int AS moments FROM notifications
       WHERE tenant_id = $1 AND status = 'queued' AND reason_code = 'quiet_hours'`,
      [world.tenantId],
    );
    return rows[0];
  };
  expect(accepted).toHaveLength(count);
  expect((await state())?.waiting).toBe(count);
  // Over a minute, not in one second.
  expect((await state())?.moments).toBeGreaterThan(30);
  const { rows: jobs } = await sql.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM graphile_worker._private_jobs WHERE payload->>'tenantId' = $1",
    [world.tenantId],
  );
  expect(jobs[0]?.count).toBeLessThanOrEqual(count / 4);
  // All become due at once; another organisation's message comes behind them.
  await world.set({});
  await world.passTime(2 * hour);
  await other.send();
  const ahead = async () => {
    const { rows } = await sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM graphile_worker._private_jobs j
       WHERE j.run_at < (SELECT o.run_at FROM graphile_worker._private_jobs o WHERE o.payload->>'tenantId' = $1)`,
      [other.tenantId],
    );
    return rows[0]?.count;
  };
  expect(await ahead()).toBe(0);
  await sql.query("SELECT give_turns(ARRAY['deliver_bulk'], 5000)");
  expect(await ahead()).toBe(0);
}, 600_000);

test("over a cap that waits, a message is sent when the first of the others is old enough", async () => {
  const world = await makeWorld({ caps: [cap({ most: 2, hours: 1 })] });
  const ids = [await world.send(), await world.send(), await world.send()];
  await world.runJobs();
  const states = await Promise.all(ids.map((id) => world.notification(id)));
  expect(states.map(({ status }) => status).sort()).toEqual(["queued", "sent", "sent"]);
  const held = states.find(({ status }) => status === "queued");
  if (!held) throw new Error("none waits");
  // Of the same job: it looks again a moment later, and then knows until when.
  await world.passTime(2_000);
  expect(await world.run(held.id)).toMatchObject({ status: "queued", reason_code: "frequency_cap" });
  expect(await world.reason(held.id)).toMatch(
    /^At most 2 marketing messages in one hour: the recipient has had that, until /,
  );
  const due = (await world.notification(held.id)).due_at?.getTime() ?? 0;
  expect(due - Date.now()).toBeGreaterThan(hour - 120_000);
  expect(due - Date.now()).toBeLessThan(hour + 120_000);
  await sql.query("UPDATE recipient_sends SET at = at - interval '62 minutes' WHERE tenant_id = $1", [
    world.tenantId,
  ]);
  await world.passTime(62 * 60_000);
  expect(await world.run(held.id)).toMatchObject({ status: "sent", reason_code: null });
});

test("over a cap that rejects, a message ends with the cap as the reason; others of the recipient are not counted", async () => {
  const world = await makeWorld({ caps: [cap({ over: "reject", channel: "sms" })] });
  const first = await world.send();
  expect(await world.run(first)).toMatchObject({ status: "sent" });
  const second = await world.send();
  expect(await world.run(second)).toMatchObject({ status: "rejected", reason_code: "frequency_cap" });
  const order = await world.send({});
  expect(await world.run(order)).toMatchObject({ status: "sent" });
  const another = await world.send({
    ...marketing,
    recipients: [{ channel: "sms", recipient: "+4915112345679" }],
  });
  expect(await world.run(another)).toMatchObject({ status: "sent" });
});

test("a message that waits for a cap it cannot live to see ends as expired", async () => {
  const world = await makeWorld({ caps: [cap({ hours: 72 })] });
  await world.run(await world.send());
  const id = await world.send();
  expect(await world.run(id)).toMatchObject({ status: "expired", reason_code: "frequency_cap" });
});

test("a message that is tried again is counted once, and is not in its own way", async () => {
  const world = await makeWorld();
  const store = new DeliveryStore(database.worker, { delayMs: 0, maxItems: 5 });
  const [first, second] = [await world.send(), await world.send()];
  const claim = (id: string) =>
    store.claim({
      tenantId: world.tenantId,
      id,
      ...claimOver(world.connectionId),
      cap: {
        sandbox: false,
        recipient: "+4915112345678",
        class: "marketing",
        channel: "sms",
        limits: [cap()],
      },
    });
  expect(await claim(first)).toBe(1);
  const next = { dueAt: new Date(), task: deliveryLanes.bulk.name };
  await world.advance(first, notTakenBy(1, "not_sent", { next }));
  expect(await claim(second)).toBe("frequency_cap");
  expect(await claim(first)).toBe(2);
  const { rows } = await sql.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM recipient_sends WHERE tenant_id = $1",
    [world.tenantId],
  );
  expect(rows[0]?.count).toBe(1);
});

test("three workers at once never begin more attempts than a cap allows, whatever share a call", async () => {
  const world = await makeWorld({ caps: [] });
  const stores = Array.from(
    { length: 3 },
    () => new DeliveryStore(database.worker, { delayMs: 0, maxItems: 5 }),
  );
  let over = 0;
  let under = 0;
  for (let round = 0; round < 25; round++) {
    const most = 1 + (round % 3);
    const recipient = `+49152${String(20_000_000 + round)}`;
    const ids: string[] = [];
    for (let count = 0; count < 9; count++) {
      ids.push(await world.send({ ...marketing, recipients: [{ channel: "sms", recipient }] }));
    }
    const limited: FrequencyCap = {
      sandbox: false,
      recipient,
      class: "marketing",
      channel: "sms",
      limits: [cap({ most })],
    };
    const claim = async (id: string, index: number) =>
      await stores[index % 3]?.claim({
        tenantId: world.tenantId,
        id,
        ...claimOver(world.connectionId),
        cap: limited,
      });
    const first = await Promise.all(ids.map(claim));
    // Those that others of their call stood in the way of look again.
    const again = await Promise.all(
      ids.map(async (id, index) => (first[index] === "frequency_cap" ? claim(id, index) : undefined)),
    );
    const begun = [...first, ...again].filter((answer) => answer === 1).length;
    if (begun > most) over++;
    if (begun < most) under++;
  }
  expect({ over, under }).toEqual({ over: 0, under: 0 });
});

test("what a simulator takes in production counts apart, and towards nothing that somebody gets", async () => {
  const world = await makeWorld({ caps: [cap({ over: "reject" })] });
  const { production } = world.tenant.environments;
  const order = orderOfSend(production, sendRequestSchema.parse(sendBody({ ...marketing })));
  const had = async () => (await explainSend(world.owner, order)).messages[0]?.limits.caps[0]?.had;
  const over = async (connectionId: string) => {
    await sql.query("UPDATE routing_rules SET tiers = $2 WHERE tenant_id = $1", [
      world.tenantId,
      JSON.stringify([[{ connectionId, weight: 1 }]]),
    ]);
    forgetRules(world.tenantId, production);
  };
  const { id: simulator } = await world.tenant.addSimulator(["production"]);
  await over(simulator);
  expect(await world.run(await world.send())).toMatchObject({ status: "sent" });
  expect(await had()).toBe(1);
  const again = await world.send();
  expect(await world.run(again)).toMatchObject({ status: "rejected", reason_code: "frequency_cap" });
  await over(world.connectionId);
  expect(await had()).toBe(0);
  expect(await world.run(await world.send())).toMatchObject({ status: "sent" });
  expect(await had()).toBe(1);
  expect(provider.messages).toHaveLength(1);
});

test("an explanation says what would wait, and how many the recipient has had", async () => {
  const world = await makeWorld({ quietHours: [quietNow(2)], caps: [cap({ most: 3 })] });
  const order = orderOfSend(
    world.tenant.environments.production,
    sendRequestSchema.parse(sendBody({ ...marketing })),
  );
  const { messages } = await explainSend(world.owner, order);
  expect(messages[0]?.limits).toMatchObject({
    waits: { code: "quiet_hours" },
    caps: [{ most: 3, hours: 24, over: "wait", had: 0 }],
  });
});

test("somebody who is suppressed is that, not over a cap", async () => {
  const world = await makeWorld({ caps: [cap({ over: "reject" })] });
  await world.run(await world.send());
  const id = await world.send();
  await inTenant(world.tenant.system, (tx) =>
    suppressAddress(world.tenant.system, tx, {
      sandbox: false,
      channel: "sms",
      address: "+4915112345678",
      reason: "complaint",
    }),
  );
  expect(await world.run(id)).toMatchObject({ status: "rejected", reason_code: "suppressed" });
});
