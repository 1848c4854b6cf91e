import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetConnections } from "../connections/load-connection.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import type { FakeMessage, FakeMode } from "../testing/fake-twilio.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { becomes, claimOver, makeSendingWorld, messageId, notTakenBy } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { cancelNotification } from "./cancel-notification.ts";
import { getTimeline } from "./get-timeline.ts";
import { classPolicies } from "./message-class.ts";
import { requeueLostNotifications } from "./sweep-notifications.ts";

const database = await testDatabase();
const first = await startFakeTwilio();
const second = await startFakeTwilio();
const mail = await startMailServer();
afterAll(() => Promise.all([first.close(), second.close(), mail.close()]));

// Leftovers of earlier tests are not this one's.
beforeEach(() => database.owner.query("DELETE FROM graphile_worker._private_jobs"));

/** Two Twilio connections in tiers, and mail; production and staging. */
async function twoTiers(options: Parameters<typeof makeSendingWorld>[1] = {}) {
  first.setMode({ kind: "ok" });
  second.setMode({ kind: "ok" });
  first.messages.length = 0;
  second.messages.length = 0;
  const world = await makeSendingWorld(database, options);
  const a = await world.addTwilio(first.baseUrl, { name: "First" });
  const b = await world.addTwilio(second.baseUrl, { name: "Second" });
  const smtp = await world.addSmtp(mail.port, { name: "Mail" });
  for (const environment of ["production", "staging"] as const) {
    await world.addRule(environment, [[a.id], [b.id]], { channel: "sms" });
    await world.addRule(environment, [[smtp]], { channel: "email" });
  }
  return { ...world, a: a.id, b: b.id, smtp };
}

const types = (events: { type: string }[]) => events.map((event) => event.type);
const otp: SendFields = { notificationType: "authentication", notificationSubtype: "one_time_passcode" };
const service: SendFields = { notificationType: "account", notificationSubtype: "maintenance" };
const busy: FakeMode = { kind: "error", status: 429, code: 20429 };
/** Another connection may work: this one does not serve the sender. */
const refused: FakeMode = { kind: "error", status: 400, code: 21606 };
const minute = 60_000;

