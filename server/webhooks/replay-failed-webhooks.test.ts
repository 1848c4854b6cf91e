import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { codeOf } from "../testing/refusal.ts";
import {
  acceptMessage,
  advanceMessage,
  closeReceivers,
  createWorld,
  deliveriesOf,
  endpointAt,
  keyCtx,
  parseEvent,
  queuedJobs,
  receiver,
  verifyHeaders,
  webhookWorker,
} from "../testing/webhook-world.ts";
import type { World } from "../testing/webhook-world.ts";
import { enqueueWebhookEvent } from "./enqueue-webhook-event.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { listWebhookDeliveries } from "./list-webhook-deliveries.ts";
import { replayFailedWebhooks } from "./replay-failed-webhooks.ts";
import { replayWebhookDelivery } from "./replay-webhook-delivery.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";

const db = await testDatabase();
let world: World;

beforeEach(async () => {
  world = await createWorld(db);
});
afterEach(closeReceivers);

describe("a replay", () => {
  it("of one delivery posts the same body under the same id, with a fresh schedule", async () => {
    let broken = true;
    const hook = await receiver((response) => response.writeHead(broken ? 500 : 200).end());
    const endpoint = await endpointAt(world, world.shop, hook.url, { retrySchedule: [0, 10] });
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    worker.clock.advance(10_000);
    await worker.runDue();
    const [failed] = await deliveriesOf(db.owner, endpoint.id);
    expect(failed).toMatchObject({ state: "failed", attempts: 2 });

    const replayed = await replayWebhookDelivery(world.owner, { id: endpoint.id, deliveryId: failed!.id });
    expect(replayed).toMatchObject({ id: failed!.id, state: "pending" });
    expect(
      await codeOf(replayWebhookDelivery(world.owner, { id: endpoint.id, deliveryId: failed!.id })),
    ).toBe("conflict");
    await worker.runDue();
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([{ state: "pending", attempts: 3 }]);
    broken = false;
    worker.clock.advance(10_000);
    await worker.runDue();
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([{ state: "delivered", attempts: 4 }]);
    expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(hook.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([failed!.id]));
  });

  it("of a delivery that waits for its next attempt makes that attempt at once and keeps the schedule", async () => {
    const hook = await receiver((response) => response.writeHead(500).end());
    const endpoint = await endpointAt(world, world.shop, hook.url, { retrySchedule: [0, 600, 900] });
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    const retry = (id: string) => replayWebhookDelivery(world.owner, { id: endpoint.id, deliveryId: id });
    const [fresh] = await deliveriesOf(db.owner, endpoint.id);
    // Its first attempt is due already.
    expect(await codeOf(retry(fresh!.id))).toBe("conflict");
    await worker.runDue();
    expect(hook.received).toHaveLength(1);
    await worker.runDue();
    expect(hook.received).toHaveLength(1);

    await retry(fresh!.id);
    await worker.runDue();
    expect(hook.received).toHaveLength(2);
    // The second attempt was the schedule's second: one is left.
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([{ state: "pending", attempts: 2 }]);
    worker.clock.advance(1_200_000);
    await worker.runDue();
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([{ state: "failed", attempts: 3 }]);
    await worker.drain();
    expect(hook.received).toHaveLength(3);
  });

  it("of everything since a moment covers what failed or was discarded since then, and nothing else", async () => {
    let status = 500;
    const hook = await receiver((response) => response.writeHead(status).end());
    const endpoint = await endpointAt(world, world.shop, hook.url, { retrySchedule: [0] });
    const worker = webhookWorker(db.owner, db.worker, world);
    const settle = async () => {
      const id = await acceptMessage(db.worker, world, world.shop);
      await worker.runDue();
      return id;
    };
    await settle();
    const { rows } = await db.owner.query<{ now: Date }>(
      "SELECT date_trunc('milliseconds', now()) + '1 ms' AS now",
    );
    // Ids carry milliseconds.
    while (Date.now() <= rows[0]!.now.getTime()) await new Promise(setImmediate);
    const since = rows[0]!.now.toISOString();
    const failed = await settle();
    status = 200;
    await settle();
    const discarded = await acceptMessage(db.worker, world, world.shop);
    await updateWebhookEndpoint(world.owner, { id: endpoint.id, changes: { enabled: false } });
    await worker.runDue();
    expect(await codeOf(replayFailedWebhooks(world.owner, { id: endpoint.id, since }))).toBe("conflict");
    await updateWebhookEndpoint(world.owner, { id: endpoint.id, changes: { enabled: true } });

    const before = hook.received.length;
    expect(await replayFailedWebhooks(world.owner, { id: endpoint.id, since })).toEqual({
      replayed: 2,
      complete: true,
    });
    await worker.drain();
    const replayed = hook.received.slice(before).map((request) => parseEvent(request).data.notificationId);
    expect(replayed.sort()).toEqual([failed, discarded].sort());
    expect((await deliveriesOf(db.owner, endpoint.id)).map(({ state }) => state)).toEqual([
      "failed",
      "delivered",
      "delivered",
      "delivered",
    ]);
  });
});

