import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rotateWebhookSecret } from "../../../server/webhooks/rotate-webhook-secret.ts";
import { testDatabase } from "../../../server/testing/database.ts";
import {
  acceptMessage,
  closeReceivers,
  createWorld,
  endpointAt,
  receiver,
  webhookWorker,
} from "../../../server/testing/webhook-world.ts";
import type { Received, World } from "../../../server/testing/webhook-world.ts";
import { WebhookVerificationError, unwrapWebhook, verifyWebhook } from "../src/index.ts";
import type { WebhookEvent } from "../src/index.ts";

const database = await testDatabase();
let world: World;
beforeEach(async () => {
  world = await createWorld(database);
});
afterEach(closeReceivers);

/** A webhook as the service posts it, and the secret it is signed with. */
async function posted(): Promise<{
  hook: Received;
  secret: string;
  again: () => Promise<Received>;
  id: string;
}> {
  const hook = await receiver();
  const endpoint = await endpointAt(world, world.shop, hook.url);
  const worker = webhookWorker(database.owner, database.worker, world);
  const next = async () => {
    await acceptMessage(database.worker, world, world.shop, { orderId: "4711" });
    await worker.drain();
    return hook.received.at(-1)!;
  };
  return { hook: await next(), secret: endpoint.secret, again: next, id: endpoint.id };
}
const headersOf = ({ headers }: Received) => headers as Record<string, string>;
const code = (work: Promise<unknown>) =>
  work.then(
    () => "verified",
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : error),
  );
const other = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

describe("a webhook that the service signed", () => {
  it("is verified, and unwrapped into an event that is typed by its name", async () => {
    const { hook, secret } = await posted();
    const event = await unwrapWebhook(hook.body, headersOf(hook), secret);
    if (event.event !== "notification.queued") throw new Error(event.event);
    // Typed: `data` is a message's by now.
    expect(event.data.channel satisfies string).toBe("email");
    expect(event.data.metadata).toEqual({ orderId: "4711" });
    await verifyWebhook(Buffer.from(hook.body), new Headers(headersOf(hook)), secret);
    await verifyWebhook(hook.body, Object.entries(headersOf(hook)), [other, secret]);
    process.env.TIDINGS_WEBHOOK_SECRET = secret;
    await verifyWebhook(hook.body, headersOf(hook));
    delete process.env.TIDINGS_WEBHOOK_SECRET;
  });

  it("is refused when anything of it was changed, when it is old, and with another secret", async () => {
    const { hook, secret } = await posted();
    const headers = headersOf(hook);
    const at = (seconds: number) => ({
      now: new Date((Number(headers["webhook-timestamp"]) + seconds) * 1_000),
    });
    const check = (
      body: string,
      changed: Record<string, string>,
      with_: string | string[] = secret,
      time = 0,
    ) => code(verifyWebhook(body, { ...headers, ...changed }, with_, at(time)));
    expect(await check(hook.body, {})).toBe("verified");
    expect(await check(hook.body.replace("ada@", "eve@"), {})).toBe("invalid_webhook");
    expect(await check(hook.body, { "webhook-id": "msg_other" })).toBe("invalid_webhook");
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    expect(await check(hook.body, { "webhook-timestamp": later })).toBe("invalid_webhook");
    expect(await check(hook.body, {}, other)).toBe("invalid_webhook");
    expect(await check(hook.body, {}, [])).toBe("invalid_webhook");
    expect(await check(hook.body, {}, "whsec_")).toBe("invalid_webhook");
    expect(await check(hook.body, { "webhook-signature": "v1,AAAA v2,x nonsense" })).toBe("invalid_webhook");
    expect(await check(hook.body, { "webhook-timestamp": "soon" })).toBe("invalid_webhook");
    // Five minutes either way.
    expect(await check(hook.body, {}, secret, 299)).toBe("verified");
    expect(await check(hook.body, {}, secret, 301)).toBe("invalid_webhook");
    expect(await check(hook.body, {}, secret, -301)).toBe("invalid_webhook");
    expect(await code(verifyWebhook(hook.body, headers, secret, { tolerance: 10, ...at(11) }))).toBe(
      "invalid_webhook",
    );
    const { "webhook-signature": _, ...unsigned } = headers;
    expect(await code(verifyWebhook(hook.body, unsigned, secret))).toBe("invalid_webhook");
  });

  it("during a rotation is verified with the old secret and with the new one", async () => {
    const { secret, again, id } = await posted();
    const rotated = await rotateWebhookSecret(world.owner, { id });
    const hook = await again();
    await verifyWebhook(hook.body, headersOf(hook), secret);
    await verifyWebhook(hook.body, headersOf(hook), rotated.secret);
    await verifyWebhook(hook.body, headersOf(hook), [other, rotated.secret]);
  });
});

it("an event of tomorrow, with fields of tomorrow, is unwrapped as well", async () => {
  const body = JSON.stringify({
    event: "moon.landed",
    timestamp: "2027-01-01T00:00:00Z",
    data: { crew: 2 },
    mood: 1,
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", Buffer.alloc(32, 1))
    .update(`m1.${timestamp}.${body}`)
    .digest("base64");
  const headers = {
    "webhook-id": "m1",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  const event: WebhookEvent = await unwrapWebhook(body, headers, other);
  switch (event.event) {
    case "notification.delivered":
      throw new Error(event.data.notificationId);
    default: {
      const name: string = event.event;
      expect(name).toBe("moon.landed");
      expect((event.data as Record<string, unknown>).crew).toBe(2);
    }
  }
});