describe("a message", () => {
  it("reaches the provider as its template says, and is sent with the provider's id", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    await world.runJobs();
    expect(first.messages.map(({ to, from, body }) => ({ to, from, body }))).toEqual([
      { to: "+4915112345678", from: "+4930123456", body: "Order 4711 is on its way." },
    ]);
    expect(await world.notification(id)).toMatchObject({
      status: "sent",
      final: false,
      provider: "First",
      provider_message_id: first.messages[0]?.sid,
      attempts: 1,
      open_attempt: null,
    });
    expect(types(await world.events(id))).toEqual(["queued", "sending", "sent"]);
    expect(await world.attempts(id)).toMatchObject([{ number: 1, outcome: "sent", worker: world.worker }]);
  });

  it("reaches a mail server, and is then final, because no receipt will come", async () => {
    const world = await twoTiers();
    mail.received.length = 0;
    const accepted = await world.send({ recipients: [{ channel: "email", recipient: "ada@example.com" }] });
    await world.runJobs();
    expect(mail.received).toMatchObject([{ from: "shop@tidings.example", to: ["ada@example.com"] }]);
    expect(mail.received[0]?.raw).toContain("Order 4711 is on its way.");
    expect(await world.notification(messageId(accepted))).toMatchObject({
      status: "sent",
      final: true,
      due_at: null,
    });
  });

  it("has its attempt committed before the provider is called", async () => {
    const world = await twoTiers();
    const seen: unknown[] = [];
    let waiting = "";
    // A provider that looks into the database, over another connection, during the call.
    const server = createServer((request, response) => {
      void (async () => {
        seen.push(await world.notification(waiting), await world.attempts(waiting));
        request.resume();
        response.writeHead(400, { "content-type": "application/json" }).end(`{"code":21211,"message":"no"}`);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const nosy = await world.addTwilio(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    await world.addRule("production", [[nosy.id]], { channel: "sms", region: "DE" });
    waiting = messageId(await world.send());
    await world.runJobs();
    server.closeAllConnections();
    server.close();
    expect(seen).toMatchObject([
      { status: "sending", open_attempt: 1 },
      [{ number: 1, connection_id: nosy.id, outcome: null, finished_at: null }],
    ]);
    expect(await world.notification(waiting)).toMatchObject({
      status: "failed",
      failure: { code: "invalid_recipient", providerCode: "21211" },
    });
  });

  it("that the provider refuses because its recipient opted out there is an opt-out here", async () => {
    const world = await twoTiers();
    first.setMode({
      kind: "error",
      status: 400,
      code: 21610,
      message: "Attempt to send to unsubscribed recipient",
    });
    const id = messageId(await world.send());
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "failed", failure: { code: "opted_out" } });
    expect(second.messages).toEqual([]);
    first.setMode({ kind: "ok" });
    const again = await world.send();
    expect(again.notifications[0]?.reason?.code).toBe("consent_denied");
  });

  it("fails at once when the provider refuses the recipient, whatever other tiers there are", async () => {
    const world = await twoTiers();
    first.setMode({ kind: "error", status: 400, code: 21211, message: "Invalid 'To' Phone Number" });
    const id = messageId(await world.send());
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "failed",
      due_at: null,
      failure: { code: "invalid_recipient" },
    });
    expect(second.messages).toEqual([]);
    expect(await world.waitingJobs(id)).toEqual([]);
  });

  it("goes to the next tier when the first certainly did not send it", async () => {
    const world = await twoTiers();
    first.setMode(refused);
    const id = messageId(await world.send());
    await world.runJobs();
    expect(second.messages).toHaveLength(1);
    expect(await world.notification(id)).toMatchObject({ status: "sent", provider: "Second", failure: null });
    expect((await world.attempts(id)).map(({ connection_id, outcome }) => [connection_id, outcome])).toEqual([
      [world.a, "not_sent"],
      [world.b, "sent"],
    ]);
    expect(types(await world.events(id))).toEqual(["queued", "sending", "sent"]);
  });

  it("goes to the next tier also when the first cannot be reached at all", async () => {
    const world = await twoTiers();
    const closed = await startFakeTwilio();
    await closed.close();
    const dead = await world.addTwilio(closed.baseUrl);
    await world.addRule("production", [[dead.id], [world.b]], { channel: "sms", region: "DE" });
    const id = messageId(await world.send());
    await world.runJobs();
    expect((await world.attempts(id)).map(({ outcome, code }) => [outcome, code])).toEqual([
      ["not_sent", "provider_unavailable"],
      ["sent", null],
    ]);
  });

  it("is tried again after a pause when every tier is down for now, until one accepts it", async () => {
    const down = { kind: "error", status: 400, code: 21730 } as const;
    const world = await twoTiers();
    first.setMode(down);
    second.setMode(down);
    const id = messageId(await world.send());
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "sending",
      attempts: 2,
      failure: { code: "provider_unavailable" },
    });
    await world.runJobs();
    expect((await world.attempts(id)).length).toBe(2);
    first.setMode({ kind: "ok" });
    await world.passTime(minute);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "sent",
      attempts: 3,
      provider: "First",
      failure: null,
    });
  });

  it("waits for as long as the provider asks", async () => {
    const world = await twoTiers();
    await world.addRule("production", [[world.a]], { channel: "sms", region: "DE" });
    first.setMode({ ...busy, retryAfter: "90" });
    const id = messageId(await world.send());
    await world.runJobs();
    const { due_at } = await world.notification(id);
    expect((due_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(80_000);
    await world.passTime(60_000);
    await world.runJobs();
    expect(await world.attempts(id)).toHaveLength(1);
  });

  it("expires when its time-to-live passes before it could be sent, and says why", async () => {
    const world = await twoTiers();
    first.setMode(busy);
    second.setMode(busy);
    const id = messageId(await world.send(otp));
    await world.runJobs();
    await world.passTime(classPolicies.authentication.timeToLive);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "expired",
      due_at: null,
      reason_code: "expired",
      failure: { code: "provider_rate_limited" },
    });
    expect(types(await world.events(id))).toEqual(["queued", "sending", "expired"]);
  });

  it("is neither tried in its last moment nor expired before it is over", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send({ expiresAt: new Date(Date.now() + minute).toISOString() }));
    await world.passTime(minute - 950);
    await world.runJobs();
    const waiting = await world.notification(id);
    expect(waiting).toMatchObject({ status: "queued", attempts: 0, due_at: waiting.expires_at });
    await world.passTime(1_000);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "expired", attempts: 0 });
  });

  it("is never tried after it has expired while it waited for its turn", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send({ expiresAt: new Date(Date.now() + minute).toISOString() }));
    await world.passTime(minute);
    await world.runJobs();
    expect(first.messages).toEqual([]);
    expect(await world.notification(id)).toMatchObject({ status: "expired", attempts: 0 });
  });

  it("fails visibly when no route leads anywhere", async () => {
    const world = await makeSendingWorld(database);
    const id = messageId(await world.send());
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "failed",
      attempts: 0,
      failure: { code: "no_route" },
    });
    expect(types(await world.events(id))).toEqual(["queued", "failed"]);
  });

  it("is not sent before its time, and is sent then", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }));
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "scheduled", attempts: 0 });
    await world.passTime(3_600_000);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
    expect(types(await world.events(id))).toEqual(["scheduled", "sending", "sent"]);
  });

  it("is rejected when consent is withdrawn between accepting and sending", async () => {
    const world = await twoTiers();
    const { system } = world.tenant;
    const withdraw = (state: "opted_in" | "opted_out") =>
      inTenant(system, (tx) =>
        recordConsent(system, tx, {
          sandbox: false,
          channel: "sms",
          address: "+4915112345678",
          state,
          source: "keyword",
        }),
      );
    await withdraw("opted_in");
    const id = messageId(
      await world.send({ notificationType: "marketing", notificationSubtype: "promotion" }),
    );
    await withdraw("opted_out");
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "rejected",
      reason_code: "consent_denied",
      attempts: 0,
    });
    expect(first.messages).toEqual([]);
  });

  it("is sent once, however many jobs there are for it", async () => {
    const world = await twoTiers();
    const accepted = await world.send();
    const payload = { tenantId: world.tenantId, notificationIds: [messageId(accepted)] };
    await Promise.all(Array.from({ length: 20 }, () => world.deliverer.deliver(payload)));
    await world.runJobs();
    await world.deliverer.deliver(payload);
    expect(first.messages).toHaveLength(1);
    expect(await world.attempts(messageId(accepted))).toHaveLength(1);
  });

  it("that is gone leaves its job nothing to do", async () => {
    const world = await twoTiers();
    await world.deliverer.deliver({ tenantId: world.tenantId, notificationIds: [newId()] });
    await world.deliverer.deliver({ tenantId: newId(), notificationIds: [messageId(await world.send())] });
    expect(first.messages).toEqual([]);
  });
});

