import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";

const database = await testDatabase();
const before = await startFakeTwilio();
const after = await startFakeTwilio();
afterAll(() => Promise.all([before.close(), after.close()]));

const inForceAfter = 2_000;

it("a change of rules under load loses nothing, repeats nothing, and applies to everything sent two seconds later", async () => {
  const world = await makeSendingWorld(database);
  const a = (await world.addTwilio(before.baseUrl)).id;
  const b = (await world.addTwilio(after.baseUrl)).id;
  await world.addRule("production", [[a]], { channel: "sms" });
  const enough = new AbortController();
  const accepted: string[] = [];
  const sending = (async () => {
    for (let round = 0; !enough.signal.aborted; round++) {
      const request = await world.send({
        recipients: Array.from({ length: 5 }, (_, index) => ({
          channel: "sms" as const,
          recipient: `+4915112${String(10_000 + round * 5 + index)}`,
        })),
      });
      accepted.push(...request.notifications.map((_, index) => messageId(request, index)));
      await world.runJobs();
    }
  })();
  const until = async (condition: () => boolean) => {
    while (!condition()) await pause(10);
  };
  await until(() => before.messages.length >= 20);
  await database.owner.query("UPDATE routing_rules SET tiers = $2 WHERE tenant_id = $1", [
    world.tenantId,
    JSON.stringify([[{ connectionId: b, weight: 1 }]]),
  ]);
  const switchedAt = Date.now();
  await until(() => Date.now() > switchedAt + inForceAfter + 500 && after.messages.length >= 20);
  enough.abort();
  await sending;

  const received = [...before.messages, ...after.messages];
  expect(new Set(received.map(({ to }) => to)).size).toBe(accepted.length);
  expect(received).toHaveLength(accepted.length);
  expect(Math.max(...before.messages.map(({ at }) => at))).toBeLessThan(switchedAt + inForceAfter);
  const left = await database.owner.query(
    "SELECT FROM notifications WHERE tenant_id = $1 AND status <> 'sent'",
    [world.tenantId],
  );
  expect(left.rowCount).toBe(0);
}, 60_000);

it("a message whose attachments took long to fetch follows the rules of that time", async () => {
  const [old, now] = await Promise.all([startMailServer(), startMailServer()]);
  const asked = Promise.withResolvers<undefined>();
  const released = Promise.withResolvers<undefined>();
  const files = createServer((_request, response) => {
    asked.resolve(undefined);
    void released.promise.then(() => response.writeHead(200, { "content-type": "text/plain" }).end("Terms"));
  });
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((files.address() as AddressInfo).port)}/terms.txt`;
  const http: OutboundClient = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "Tidings tests" });
  const world = await makeSendingWorld(database, { deps: { http } });
  const a = await world.addSmtp(old.port, { name: "Old" });
  const b = await world.addSmtp(now.port, { name: "New" });
  await world.addRule("production", [[a]], { channel: "email" });
  await database.owner.query(
    `UPDATE template_versions SET metadata = jsonb_set(coalesce(metadata, '{}'), '{attachments}', $2) WHERE tenant_id = $1`,
    [world.tenantId, JSON.stringify([{ filename: "terms.txt", url }])],
  );
  const id = messageId(
    await world.send({ recipients: [{ channel: "email", recipient: "ada@example.com" }] }),
  );
  const running = world.runJobs();
  await asked.promise;
  await database.owner.query("UPDATE routing_rules SET tiers = $2 WHERE tenant_id = $1", [
    world.tenantId,
    JSON.stringify([[{ connectionId: b, weight: 1 }]]),
  ]);
  // Until no process can have the previous rules.
  await pause(1_100);
  released.resolve(undefined);
  await running;
  await world.runJobs();
  files.close();
  expect(old.received).toEqual([]);
  expect(now.received).toHaveLength(1);
  expect(await world.notification(id)).toMatchObject({ status: "sent", provider: "New", attempts: 1 });
  await Promise.all([old.close(), now.close()]);
}, 60_000);