describe("an endpoint that was off", () => {
  it.each(["manual", "gone"] as const)(
    "misses nothing that it asks for, once it is on again: %s",
    async (how) => {
      let status = 200;
      const hook = await receiver((response) => response.writeHead(status).end());
      const endpoint = await endpointAt(world, world.shop, hook.url);
      const worker = webhookWorker(db.owner, db.worker, world);
      const since = new Date(Date.now() - 1_000).toISOString();
      if (how === "manual") {
        await updateWebhookEndpoint(world.owner, { id: endpoint.id, changes: { enabled: false } });
      } else {
        status = 410;
        await acceptMessage(db.worker, world, world.shop);
        await worker.drain();
      }
      const before = hook.received.length;
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) {
        const id = await acceptMessage(db.worker, world, world.shop);
        for (const to of ["sending", "sent", "delivered"]) await advanceMessage(db.worker, world, id, { to });
        ids.push(id);
      }
      await inTenant(world.owner, (tx) =>
        enqueueWebhookEvent(world.owner, tx, {
          event: "processing.error",
          applicationId: null,
          environmentId: null,
          payload: { code: "test", detail: "Something happened" },
        }),
      );
      expect(await queuedJobs(db.owner, world.tenantId)).toEqual([]);
      await worker.drain();
      expect(hook.received).toHaveLength(before);

      status = 200;
      await updateWebhookEndpoint(world.owner, { id: endpoint.id, changes: { enabled: true } });
      await replayFailedWebhooks(world.owner, { id: endpoint.id, since });
      await worker.drain();
      const events = hook.received.slice(before).map(parseEvent);
      for (const id of ids) {
        expect(
          events
            .filter(({ data }) => data.notificationId === id)
            .map(({ data }) => data.sequence)
            .sort(),
        ).toEqual([1, 2, 3, 4]);
      }
      expect(events.filter(({ data }) => data.code === "test")).toHaveLength(1);
    },
  );
});

describe("the log of an endpoint", () => {
  it("is filtered by state and event and paged, newest first", async () => {
    const hook = await receiver((response, request) =>
      response.writeHead(request.body.includes("notification.delivered") ? 500 : 200).end(),
    );
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    for (let i = 0; i < 3; i++) {
      const id = await acceptMessage(db.worker, world, world.shop);
      await advanceMessage(db.worker, world, id, { to: "delivered" });
      await worker.drain();
    }
    const list = (more: object) =>
      listWebhookDeliveries(world.owner, { id: endpoint.id, limit: 50, ...more });
    const all = (await list({})).data;
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect(all).toHaveLength(6);
    expect((await list({ state: "pending" })).data).toEqual(all.filter(({ state }) => state === "pending"));
    expect((await list({ state: "pending" })).data).toHaveLength(3);
    expect((await list({ event: "notification.queued" })).data).toEqual(
      all.filter(({ event }) => event === "notification.queued"),
    );
    const first = await list({ limit: 4 });
    const second = await list({ limit: 4, cursor: first.nextCursor });
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.nextCursor).toBeNull();
  });

  it("hides addresses and answers from those who may not see messages", async () => {
    const hook = await receiver((response, request) => response.writeHead(200).end(request.body));
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    const input = { id: endpoint.id, deliveryId: delivery!.id };
    const blind = await getWebhookDelivery(keyCtx(world, ["webhooks:manage"]), input);
    expect(blind.masked).toBe(true);
    expect(JSON.stringify(blind)).not.toContain("ada@example.com");
    expect(blind.body).not.toContain("signature");
    const seeing = await getWebhookDelivery(world.owner, input);
    expect(seeing).toMatchObject({ masked: false, body: hook.received[0]?.body });
    expect(seeing.attemptLog[0]?.responseBody).toBe(hook.received[0]?.body);
  });

  it("keeps the beginning of an answer, whatever bytes it is made of", async () => {
    const hook = await receiver((response) =>
      response.writeHead(200).end(Buffer.concat([Buffer.from("a\0b\u{1f4e8}"), Buffer.alloc(5_000, 0xff)])),
    );
    const endpoint = await endpointAt(world, world.shop, hook.url);
    await acceptMessage(db.worker, world, world.shop);
    await webhookWorker(db.owner, db.worker, world).runDue();
    const [delivery] = await deliveriesOf(db.owner, endpoint.id);
    expect(delivery?.state).toBe("delivered");
    const detail = await getWebhookDelivery(world.owner, { id: endpoint.id, deliveryId: delivery!.id });
    expect(detail.attemptLog[0]?.responseBody).toMatch(/^a\uFFFDb\u{1f4e8}\uFFFD+$/u);
    expect(detail.attemptLog[0]?.responseBody?.length).toBeLessThanOrEqual(2_048);
  });
});

describe("a test event", () => {
  it("arrives signed and is logged like any other, whatever the endpoint's filter", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url, { events: ["link.clicked"] });
    const delivery = await sendTestEvent(world.owner, endpoint);
    await webhookWorker(db.owner, db.worker, world).runDue();
    verifyHeaders(endpoint.secret, hook.received[0]!);
    expect(hook.received.map(parseEvent)).toMatchObject([
      { event: "webhook.test", data: { webhookId: endpoint.id, application: "shop" } },
    ]);
    expect(await deliveriesOf(db.owner, endpoint.id)).toMatchObject([
      { id: delivery.id, state: "delivered" },
    ]);
  });
});