describe("an unknown outcome", () => {
  const afterwards = async (fields: SendFields, mode: FakeMode) => {
    const world = await twoTiers();
    first.setMode(mode);
    const id = messageId(await world.send(fields));
    await world.runJobs();
    return { world, id };
  };

  it("never moves to another connection, and is not repeated before its wait is over", async () => {
    for (const mode of [
      { kind: "lost" },
      { kind: "garbage" },
      { kind: "error", status: 500 },
    ] as FakeMode[]) {
      const { world, id } = await afterwards({}, mode);
      await world.runJobs();
      expect(await world.notification(id)).toMatchObject({
        status: "sending",
        attempts: 1,
        unknown_outcomes: 1,
      });
      expect(await world.attempts(id)).toMatchObject([{ outcome: "unknown" }]);
      expect(second.messages).toEqual([]);
    }
  });

  it("of a transaction is tried once more, over the same connection, and then left undetermined", async () => {
    const { world, id } = await afterwards({}, { kind: "lost" });
    await world.passTime(classPolicies.transactional.receiptWait);
    await world.runJobs();
    expect((await world.attempts(id)).map((one) => one.connection_id)).toEqual([world.a, world.a]);
    await world.passTime(classPolicies.transactional.receiptWait);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "undetermined",
      reason_code: "no_receipt",
      attempts: 2,
      due_at: null,
    });
    expect(first.messages).toHaveLength(2);
    expect(second.messages).toEqual([]);
  });

  it("never moves to another connection, even if the first has been switched off since", async () => {
    const { world, id } = await afterwards({}, { kind: "lost" });
    await database.owner.query(
      "UPDATE provider_connections SET enabled = false, updated_at = now() + interval '1 second' WHERE id = $1",
      [world.a],
    );
    forgetConnections(world.tenantId);
    await world.passTime(classPolicies.transactional.receiptWait);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "undetermined", attempts: 1 });
    expect(second.messages).toEqual([]);
  });

  it("never moves to another connection, even if the same one has certainly not sent it since", async () => {
    const { world, id } = await afterwards({}, { kind: "lost" });
    first.setMode(busy);
    await world.passTime(classPolicies.transactional.receiptWait);
    for (let job = 0; job < 3; job++) {
      await world.runJobs();
      await world.passTime(classPolicies.transactional.backoff.longest);
    }
    expect((await world.attempts(id)).slice(0, 2)).toMatchObject([
      { outcome: "unknown", connection_id: world.a },
      { outcome: "not_sent", connection_id: world.a },
    ]);
    expect(second.messages).toEqual([]);
  });

  it("stays one when the same connection refuses the message for good since", async () => {
    const { world, id } = await afterwards({}, { kind: "lost" });
    first.setMode(refused);
    await world.passTime(classPolicies.transactional.receiptWait);
    await world.runJobs();
    expect(await world.attempts(id)).toMatchObject([{ outcome: "unknown" }, { outcome: "not_sent" }]);
    expect(second.messages).toEqual([]);
    // The refusal says nothing about the first attempt: a late receipt still counts.
    expect(await world.notification(id)).toMatchObject({
      status: "undetermined",
      reason_code: "no_receipt",
      due_at: null,
      open_attempt: null,
    });
    await world.advance(id, becomes("delivered"));
    expect(await world.notification(id)).toMatchObject({ status: "delivered" });
  });

  it("stays one when the message cannot be made a second time", async () => {
    const world = await twoTiers();
    const sender = "+4930123456";
    await world.addTemplate({
      name: "named sender",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      region: "FR",
      body: "Order {{ code }}",
      metadata: { senderId: sender },
    });
    first.setMode({ kind: "lost" });
    const id = messageId(await world.send({ region: "FR" }));
    await world.runJobs();
    await database.owner.query("UPDATE provider_connections SET senders = '[]' WHERE tenant_id = $1", [
      world.tenantId,
    ]);
    forgetConnections(world.tenantId);
    await world.passTime(classPolicies.transactional.receiptWait);
    await world.runJobs();
    expect(first.messages).toMatchObject([{ from: sender }]);
    expect(await world.notification(id)).toMatchObject({
      status: "undetermined",
      reason_code: "no_receipt",
      attempts: 1,
    });
    await world.advance(id, becomes("delivered"));
    expect(await world.notification(id)).toMatchObject({ status: "delivered" });
  });

  it("of a call whose receipt came first leaves the message sent, and waiting for the next receipt", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    await world.advance(id, claimOver(world.a));
    const until = new Date(Date.now() + 72 * 3_600_000);
    await world.advance(id, { ...becomes("sent"), dueAt: until });
    const failure = { code: "provider_timeout", detail: "d" } as const;
    const next = { dueAt: new Date(), task: "deliver_transactional" };
    await world.advance(id, { kind: "outcome", attempt: 1, outcome: "unknown", failure, next });
    expect(await world.notification(id)).toMatchObject({
      status: "sent",
      due_at: until,
      open_attempt: null,
      failure: null,
    });
    expect(await world.attempts(id)).toMatchObject([{ outcome: "unknown" }]);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
    await world.advance(id, becomes("delivered"));
    expect(await world.notification(id)).toMatchObject({ status: "delivered", due_at: null });
  });

  it("of a service message is never repeated", async () => {
    const { world, id } = await afterwards(service, { kind: "lost" });
    await world.passTime(classPolicies.service.receiptWait);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "undetermined", attempts: 1 });
    expect(first.messages).toHaveLength(1);
  });

  it("of a provider that hangs is known after the attempt's own timeout, and holds up nobody else", async () => {
    const world = await makeSendingWorld(database, { deps: { attemptTimeoutMs: 300 } });
    first.setMode({ kind: "hang" });
    const hanging = await world.addTwilio(first.baseUrl);
    await world.addRule("production", [[hanging.id]]);
    const id = messageId(await world.send());
    await world.runJobs();
    expect(await world.attempts(id)).toMatchObject([{ outcome: "unknown", code: "provider_timeout" }]);
  });

  it("that expires meanwhile ends as undetermined, not as expired", async () => {
    const { world, id } = await afterwards(otp, { kind: "lost" });
    await world.passTime(classPolicies.authentication.timeToLive);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "undetermined", attempts: 1 });
  });
});

