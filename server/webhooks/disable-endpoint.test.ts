import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
  parseEvent,
  verifyBody,
  verifyHeaders,
  webhookWorker,
} from "../testing/webhook-world.ts";
import type { World } from "../testing/webhook-world.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { testDatabase } from "../testing/database.ts";
import { waiting } from "../testing/sign-ins.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { getWebhookEndpoint } from "./get-webhook-endpoint.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";

const db = await testDatabase();
let world: World;

beforeEach(async () => {
  world = await createWorld(db);
});
afterEach(closeReceivers);

describe("an endpoint", () => {
  const day = 24 * 3_600_000;

  it("that has succeeded at the very moment is not switched off for the five days before", async () => {
    const { id, url } = await endpointAt(world, world.shop, "https://127.0.0.1/hook");
    await db.owner.query(
      "UPDATE webhook_endpoints SET failing_since = now() - interval '6 days' WHERE id = $1",
      [id],
    );
    await db.owner.query(
      `WITH d AS (
         INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, at)
         SELECT $1, uuidv7_new(), $2, 'webhook.test', now() FROM generate_series(1, 5) RETURNING tenant_id, id
       ) INSERT INTO webhook_attempts (tenant_id, delivery_id, number, started_at, duration_ms)
         SELECT tenant_id, id, 1, now(), 1 FROM d`,
      [world.tenantId, id],
    );
    const ctx = systemCtx(db.worker, world.tenantId, "Webhooks");
    const off = () => disableEndpoint(ctx, { endpointId: id, url, reason: "failing" });
    const client = await db.owner.connect();
    await client.query("BEGIN");
    await client.query("UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1", [id]);
    const disabling = off();
    await waiting(db, 1);
    await client.query("COMMIT");
    client.release();
    await disabling;
    expect(await getWebhookEndpoint(world.owner, { id })).toMatchObject({ enabled: true });
    await db.owner.query(
      "UPDATE webhook_endpoints SET failing_since = now() - interval '6 days' WHERE id = $1",
      [id],
    );
    await off();
    expect(await getWebhookEndpoint(world.owner, { id })).toMatchObject({ disabledReason: "failing" });
  });

  it("that fails for five days is switched off, and its owner and the other endpoints are notified", async () => {
    const broken = await receiver((response) => response.writeHead(500).end());
    const good = await receiver();
    const endpoint = await endpointAt(world, world.shop, broken.url);
    await endpointAt(world, world.shop, good.url, { events: ["processing.error"] });
    const developer = await world.tenant.addMember("developer");
    const elsewhere = await world.tenant.addMember("developer", { unitId: world.desk.unitId });
    const told = async () => {
      const { rows } = await db.owner.query<{ user_id: string; data: object; read: boolean }>(
        "SELECT user_id, data, read_at IS NOT NULL AS read FROM notices WHERE tenant_id = $1 AND kind = 'webhook.turned_off'",
        [world.tenantId],
      );
      return rows;
    };
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
    const notice = { data: { host: new URL(broken.url).host, reason: "failing" }, read: false };
    expect(await told()).toContainEqual({ user_id: developer.id, ...notice });
    expect((await told()).map((each) => each.user_id)).not.toContain(elsewhere.id);
    worker.clock.advance(5 * day);
    await worker.drain();
    expect(good.received.map(parseEvent)).toMatchObject([
      { event: "processing.error", data: { code: "webhook_failing", webhookId: endpoint.id } },
    ]);
    const states = new Set((await deliveriesOf(db.owner, endpoint.id)).map(({ state }) => state));
    expect(states).toEqual(new Set(["discarded"]));
    expect(await queuedJobs(db.owner, world.tenantId)).toEqual([]);

    const enabled = await updateWebhookEndpoint(world.owner, { id: endpoint.id, changes: { enabled: true } });
    expect(enabled).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    expect((await told()).every(({ read }) => read)).toBe(true);
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

  it("that answers 410 is switched off at once, and its pending deliveries are kept as missed", async () => {
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

  it("that got another address is not switched off by what its old one answers", async () => {
    const good = await receiver();
    const moved = async (id: string) => {
      await updateWebhookEndpoint(world.owner, { id, changes: { url: good.url } });
    };
    const old = await receiver((response, _request, count) => {
      // The address is changed while the second call is open.
      if (count === 1) response.writeHead(500).end();
      else void moved(endpoint.id).then(() => response.writeHead(410).end());
    });
    const endpoint = await endpointAt(world, world.shop, old.url, { retrySchedule: [0] });
    const worker = webhookWorker(db.owner, db.worker, world);
    const id = await acceptMessage(db.worker, world, world.shop);
    await worker.drain();
    expect((await getWebhookEndpoint(world.owner, endpoint)).failingSince).not.toBeNull();
    await advanceMessage(db.worker, world, id, { to: "delivered" });
    await worker.drain();
    expect(old.received).toHaveLength(2);
    expect(await getWebhookEndpoint(world.owner, endpoint)).toMatchObject({ enabled: true, url: good.url });
    await acceptMessage(db.worker, world, world.shop);
    await worker.drain();
    expect(good.received).toHaveLength(1);
  });

  it("that got another address has not been failing there, however long the old one failed", async () => {
    const broken = await receiver((response) => response.writeHead(500).end());
    const other = await receiver((response) => response.writeHead(503).end());
    const endpoint = await endpointAt(world, world.shop, broken.url, { retrySchedule: [0] });
    const worker = webhookWorker(db.owner, db.worker, world);
    for (const hook of [broken, other]) {
      const changes = { url: hook.url };
      const changed = await updateWebhookEndpoint(world.owner, { id: endpoint.id, changes });
      expect(changed.failingSince).toBeNull();
      // Not quite five days each.
      for (let attempt = 0; attempt < 5; attempt++) {
        await acceptMessage(db.worker, world, world.shop);
        await worker.runDue();
        worker.clock.advance(day);
      }
    }
    expect(await getWebhookEndpoint(world.owner, endpoint)).toMatchObject({ enabled: true });
  });

  it("that was deleted or switched off by hand is not called any more; what one that is off misses is kept", async () => {
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
    expect(await deliveriesOf(db.owner, off.id)).toMatchObject([
      { state: "discarded" },
      { state: "discarded" },
    ]);
  });

  it("whose secret was rotated gets both signatures for 24 hours, then only the new one", async () => {
    const hook = await receiver();
    const endpoint = await endpointAt(world, world.shop, hook.url);
    const rotated = await rotateWebhookSecret(world.owner, endpoint);
    expect(rotated.secret).not.toBe(endpoint.secret);
    const worker = webhookWorker(db.owner, db.worker, world);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    verifyHeaders(rotated.secret, hook.received[0]!);
    verifyHeaders(endpoint.secret, hook.received[0]!);
    verifyBody(rotated.secret, hook.received[0]!.body);

    worker.clock.advance(day + 60_000);
    await acceptMessage(db.worker, world, world.shop);
    await worker.runDue();
    expect(String(hook.received[1]!.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  });

  it("on a private address is never dialled, even if its name comes to point there later", async () => {
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
