import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logger } from "../../server/kernel/log.ts";
import {
  acceptMessage,
  closeReceivers,
  createWorld,
  deliveriesOf,
  endpointAt,
  loopbackClient,
  receiver,
} from "../../server/testing/webhook-world.ts";
import type { World } from "../../server/testing/webhook-world.ts";
import { testDatabase } from "../../server/testing/database.ts";
import { deliverWebhook } from "../../server/webhooks/tasks.ts";
import { startRunner } from "../runners.ts";
import { createDeliverWebhookTask } from "./deliver-webhook.ts";

const db = await testDatabase();
let world: World;
/** Shorter than the 15 s after which a call to a tarpit ends. */
const soon = { timeout: 14_000, interval: 50 };
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  world = await createWorld(db);
});
afterEach(async () => {
  // Receivers first: closing them ends the calls that are still open.
  await closeReceivers();
  for (const stop of stops.splice(0)) await stop();
});

/** The webhook runner of a worker process, as the worker starts it. */
async function startWorker(outbound = loopbackClient()): Promise<void> {
  const task = createDeliverWebhookTask({ db: db.worker, outbound });
  const runner = await startRunner(
    { name: "webhook", concurrency: 64, fetch: 128, tasks: { [deliverWebhook.name]: task } },
    { pool: db.worker.pool, log: logger(), onPool: () => undefined },
  );
  stops.push(async () => {
    await runner.stop();
    await task.settled();
  });
}

async function acceptMessages(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await acceptMessage(db.worker, world, world.shop);
}

describe("misbehaving receivers", () => {
  it("hold up nobody: the healthy ones get everything while every call to a tarpit is still open", async () => {
    const open = new Map<string, number>();
    let mostOpen = 0;
    let answered = 0;
    const hang = (name: string) => (response: ServerResponse) => {
      const now = (open.get(name) ?? 0) + 1;
      open.set(name, now);
      mostOpen = Math.max(mostOpen, now);
      response.on("close", () => {
        open.set(name, (open.get(name) ?? 1) - 1);
        answered++;
      });
    };
    for (let i = 0; i < 20; i++) {
      const tarpit = await receiver(hang(`tarpit ${String(i)}`));
      await endpointAt(world, world.shop, tarpit.url);
    }
    for (let i = 0; i < 5; i++) {
      const hanging = hang(`drip ${String(i)}`);
      const drip = await receiver((response) => {
        hanging(response);
        response.writeHead(200, { "content-length": "1000000" });
        const timer = setInterval(() => response.write("x"), 50);
        response.on("close", () => {
          clearInterval(timer);
        });
      });
      await endpointAt(world, world.shop, drip.url);
    }
    const healthy = await Promise.all([1, 2, 3].map(() => receiver()));
    for (const hook of healthy) await endpointAt(world, world.shop, hook.url);

    await startWorker();
    await acceptMessages(60);
    await vi.waitFor(() => {
      expect(healthy.map((hook) => hook.received.length)).toEqual([60, 60, 60]);
    }, soon);
    expect(answered).toBe(0);
    expect(mostOpen).toBeLessThanOrEqual(10);
    expect([...open.values()].every((count) => count > 0)).toBe(true);
  });

  it("get a bounded amount of time: endless answers are cut off, redirects not followed, private addresses not dialled", async () => {
    let sent = 0;
    const giant = await receiver((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        while (!response.destroyed && sent < 1_073_741_824) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    // Loopback like the others, but outside of what the operator allows.
    let dialled = 0;
    const inside = createServer((_request, response) => response.end());
    inside.on("connection", () => dialled++);
    inside.listen(0, "127.0.0.2");
    await once(inside, "listening");
    stops.push(() => new Promise((resolve) => inside.close(resolve)));
    const insideUrl = `http://127.0.0.2:${String((inside.address() as AddressInfo).port)}/`;
    const redirect = await receiver((response) => response.writeHead(307, { location: insideUrl }).end());
    const healthy = await receiver();

    const [giantEndpoint, redirectEndpoint, insideEndpoint, healthyEndpoint] = await Promise.all(
      [giant, redirect, { url: insideUrl }, healthy].map(({ url }) => endpointAt(world, world.shop, url)),
    );
    await startWorker(loopbackClient({ allow: ["127.0.0.1/32"] }));
    await acceptMessages(1);
    const outcome = async (endpoint: typeof giantEndpoint) => {
      const [delivery] = await deliveriesOf(db.owner, endpoint!.id);
      return { state: delivery?.state, attempts: delivery?.attempts, status: delivery?.last_status };
    };
    await vi.waitFor(async () => {
      expect(await outcome(giantEndpoint)).toEqual({ state: "delivered", attempts: 1, status: 200 });
      expect(await outcome(redirectEndpoint)).toEqual({ state: "pending", attempts: 1, status: 307 });
      expect(await outcome(insideEndpoint)).toEqual({ state: "pending", attempts: 1, status: null });
      expect(await outcome(healthyEndpoint)).toEqual({ state: "delivered", attempts: 1, status: 204 });
    }, soon);
    expect(dialled).toBe(0);
    expect(sent).toBeLessThan(64 * 1_048_576);
  });

  it(
    "lose no event: what an endpoint could not take at once is delivered to it once, when it can",
    { timeout: 60_000 },
    async () => {
      const seen = new Map<string, number>();
      let inside = 0;
      let mostInside = 0;
      const hook = await receiver((response, request) => {
        const id = String(request.headers["webhook-id"]);
        seen.set(id, (seen.get(id) ?? 0) + 1);
        mostInside = Math.max(mostInside, ++inside);
        setImmediate(() => {
          inside--;
          response.writeHead(204).end();
        });
      });
      await endpointAt(world, world.shop, hook.url);
      await startWorker();
      await acceptMessages(300);
      await vi.waitFor(
        () => {
          expect(seen.size).toBe(300);
          // Rescheduled deliveries wait, more than once on a busy machine.
        },
        { ...soon, timeout: 40_000 },
      );
      expect(mostInside).toBeLessThanOrEqual(10);
      expect([...seen.values()].every((times) => times === 1)).toBe(true);
    },
  );
});