describe("an attempt whose worker died", () => {
  async function orphan(fields: SendFields = {}) {
    const world = await twoTiers();
    const id = messageId(await world.send(fields));
    await world.advance(id, claimOver(world.a));
    return { world, id };
  }

  it("is closed as unknown by the next job, and the message goes on by its class's policy", async () => {
    const { world, id } = await orphan();
    await world.runJobs();
    expect(await world.attempts(id)).toMatchObject([{ outcome: "unknown", code: "worker_lost" }]);
    expect(first.messages).toEqual([]);
    await world.passTime(classPolicies.transactional.receiptWait);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "sent", attempts: 2 });
  });

  it("is closed also when a receipt has ended the message before", async () => {
    const { world, id } = await orphan();
    await world.advance(id, becomes("delivered"));
    await world.runJobs();
    expect(await world.attempts(id)).toMatchObject([{ outcome: "unknown", code: "worker_lost" }]);
    expect(await world.notification(id)).toMatchObject({
      status: "delivered",
      due_at: null,
      open_attempt: null,
      failure: null,
    });
    expect(await world.waitingJobs(id)).toEqual([]);
  });

  it("of a service message ends as undetermined", async () => {
    const { world, id } = await orphan(service);
    await world.runJobs();
    await world.passTime(classPolicies.service.receiptWait);
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "undetermined", attempts: 1 });
  });

  it("is left alone while the worker is working on it", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    world.held.begin(id);
    await world.advance(id, claimOver(world.a, world.worker));
    await world.runJobs();
    expect(await world.attempts(id)).toMatchObject([{ outcome: null }]);
  });

  const claimBy = async (world: Awaited<ReturnType<typeof twoTiers>>, worker: string) => {
    const id = messageId(await world.send());
    await world.advance(id, claimOver(world.a, worker));
    return id;
  };

  it("whose claim was committed unseen is known not to have been sent, and is sent once", async () => {
    const world = await twoTiers();
    const id = await claimBy(world, world.worker);
    await world.runJobs();
    await world.passTime(classPolicies.transactional.backoff.longest);
    await world.runJobs();
    expect(await world.attempts(id)).toMatchObject([
      { outcome: "not_sent", code: "interrupted" },
      { outcome: "sent" },
    ]);
    expect([...first.messages, ...second.messages]).toHaveLength(1);
  });

  it("is given up after a minute, even if its worker still lives but no longer holds it", async () => {
    const other = newId();
    const world = await twoTiers({ deps: { isAlive: (worker) => Promise.resolve(worker === other) } });
    const id = await claimBy(world, other);
    await world.runJobs();
    expect(await world.attempts(id)).toMatchObject([{ outcome: null }]);
    await database.owner.query(
      "UPDATE attempts SET started_at = started_at - interval '61 seconds' WHERE notification_id = $1",
      [id],
    );
    await world.deliverer.deliver({ tenantId: world.tenantId, notificationIds: [id] });
    expect(await world.attempts(id)).toMatchObject([{ outcome: "unknown", code: "worker_lost" }]);
  });
});

