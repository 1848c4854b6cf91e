import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTenant } from "../kernel/db.ts";
import {
  acceptMessage,
  advanceMessage,
  closeReceivers,
  createWorld,
  deliveriesOf,
  endpointAt,
  loopbackClient,
  queuedJobs,
  receiver,
  webhookWorker,
} from "../testing/webhook-world.ts";
import type { Received, World } from "../testing/webhook-world.ts";
import { testDatabase } from "../testing/database.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { enqueueWebhookEvent } from "./enqueue-webhook-event.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { getWebhookEndpoint } from "./get-webhook-endpoint.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { sweepWebhooks } from "./sweep-webhooks.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";

const db = await testDatabase();
let world: World;

beforeEach(async () => {
  world = await createWorld(db);
});
afterEach(closeReceivers);

const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

function verifyBody(secret: string, body: string): void {
  const end = /,"signature":"sha256=([0-9a-f]{64})"\}$/.exec(body);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${body.slice(0, end?.index)}}`;
  expect(createHmac("sha256", key).update(signed).digest("hex")).toBe(end?.[1]);
}

interface Event {
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
}
const parse = ({ body }: Received) => JSON.parse(body) as Event;

describe("an event", () => {
  it("is posted for every change of a message, signed both ways, with what was true when it happened", async () => {
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
      verify(endpoint.secret, request);
      verifyBody(endpoint.secret, request.body);
      expect(request.headers["content-type"]).toBe("application/json");
    }
    const events = hook.received.map(parse).sort((a, b) => Number(a.data.sequence) - Number(b.data.sequence));
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
    expect(hook.received.map(parse)).toMatchObject([
      { event: "notification.failed", data: { status: "failed", provider: "Mail", failure } },
    ]);
  });

  it("goes to the endpoints of its application and environment that ask for it, and to no other", async () => {
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
      hook!.received.map((request) => parse(request).event).sort(),
    );
    expect(kinds).toEqual([
      ["notification.delivered", "notification.queued"],
      ["notification.delivered"],
      [],
      [],
      [],
    ]);
  });

  it("that is not a message's is owed in the transaction of its change or not at all", async () => {
    const [orders, sandbox] = await Promise.all([receiver(), receiver()]);
    await endpointAt(world, world.shop, orders.url);
    await endpointAt(world, world.shopSandbox, sandbox.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    const event = {
      event: "consent.opted_out",
      applicationId: null,
      environmentId: null,
      payload: { channel: "sms", address: "+4915112345678" },
    } as const;
    await inTenant(world.owner, (tx) => enqueueWebhookEvent(world.owner, tx, event));
    const undone = inTenant(world.owner, async (tx) => {
      await enqueueWebhookEvent(world.owner, tx, event);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await worker.runDue()).toBe(1);
    expect(sandbox.received).toHaveLength(0);
    expect(orders.received.map(parse)).toMatchObject([
      {
        event: "consent.opted_out",
        data: { channel: "sms", address: "+4915112345678", application: "shop", environment: "production" },
      },
    ]);
  });
});

describe("a failed attempt", () => {
  it("is made again on schedule with the same body and id until it succeeds, and each is logged", async () => {
    const hook = await receiver((response, _request, count) =>
      response.writeHead(count < 4 ? 500 : 200).end(`answer ${String(count)}`),
    );
    const endpoint = await endpointAt(world, world.shop, hook.url, { events: ["notification.queued"] });
    const worker = webhookWorker(db.owner, db.worker, world);
    const id = await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    // What becomes of the message later changes nothing in what this event says.
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

  it("of which the worker's death left no trace is made again, and a repeated job makes none", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    await Promise.all([worker.deliver(delivery!.id), worker.deliver(delivery!.id)]);
    await worker.runDue();
    await worker.deliver(delivery!.id);
    expect(hook.received).toHaveLength(1);

    await acceptMessage(db.worker, world, world.shop);
    await db.owner.query("DELETE FROM graphile_worker._private_jobs");
    const later = { db: db.worker, now: () => new Date(Date.now() + 60_000) };
    expect(await sweepWebhooks(later)).toBe(1);
    expect(await sweepWebhooks(later)).toBe(0);
    await worker.runDue();
    expect(hook.received).toHaveLength(2);
  });
});

describe("an endpoint", () => {
  const day = 24 * 3_600_000;

  it("that fails for five days is switched off, and its owner and the other endpoints are told", async () => {
    const broken = await receiver((response) => response.writeHead(500).end());
    const good = await receiver();
    const endpoint = await endpointAt(world, world.shop, broken.url);
    await endpointAt(world, world.shop, good.url, { events: ["processing.error"] });
    const worker = webhookWorker(db.owner, db.worker, world);
    for (let i = 0; i < 7; i++) {
      await acceptMessage(db.worker, world, world.shop);
      await worker.runDue();
      worker.clock.advance(day);
    }
    expect(await getWebhookEndpoint(world.owner, endpoint)).toMatchObject({
      enabled: false,
      disabledReason: "failing",
    });
    const audit = await db.owner.query(
      "SELECT action, actor_type FROM audit_events WHERE tenant_id = $1 AND action = 'webhook.disabled'",
      [world.tenantId],
    );
    expect(audit.rows).toEqual([{ action: "webhook.disabled", actor_type: "system" }]);
    worker.clock.advance(5 * day);
    await worker.drain();
    expect(good.received.map(parse)).toMatchObject([
      { event: "processing.error", data: { code: "webhook_failing", webhookId: endpoint.id } },
    ]);
    const states = new Set((await deliveriesOf(db.owner, endpoint.id)).map(({ state }) => state));
    expect(states).toEqual(new Set(["discarded"]));
    expect(await queuedJobs(db.owner, world.tenantId)).toEqual([]);

    const enabled = await updateWebhookEndpoint(world.owner, { id: endpoint.id, changes: { enabled: true } });
    expect(enabled).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
  });

  it("that succeeds now and then stays on however often it fails", async () => {
    let failing = true;
    const hook = await receiver((response) => response.writeHead(failing ? 500 : 204).end());
    const endpoint = await endpointAt(world, world.shop, hook.url, { retrySchedule: [0] });
    const worker = webhookWorker(db.owner, db.worker, world);
    for (let i = 0; i < 20; i++) {
      failing = i % 4 !== 3;
      await acceptMessage(db.worker, world, world.shop);
      await worker.runDue();
      worker.clock.advance(day);
    }
    expect(await getWebhookEndpoint(world.owner, endpoint)).toMatchObject({ enabled: true });
  });

  it("that is called rarely stays on when only a few attempts in days failed", async () => {
    const hook = await receiver((response) => response.writeHead(500).end());
    const endpoint = await endpointAt(world, world.shop, hook.url, { retrySchedule: [0] });
    const worker = webhookWorker(db.owner, db.worker, world);
    for (let i = 0; i < 3; i++) {
      await acceptMessage(db.worker, world, world.shop);
      await worker.runDue();
      worker.clock.advance(6 * day);
    }
    expect(await getWebhookEndpoint(world.owner, endpoint)).toMatchObject({ enabled: true });
  });

  it("that answers 410 is switched off at once, and what it was owed is discarded", async () => {
    const hook = await receiver((response) => response.writeHead(410).end());
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    const id = await acceptMessage(db.worker, world, world.shop);
    await advanceMessage(db.worker, world, id, { to: "delivered" });
    const [first, second] = await deliveriesOf(db.owner, endpoint.id);
    await worker.deliver(first!.id);
    await worker.deliver(second!.id);
    expect(hook.received).toHaveLength(1);
    expect(await getWebhookEndpoint(world.owner, endpoint)).toMatchObject({
      enabled: false,
      disabledReason: "gone",
    });
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([
      { state: "failed" },
      { state: "discarded" },
    ]);
  });

  it("that was deleted or switched off by hand is not called any more", async () => {
    const hook = await receiver();
    const deleted = await endpointAt(world, world.shop, hook.url);
    const off = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await deleteWebhookEndpoint(world.owner, deleted);
    await updateWebhookEndpoint(world.owner, { id: off.id, changes: { enabled: false } });
    await worker.runDue();
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    expect(hook.received).toHaveLength(0);
    expect(await deliveriesOf(db.owner, deleted.id)).toMatchObject([{ state: "discarded" }]);
    expect(await deliveriesOf(db.owner, off.id)).toMatchObject([{ state: "discarded" }]);
  });

  it("whose secret was rotated gets both signatures for 24 hours, then the new one alone", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const rotated = await rotateWebhookSecret(world.owner, endpoint);
    expect(rotated.secret).not.toBe(endpoint.secret);
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    verify(rotated.secret, hook.received[0]!);
    verify(endpoint.secret, hook.received[0]!);
    verifyBody(rotated.secret, hook.received[0]!.body);

    worker.clock.advance(day + 60_000);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    expect(String(hook.received[1]!.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  });

  it("on a private address is never dialled, also when its name comes to point there later", async () => {
    const hook = await receiver();
    const port = new URL(hook.url).port;
    const endpoint = await endpointAt(world, world.shop, hook.url);
    await db.owner.query("UPDATE webhook_endpoints SET url = $2 WHERE id = $1", [
      endpoint.id,
      `https://rebound.example:${port}/hook`,
    ]);
    const outbound = loopbackClient({
      allow: [],
      resolver: () => Promise.resolve(["127.0.0.1", "::1", "10.0.0.1"]),
    });
    const worker = webhookWorker(db.owner, db.worker, world, { outbound });
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    expect(hook.connections).toBe(0);
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    expect(delivery).toMatchObject({ state: "pending", attempts: 1, last_status: null });
    expect(delivery?.last_error).toMatch(/^blocked: /);
  });
});
