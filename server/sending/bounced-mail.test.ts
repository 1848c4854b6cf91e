import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { softBounceDays } from "../consent/soft-bounces.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { serveCallback } from "../rest/serve-callback.ts";
import { testDatabase } from "../testing/database.ts";
import { deliveryReports, otherMail } from "../testing/delivery-reports.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { claimOver, makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { DeliveryStore } from "./delivery-store.ts";

const database = await testDatabase();
const mail = await startMailServer();
const secret = "0123456789abcdefghijkl";
const domain = "bounces.tidings.example";

async function makeWorld() {
  const world = await makeSendingWorld(database);
  const connectionId = await world.addConnection({
    adapter: "smtp",
    credentials: { bounceSecret: secret },
    settings: { host: "127.0.0.1", port: mail.port, security: "none", bounceDomain: domain },
    channels: ["email"],
    senders: [{ channel: "email", sender: "shop@tidings.example" }],
  });
  await world.addRule("production", [[connectionId]], { channel: "email" });
  const suppressions = async () =>
    (
      await database.owner.query<{
        address: string;
        reason: string;
        notification_id: string;
        expires_at: Date | null;
      }>(
        "SELECT address, reason, notification_id, expires_at FROM suppressions WHERE tenant_id = $1 ORDER BY address",
        [world.tenantId],
      )
    ).rows;
  /** Sends an e-mail, and says to which address it would come back. */
  const send = async (recipient: string) => {
    const id = messageId(await world.send({ recipients: [{ channel: "email", recipient }] }));
    const known = mail.received.length;
    await world.runJobs();
    return { id, returnPath: mail.received[known]?.from ?? "" };
  };
  return { ...world, accept: world.send, connectionId, suppressions, send };
}

// The door is there over HTTP as mail servers use it: the message in the body, as it came.
const server = createServer((request, response) => {
  void (async () => {
    const answer = await serveCallback(
      new Request(`http://127.0.0.1${request.url ?? ""}`, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        body: await text(request),
      }),
      (request.url ?? "").split("/").at(-1) ?? "",
      { db: () => database.web },
    );
    response.writeHead(answer.status).end(await answer.text());
  })();
}).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  server.close();
  await mail.close();
});