describe("two jobs for one message", () => {
  it("cannot claim it twice, even if the first attempt has just ended in doubt", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    const claim = claimOver(world.a, world.worker);
    expect(await world.advance(id, claim)).toMatchObject([{ attempt: 1 }]);
    expect(await world.advance(id, claim)).toEqual([]);
    await world.advance(id, notTakenBy(1, "unknown"));
    expect(await world.advance(id, claim)).toEqual([]);
  });

  it("cannot close one attempt twice", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    await world.advance(id, claimOver(world.a, world.worker));
    expect(await world.advance(id, notTakenBy(1, "unknown"))).toHaveLength(1);
    expect(await world.advance(id, notTakenBy(1, "unknown"))).toEqual([]);
    expect(await world.notification(id)).toMatchObject({ unknown_outcomes: 1 });
  });

  it("cannot bring a message that is done back to the queue by putting it off", async () => {
    const world = await twoTiers();
    const accepted = await world.send({
      recipients: [
        { channel: "sms", recipient: "+4915112345678" },
        { channel: "email", recipient: "ada@example.com" },
      ],
    });
    await world.runJobs();
    for (const index of [0, 1]) {
      const id = messageId(accepted, index);
      const before = await world.notification(id);
      await world.advance(id, { kind: "reschedule", dueAt: new Date(), task: "deliver_transactional" });
      expect(await world.notification(id)).toEqual(before);
      await world.runJobs();
      expect(await world.notification(id)).toMatchObject({ status: "sent" });
    }
  });
});

