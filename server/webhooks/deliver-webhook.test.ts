import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTenant } from "../kernel/db.ts";
import {
  acceptMessage,
  advanceMessage,
  closeReceivers,
  createWorld,
  deliveriesOf,
  endpointAt,
  keyCtx,
  loopbackClient,
  queuedJobs,
  receiver,
  parseEvent,
  verifyBody,
  verifyHeaders,
  webhookWorker,
} from "../testing/webhook-world.ts";
import type { World } from "../testing/webhook-world.ts";
import { testDatabase } from "../testing/database.ts";
import { createWebhookDeliverer } from "./deliver-webhook.ts";
import { newId } from "../kernel/ids.ts";
import { enqueueWebhookEvent } from "./enqueue-webhook-event.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { replayWebhookDelivery } from "./replay-webhook-delivery.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { sweepWebhooks } from "./sweep-webhooks.ts";

const db = await testDatabase();
let world: World;

beforeEach(async () => {
  world = await createWorld(db);
});
afterEach(closeReceivers);

describe("an event", () => {
  it("is posted for every change of a message, signed both ways, with the data of the time", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    const id = await acceptMessage(db.worker, world, world.shop, { orderId: "4711" });
    await advanceMessage(db.worker, world, id, {
      to: "sending",
      provider: "Mail",
      data: { provider: "Mail" },
    });
    await advanceMessage(db.worker, world, id, { to: "sent" });
    await advanceMessage(db.worker, world, id, { to: "delivered", at: "2026-11-20T10:00:00.123Z" });
    await worker.drain();

    for (const request of hook.received) {
      verifyHeaders(endpoint.secret, request);
      verifyBody(endpoint.secret, request.body);
      expect(request.headers["content-type"]).toBe("application/json");
    }
    const events = hook.received
      .map(parseEvent)
      .sort((a, b) => Number(a.data.sequence) - Number(b.data.sequence));
    expect(events.map(({ event, data }) => [event, data.sequence, data.status, data.provider])).toEqual([
      ["notification.queued", 1, "queued", null],
      ["notification.sending", 2, "sending", "Mail"],
      ["notification.sent", 3, "sent", "Mail"],
      ["notification.delivered", 4, "delivered", "Mail"],
    ]);
    expect(events[0]?.data.deliveredAt).toBeNull();
    expect(events[3]).toMatchObject({
      timestamp: "2026-11-20T10:00:00.123Z",
      data: {
        notificationId: id,
        channel: "email",
        to: "ada@example.com",
        deliveredAt: "2026-11-20T10:00:00.123Z",
        application: "shop",
        environment: "production",
        transactionId: `tx-${id}`,
        reason: null,
        failure: null,
        metadata: { orderId: "4711" },
      },
    });
    const states = (await deliveriesOf(db.owner, endpoint.id)).map(({ state, attempts }) => [
      state,
      attempts,
    ]);
    expect(states).toEqual(Array.from({ length: 4 }, () => ["delivered", 1]));
  });

  it("of a failure carries the reason with the provider's own code", async () => {
    const hook = await receiver();
    await endpointAt(world, world.shop, hook.url, { events: ["notification.failed"] });
    const worker = webhookWorker(db.owner, db.worker, world);
    const id = await acceptMessage(db.worker, world, world.shop);
    const failure = {
      code: "invalid_recipient",
      detail: "No such mailbox",
      providerCode: "550",
      providerMessage: "5.1.1",
    };
    await advanceMessage(db.worker, world, id, {
      to: "failed",
      failure,
      data: { provider: "Mail", attempt: 1, failure },
    });
    await worker.runDue();
    expect(hook.received.map(parseEvent)).toMatchObject([
      { event: "notification.failed", data: { status: "failed", provider: "Mail", failure } },
    ]);
  });

  it("tells of a bounce, whether it is for good, and of a complaint", async () => {
    const hook = await receiver();
    await endpointAt(world, world.shop, hook.url, {
      events: ["notification.bounced", "notification.complained"],
    });
    const worker = webhookWorker(db.owner, db.worker, world);
    const [bounced, complained] = [
      await acceptMessage(db.worker, world, world.shop),
      await acceptMessage(db.worker, world, world.shop),
    ];
    await advanceMessage(db.worker, world, bounced, { to: "failed" });
    await advanceMessage(db.worker, world, bounced, {
      to: "bounced",
      data: { source: "receipt", permanent: true },
    });
    await advanceMessage(db.worker, world, complained, { to: "delivered" });
    await advanceMessage(db.worker, world, complained, { to: "complained" });
    await worker.drain();
    const events = hook.received.map(parseEvent);
    expect(events).toHaveLength(2);
    expect(events.find(({ event }) => event === "notification.bounced")?.data).toMatchObject({
      notificationId: bounced,
      status: "failed",
      permanent: true,
    });
    const complaint = events.find(({ event }) => event === "notification.complained");
    expect(complaint?.data).toMatchObject({ notificationId: complained, status: "delivered" });
    expect(complaint?.data).not.toHaveProperty("permanent");
  });

  it("goes to the endpoints of its application and environment that subscribe to it, and to no other", async () => {
    const other = await createWorld(db);
    const [all, deliveredOnly, sandbox, unit, tenant] = await Promise.all(
      [1, 2, 3, 4, 5].map(() => receiver()),
    );
    await endpointAt(world, world.shop, all!.url);
    await endpointAt(world, world.shop, deliveredOnly!.url, { events: ["notification.delivered"] });
    await endpointAt(world, world.shopSandbox, sandbox!.url);
    await endpointAt(world, world.desk, unit!.url);
    await endpointAt(other, other.shop, tenant!.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    const id = await acceptMessage(db.worker, world, world.shop);
    await advanceMessage(db.worker, world, id, { to: "delivered" });
    await worker.runDue();
    await webhookWorker(db.owner, db.worker, other).runDue();
    const kinds = [all, deliveredOnly, sandbox, unit, tenant].map((hook) =>
      hook!.received.map((request) => parseEvent(request).event).sort(),
    );
    expect(kinds).toEqual([
      ["notification.delivered", "notification.queued"],
      ["notification.delivered"],
      [],
      [],
      [],
    ]);
  });

  it("that is not a message's is written in the transaction of its change or not at all", async () => {
    const [orders, sandbox] = await Promise.all([receiver(), receiver()]);
    await endpointAt(world, world.shop, orders.url);
    await endpointAt(world, world.shopSandbox, sandbox.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    const event = {
      event: "consent.opted_out",
      applicationId: null,
      environmentId: null,
      payload: {
        consentId: newId(),
        channel: "sms",
        address: "+4915112345678",
        region: null,
        class: null,
        source: "api",
        at: new Date().toISOString(),
      },
    } as const;
    await inTenant(world.owner, (tx) => enqueueWebhookEvent(world.owner, tx, event));
    const undone = inTenant(world.owner, async (tx) => {
      await enqueueWebhookEvent(world.owner, tx, event);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await worker.runDue()).toBe(1);
    expect(sandbox.received).toHaveLength(0);
    expect(orders.received.map(parseEvent)).toMatchObject([
      {
        event: "consent.opted_out",
        data: { channel: "sms", address: "+4915112345678", application: "shop", environment: "production" },
      },
    ]);
  });
});

describe("a failed attempt", () => {
  it("is repeated on schedule with the same body and id until it succeeds, and each is logged", async () => {
    const hook = await receiver((response, _request, count) =>
      response.writeHead(count < 4 ? 500 : 200).end(`answer ${String(count)}`),
    );
    const endpoint = await endpointAt(world, world.shop, hook.url, { events: ["notification.queued"] });
    const worker = webhookWorker(db.owner, db.worker, world);
    const id = await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    // Later changes of the message do not change this event.
    await advanceMessage(db.worker, world, id, { to: "sending", provider: "Mail" });
    await advanceMessage(db.worker, world, id, { to: "delivered" });
    for (const delay of [5_000, 300_000, 1_800_000]) {
      const [delivery] = await deliveriesOf(db.owner, endpoint.id);
      expect(delivery?.next_attempt_at?.getTime()).toBe(worker.clock.now.getTime() + delay);
      worker.clock.advance(delay - 1);
      expect(await worker.runDue()).toBe(0);
      worker.clock.advance(1);
      expect(await worker.runDue()).toBe(1);
    }
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: 4,
      last_status: 200,
      next_attempt_at: null,
    });
    expect(new Set(hook.received.map((request) => request.body)).size).toBe(1);
    expect(new Set(hook.received.map((request) => request.headers["webhook-id"]))).toEqual(
      new Set([delivery?.id]),
    );
    const detail = await getWebhookDelivery(world.owner, { id: endpoint.id, deliveryId: delivery!.id });
    expect(detail.body).toBe(hook.received[0]?.body);
    expect(
      detail.attemptLog.map(({ number, status, responseBody }) => [number, status, responseBody]),
    ).toEqual([
      [1, 500, "answer 1"],
      [2, 500, "answer 2"],
      [3, 500, "answer 3"],
      [4, 200, "answer 4"],
    ]);
    expect(await queuedJobs(db.owner, world.tenantId)).toEqual([]);
  });

  it("follows the endpoint's own schedule and ends as failed when that is used up", async () => {
    const hook = await receiver((response) => response.writeHead(503).end());
    const endpoint = await endpointAt(world, world.shop, hook.url, { retrySchedule: [0, 60] });
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    worker.clock.advance(60_000);
    expect(await worker.runDue()).toBe(1);
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([
      { state: "failed", attempts: 2, last_status: 503, next_attempt_at: null },
    ]);
    expect(await queuedJobs(db.owner, world.tenantId)).toEqual([]);
  });

  it("waits as long as Retry-After asks, but at most twice the scheduled delay", async () => {
    const hook = await receiver((response, _request, count) =>
      response.writeHead(429, { "retry-after": count === 1 ? "7" : "86400" }).end(),
    );
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    for (const delay of [7_000, 600_000]) {
      await worker.runDue();
      const [delivery] = await deliveriesOf(db.owner, endpoint.id);
      expect(delivery?.next_attempt_at?.getTime()).toBe(worker.clock.now.getTime() + delay);
      worker.clock.advance(delay);
    }
  });

  it("that is a redirect is not followed, and one that cannot connect says so", async () => {
    const target = await receiver();
    const hook = await receiver((response) => response.writeHead(302, { location: target.url }).end());
    const redirected = await endpointAt(world, world.shop, hook.url);
    const closed = await endpointAt(world, world.shop, "http://127.0.0.1:1/hook");
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    expect(target.received).toHaveLength(0);
    expect(await deliveriesOf(db.owner, redirected.id)).toMatchObject([
      { state: "pending", last_status: 302 },
    ]);
    const [refused] = await deliveriesOf(db.owner, closed.id);
    expect(refused).toMatchObject({ state: "pending", last_status: null });
    expect(refused?.last_error).toMatch(/^connect: /);
  });

  it("that left no trace because the worker died is repeated, and a repeated job repeats none", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    await Promise.all([worker.deliver(delivery!.id), worker.deliver(delivery!.id)]);
    await worker.runDue();
    await worker.deliver(delivery!.id);
    expect(hook.received).toHaveLength(1);

    for (let i = 0; i < 3; i++) await acceptMessage(db.worker, world, world.shop);
    await db.owner.query("DELETE FROM graphile_worker._private_jobs WHERE payload->>'tenantId' = $1", [
      world.tenantId,
    ]);
    await db.owner.query(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '1 minute'
       WHERE tenant_id = $1 AND state = 'pending'`,
      [world.tenantId],
    );
    expect(await sweepWebhooks({ db: db.worker })).toBe(3);
    expect(await sweepWebhooks({ db: db.worker })).toBe(0);
    await worker.drain();
    expect(hook.received).toHaveLength(4);
  });
});

describe("a worker with a wrong clock", () => {
  afterEach(() => vi.useRealTimers());

  it.each([
    ["behind", -60_000],
    ["ahead", 60_000],
  ])("delivers as the database's clock says: %s", async (_, skew) => {
    let refuse = true;
    const hook = await receiver((response) => {
      response.writeHead(refuse ? 503 : 204).end();
    });
    const endpoint = await endpointAt(world, world.shop, hook.url);
    await acceptMessage(db.worker, world, world.shop);
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    const right = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: right + skew });
    const deliverer = createWebhookDeliverer({ db: db.worker, outbound: loopbackClient() });
    const deliver = () => deliverer.deliver({ tenantId: world.tenantId, deliveryId: delivery!.id });
    await deliver();
    await deliverer.settled();
    expect(hook.received).toHaveLength(1);
    const signedAt = Number(hook.received[0]?.headers["webhook-timestamp"]) * 1_000;
    expect(Math.abs(signedAt - right)).toBeLessThan(30_000);
    // Not before its time.
    refuse = false;
    await deliver();
    expect(hook.received).toHaveLength(1);
    const [waiting] = await deliveriesOf(db.owner, endpoint.id);
    expect(Math.abs((waiting?.next_attempt_at?.getTime() ?? 0) - right)).toBeLessThan(45_000);
    await db.owner.query("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = $1", [
      delivery!.id,
    ]);
    await deliver();
    await deliverer.settled();
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([{ state: "delivered", attempts: 2 }]);
  });

  it("enqueues, tests and replays by the database's clock too", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const ahead = { ...world.owner, now: () => new Date(Date.now() + 60_000) };
    await sendTestEvent(ahead, { id: endpoint.id });
    const deliverer = createWebhookDeliverer({ db: db.worker, outbound: loopbackClient() });
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    await deliverer.deliver({ tenantId: world.tenantId, deliveryId: delivery!.id });
    await deliverer.settled();
    expect(hook.received).toHaveLength(1);
    await replayWebhookDelivery(ahead, { id: endpoint.id, deliveryId: delivery!.id });
    await deliverer.deliver({ tenantId: world.tenantId, deliveryId: delivery!.id });
    await deliverer.settled();
    expect(hook.received).toHaveLength(2);
  });
});

describe("the log of an attempt", () => {
  it("has the headers as they were sent, also after the secret was rotated, and never the secret", async () => {
    const hook = await receiver((response) => response.writeHead(500).end());
    const endpoint = await endpointAt(world, world.shop, hook.url, { retrySchedule: [0, 5] });
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    const { secret } = await rotateWebhookSecret(world.owner, { id: endpoint.id });
    worker.clock.advance(10_000);
    await worker.runDue();
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    const asked = { id: endpoint.id, deliveryId: delivery!.id };
    const { attemptLog } = await getWebhookDelivery(world.owner, asked);
    expect(attemptLog).toHaveLength(2);
    hook.received.forEach(({ headers }, index) => {
      expect(headers).toMatchObject(attemptLog[index]?.requestHeaders ?? { none: true });
      expect(Object.keys(attemptLog[index]?.requestHeaders ?? {})).toContain("webhook-signature");
    });
    for (const each of [secret, endpoint.secret])
      expect(JSON.stringify(attemptLog)).not.toContain(each.slice("whsec_".length));

    // Who may not read content gets no signature of it either.
    const key = keyCtx(world, ["webhooks:manage"], { applicationId: world.shop.applicationId });
    const masked = await getWebhookDelivery(key, asked);
    expect(masked.attemptLog.map(({ requestHeaders }) => requestHeaders?.["webhook-signature"])).toEqual([
      "•••",
      "•••",
    ]);
  });
});

describe("a secret that was rotated away", () => {
  it("signs for its own 24 hours, however often the secret is rotated in that time, and no longer", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const rotateBefore = (hours: number) =>
      rotateWebhookSecret(
        { ...world.owner, now: () => new Date(Date.now() - hours * 3_600_000) },
        { id: endpoint.id },
      );
    const second = await rotateBefore(25);
    const third = await rotateBefore(23);
    const fourth = await rotateBefore(1);
    const current = await rotateBefore(0);
    await sendTestEvent(world.owner, endpoint);
    await webhookWorker(db.owner, db.worker, world).drain();
    const [event] = hook.received;
    expect(() => verifyHeaders(endpoint.secret, event!)).toThrow();
    for (const { secret } of [second, third, fourth, current]) verifyHeaders(secret, event!);
    verifyBody(current.secret, event!.body);
  });

  it("is one of the newest ten, so that no header becomes too long", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const secrets = [endpoint.secret];
    for (let i = 0; i < 11; i += 1) secrets.push((await rotateWebhookSecret(world.owner, endpoint)).secret);
    await sendTestEvent(world.owner, endpoint);
    await webhookWorker(db.owner, db.worker, world).drain();
    const [event] = hook.received;
    expect(() => verifyHeaders(secrets[0]!, event!)).toThrow();
    for (const secret of secrets.slice(1)) verifyHeaders(secret, event!);
  });
});

describe("a call that takes long", () => {
  it("leaves its slot, with a job that repeats it only if the process died", async () => {
    const held: ServerResponse[] = [];
    const hook = await receiver((response) => held.push(response));
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world, { detachAfterMs: 0 });
    await acceptMessage(db.worker, world, world.shop);
    // Returns although the receiver has not answered.
    await worker.runDue();
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([{ state: "pending", attempts: 0 }]);
    expect(await queuedJobs(db.owner, world.tenantId)).toHaveLength(1);

    // Another process finds the job when it is due: the first has died, as far as anybody knows.
    const survivor = webhookWorker(db.owner, db.worker, world);
    survivor.clock.advance(60_000);
    const second = survivor.runDue();
    await vi.waitFor(() => {
      expect(held).toHaveLength(2);
    }, 10_000);
    held[1]?.writeHead(200).end();
    await second;
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([{ state: "delivered", attempts: 1 }]);

    // It had not: its late answer is logged and changes nothing.
    held[0]?.writeHead(500).end();
    await worker.settled();
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([
      { state: "delivered", attempts: 2, last_status: 200, next_attempt_at: null },
    ]);
    expect(await queuedJobs(db.owner, world.tenantId)).toEqual([]);
  });
});