const post = async (connectionId: string, body: Buffer, given = secret): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${String(port)}/api/callbacks/${connectionId}`, {
    method: "POST",
    headers: { authorization: `Bearer ${given}`, "content-type": "message/rfc822" },
    body: new Uint8Array(body),
  });
  return answer.status;
};

const world = await makeWorld();
const stranger = await makeWorld();

test("a message that comes back has failed, its address is suppressed and says by which message, and a repeated report changes nothing", async () => {
  const { id, returnPath } = await world.send("gone@example.com");
  expect(returnPath).toMatch(/^bounces\+[0-9a-v]{53}@bounces\.tidings\.example$/);
  expect(await world.notification(id)).toMatchObject({ status: "sent", final: true });
  const report = deliveryReports.Exim({ to: returnPath });
  expect(await post(world.connectionId, report)).toBe(204);
  expect(await post(world.connectionId, report)).toBe(204);
  expect(await world.notification(id)).toMatchObject({
    status: "failed",
    failure: { code: "invalid_recipient", providerCode: "5.1.1" },
  });
  expect((await world.events(id)).filter(({ type }) => type === "bounced")).toHaveLength(1);
  expect(await world.suppressions()).toEqual([
    { address: "gone@example.com", reason: "hard_bounce", notification_id: id, expires_at: null },
  ]);
  const again = await world.send("gone@example.com");
  expect(await world.notification(again.id)).toMatchObject({ status: "rejected", reason_code: "suppressed" });
});

test("a report without the secret, with another's address, or that is none, has no effect on any message", async () => {
  const { id, returnPath } = await world.send("there@example.com");
  const before = await world.suppressions();
  const report = deliveryReports.Postfix({ to: returnPath });
  expect(await post(world.connectionId, report, "no-such-secret-at-all")).toBe(403);
  // Another organisation has a secret of its own, and no way to this message with it.
  expect(await post(stranger.connectionId, report)).toBe(204);
  const forged = returnPath.replace(/.(?=.@)/, (letter) => (letter === "a" ? "b" : "a"));
  expect(await post(world.connectionId, deliveryReports.Gmail({ to: forged }))).toBe(204);
  expect(
    await post(
      world.connectionId,
      deliveryReports.Gmail({ to: returnPath, action: "delayed", status: "4.4.1" }),
    ),
  ).toBe(204);
  for (const other of Object.values(otherMail)) {
    expect(await post(world.connectionId, other(returnPath))).toBe(204);
  }
  expect(await world.notification(id)).toMatchObject({ status: "sent" });
  expect(await world.suppressions()).toEqual(before);
  expect(await stranger.suppressions()).toEqual([]);
});

test("whatever recipient a report names, it is about the one that the message was for", async () => {
  const { returnPath } = await world.send("first@example.com");
  const report = deliveryReports
    .Exchange({ to: returnPath })
    .toString()
    .replaceAll("ada@example.com", "victim@example.com");
  expect(await post(world.connectionId, Buffer.from(report))).toBe(204);
  const addresses = (await world.suppressions()).map(({ address }) => address);
  expect(addresses).toContain("first@example.com");
  expect(addresses).not.toContain("victim@example.com");
});

test("five messages in a row that come back for a passing reason rest the address for a while; a fifth that arrived does not", async () => {
  const full = { status: "5.2.2", diagnostic: "smtp; 552 5.2.2 mailbox full" };
  const sent = [];
  for (let count = 0; count < 6; count++) sent.push(await world.send("full@example.com"));
  // They come back in any order, and the newest has not yet.
  for (const index of [3, 0, 4, 1]) {
    await post(world.connectionId, deliveryReports.Postfix({ to: sent[index]!.returnPath, ...full }));
  }
  const of = async () => (await world.suppressions()).filter(({ address }) => address === "full@example.com");
  expect(await of()).toEqual([]);
  await post(world.connectionId, deliveryReports.Postfix({ to: sent[2]!.returnPath, ...full }));
  const [made] = await of();
  expect(made).toMatchObject({ reason: "soft_bounces", notification_id: sent[4]!.id });
  const days = (made!.expires_at!.getTime() - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(softBounceDays - 0.1);
  expect(days).toBeLessThanOrEqual(softBounceDays);
  const next = await world.send("full@example.com");
  expect(await world.notification(next.id)).toMatchObject({ status: "rejected", reason_code: "suppressed" });

  for (let count = 0; count < 6; count++) {
    const { id, returnPath } = await world.send("again@example.com");
    if (count === 4) await world.advance(id, { kind: "transition", to: "delivered", source: "receipt" });
    else await post(world.connectionId, deliveryReports.Postfix({ to: returnPath, ...full }));
  }
  expect((await world.suppressions()).map(({ address }) => address)).not.toContain("again@example.com");
});

test("one that is suppressed between the acceptance and the attempt is not sent; one whose suppression has ended by then is", async () => {
  const store = new DeliveryStore(database.worker, { delayMs: 0, maxItems: 50 });
  const { system } = world.tenant;
  for (const [seconds, wanted] of [
    [3_600, "suppressed"],
    [-1, 1],
  ] as const) {
    const address = `between${String(seconds)}@example.com`;
    const id = messageId(await world.accept({ recipients: [{ channel: "email", recipient: address }] }));
    await store.load({ tenantId: world.tenantId, notificationId: id });
    await inTenant(system, (tx) =>
      suppressAddress(system, tx, {
        sandbox: false,
        channel: "email",
        address,
        reason: "manual",
        expiresAt: new Date(Date.now() + seconds * 1_000),
      }),
    );
    const answer = await store.claim({ tenantId: world.tenantId, id, ...claimOver(world.connectionId) });
    expect(answer).toBe(wanted);
  }
});