describe("a connection's limits", () => {
  it("put messages off instead of holding slots, and all are sent in the end", async () => {
    const world = await twoTiers();
    const slow = await world.addTwilio(first.baseUrl, { ratePerSecond: 20 });
    await world.addRule("production", [[slow.id]], { channel: "sms", region: "DE" });
    const recipients = Array.from({ length: 30 }, (_, index) => ({
      channel: "sms" as const,
      recipient: `+49151123400${String(10 + index)}`,
    }));
    const accepted = await world.send({ recipients });
    // The limiter's clock stands still: however slow the machine is, no more than a second's worth goes out.
    vi.useFakeTimers({ toFake: ["Date"] });
    await world.runJobs().finally(() => vi.useRealTimers());
    const early = first.messages.length;
    expect(early).toBeGreaterThanOrEqual(18);
    expect(early).toBeLessThan(30);
    const { rows } = await database.owner.query<{ attempts: number; dues: number }>(
      "SELECT sum(attempts)::int AS attempts, count(DISTINCT due_at) FILTER (WHERE status = 'queued')::int AS dues FROM notifications WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows[0]?.attempts).toBe(early);
    expect(rows[0]?.dues).toBe(30 - early);
    await expect
      .poll(
        async () => {
          await world.runJobs();
          return first.messages.length;
        },
        { timeout: 20_000, interval: 100 },
      )
      .toBe(30);
    expect(new Set(first.messages.map((message: FakeMessage) => message.to)).size).toBe(30);
    expect(accepted.notifications).toHaveLength(30);
  });

  it("do not hold up the messages of another connection", async () => {
    const world = await makeSendingWorld(database, { deps: { attemptTimeoutMs: 1_000 } });
    first.setMode({ kind: "hang" });
    second.setMode({ kind: "ok" });
    second.messages.length = 0;
    const hanging = await world.addTwilio(first.baseUrl, { maxConcurrency: 2 });
    const healthy = await world.addTwilio(second.baseUrl);
    await world.addRule("production", [[hanging.id]], { region: "FR" });
    await world.addRule("production", [[healthy.id]], { region: "DE" });
    const many = Array.from({ length: 20 }, (_, index) => ({
      channel: "sms" as const,
      recipient: `+49151123400${String(10 + index)}`,
    }));
    await world.send({ region: "FR", recipients: many });
    await world.send({ region: "DE", recipients: many });
    const running = world.runJobs();
    await expect.poll(() => second.messages.length, { timeout: 10_000 }).toBe(20);
    const { rows } = await database.owner.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1 AND region = 'FR' AND open_attempt IS NOT NULL",
      [world.tenantId],
    );
    expect(rows[0]?.n).toBeLessThanOrEqual(2);
    first.setMode({ kind: "ok" });
    await running;
  });
});

describe("cancelling", () => {
  it("before sending ends the message, and its job finds nothing to do", async () => {
    const world = await twoTiers();
    const owner = world.tenant.as("owner");
    for (const fields of [{}, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }]) {
      const id = messageId(await world.send(fields));
      expect(await cancelNotification(owner, { id })).toMatchObject({
        status: "canceled",
        final: true,
        reason: { code: "canceled" },
      });
      await world.passTime(3_600_000);
      await world.runJobs();
      expect(await world.notification(id)).toMatchObject({ status: "canceled", attempts: 0 });
      await expect(cancelNotification(owner, { id })).rejects.toMatchObject({
        code: "conflict",
        status: 409,
      });
    }
    expect(first.messages).toEqual([]);
  });

  it("between two attempts ends the message, unless a provider may have got it", async () => {
    const world = await twoTiers();
    const owner = world.tenant.as("owner");
    first.setMode(busy);
    second.setMode(busy);
    const refusedOnce = messageId(await world.send());
    await world.runJobs();
    expect(await world.notification(refusedOnce)).toMatchObject({ status: "sending" });
    expect(await getTimeline(owner, { id: refusedOnce })).toMatchObject({ canCancel: true });
    expect(await cancelNotification(owner, { id: refusedOnce })).toMatchObject({ status: "canceled" });

    const open = messageId(await world.send());
    await world.advance(open, claimOver(world.a));
    expect(await getTimeline(owner, { id: open })).toMatchObject({ canCancel: false });
    await expect(cancelNotification(owner, { id: open })).rejects.toMatchObject({ code: "conflict" });
    expect(await world.notification(open)).toMatchObject({ status: "sending", open_attempt: 1 });
    const failure = { code: "provider_timeout", detail: "d" } as const;
    const next = { dueAt: new Date(Date.now() + minute), task: "deliver_transactional" };
    await world.advance(open, { kind: "outcome", attempt: 1, outcome: "unknown", failure, next });
    await expect(cancelNotification(owner, { id: open })).rejects.toMatchObject({ code: "conflict" });
    expect(await world.notification(open)).toMatchObject({ status: "sending", unknown_outcomes: 1 });
    expect(await getTimeline(owner, { id: open })).toMatchObject({ canCancel: false });
  });

  it("after sending is a conflict and changes nothing", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    await world.runJobs();
    const before = await world.notification(id);
    await expect(cancelNotification(world.tenant.as("owner"), { id })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await world.notification(id)).toEqual(before);
  });
});

describe("the sweep", () => {
  // It covers all messages: those of earlier tests are not due any more.
  beforeEach(() => database.owner.query("UPDATE notifications SET due_at = NULL"));

  it("adds a job for messages that are due and have none, and for no others", async () => {
    const world = await twoTiers();
    const [lost, fine, early] = [
      messageId(await world.send()),
      messageId(await world.send()),
      messageId(await world.send()),
    ];
    await database.owner.query(
      "DELETE FROM graphile_worker._private_jobs WHERE payload::jsonb->'notificationIds' ?| ARRAY[$1, $2]",
      [lost, early],
    );
    await database.owner.query(
      "UPDATE notifications SET due_at = due_at - interval '20 seconds' WHERE id IN ($1, $2)",
      [lost, fine],
    );
    expect(await requeueLostNotifications(database.worker)).toEqual({ lost: 1, overdue: 0 });
    expect(await world.waitingJobs(lost)).toMatchObject([{ task: "deliver_transactional" }]);
    expect(await world.waitingJobs(early)).toEqual([]);
    await world.runJobs();
    expect(await world.notification(lost)).toMatchObject({ status: "sent" });
  });

  it("finds a lost message behind however many older ones that have their jobs, or wait for a receipt", async () => {
    const world = await twoTiers();
    const [withJob, sent, lost] = [
      messageId(await world.send()),
      messageId(await world.send()),
      messageId(await world.send()),
    ];
    await world.advance(sent, becomes("sent"));
    await database.owner.query(
      "DELETE FROM graphile_worker._private_jobs WHERE payload::jsonb->'notificationIds' ?| ARRAY[$1, $2]",
      [sent, lost],
    );
    for (const [id, seconds] of [
      [withJob, 60],
      [sent, 40],
      [lost, 20],
    ])
      await database.owner.query(
        "UPDATE notifications SET due_at = now() - make_interval(secs => $2) WHERE id = $1",
        [id, seconds],
      );
    expect(await requeueLostNotifications(database.worker, { limit: 1 })).toEqual({ lost: 1, overdue: 1 });
    expect(await world.waitingJobs(lost)).toHaveLength(1);
    expect(await world.waitingJobs(withJob)).toHaveLength(1);
  });

  it("puts a campaign's messages back among the campaigns, whatever their class", async () => {
    const world = await twoTiers();
    const recipients = Array.from({ length: 1_000 }, (_, i) => ({
      channel: "sms" as const,
      recipient: `+49151${String(20_000_000 + i)}`,
    }));
    const id = messageId(await world.send({ recipients }));
    expect(await world.waitingJobs(id)).toMatchObject([{ task: "deliver_bulk" }]);
    await database.owner.query("DELETE FROM graphile_worker._private_jobs");
    await database.owner.query("UPDATE notifications SET due_at = NULL WHERE id <> $1", [id]);
    await database.owner.query(
      "UPDATE notifications SET due_at = now() - interval '20 seconds' WHERE id = $1",
      [id],
    );
    expect(await requeueLostNotifications(database.worker)).toEqual({ lost: 1, overdue: 0 });
    expect(await world.waitingJobs(id)).toMatchObject([{ task: "deliver_bulk" }]);
  });

  it("is not needed for a message whose next job comes before the last one has let go of it", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    // Another job of this process has put the message off for no time at all, and still records what the provider said.
    world.held.begin(id);
    let done = false;
    const job = world.runJobs().then(() => (done = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(done).toBe(false);
    world.held.end(id);
    await job;
    expect(await world.notification(id)).toMatchObject({ status: "sent", attempts: 1 });
    expect(await requeueLostNotifications(database.worker)).toEqual({ lost: 0, overdue: 0 });
  });

  it("does not count a message whose job is at its last try", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    await database.owner.query(
      "UPDATE notifications SET due_at = due_at - interval '20 seconds' WHERE id = $1",
      [id],
    );
    const [job] = (
      await database.owner.query<{ id: string }>(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, locked_at = now(), locked_by = 'somebody'
         WHERE payload::jsonb->'notificationIds' ? $1 RETURNING id`,
        [id],
      )
    ).rows;
    expect(await requeueLostNotifications(database.worker)).toEqual({ lost: 0, overdue: 0 });
    // It has failed for good: nothing looks at the message any more.
    await database.owner.query(
      "UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE id = $1",
      [job?.id],
    );
    expect(await requeueLostNotifications(database.worker)).toEqual({ lost: 1, overdue: 0 });
  });

  it("ends a message whose receipt never came as undetermined", async () => {
    const world = await twoTiers();
    const id = messageId(await world.send());
    await world.runJobs();
    await world.passTime(72 * 3_600_000 + minute);
    expect(await requeueLostNotifications(database.worker)).toEqual({ lost: 0, overdue: 1 });
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({
      status: "undetermined",
      reason_code: "no_receipt",
      attempts: 1,
    });
  });
});
