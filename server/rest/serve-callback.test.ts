import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbackUrlFor } from "../adapters/callback-url.ts";
import { twilioSignature } from "../adapters/twilio/twilio-signature.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import type { FakeMessage, FakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { serveCallback } from "./serve-callback.ts";

const database = await testDatabase();
let world: SendingWorld;
let twilio: FakeTwilio;
let connection: { id: string; accountSid: string; authToken: string };
/** Called for each message that the provider gets, before it answers. */
let onMessage: (message: FakeMessage) => void = () => undefined;
const received: FakeMessage[] = [];

beforeAll(async () => {
  world = await makeSendingWorld(database);
  twilio = await startFakeTwilio({
    latencyMs: 20,
    onMessage: (message) => {
      received.push(message);
      onMessage(message);
    },
  });
  connection = await world.addTwilio(twilio.baseUrl);
  await world.addRule("production", [[connection.id]]);
});
afterAll(() => twilio.close());

const callbackUrl = (id: string) => `${env().publicUrl}/api/callbacks/${id}`;

interface Callback {
  connectionId?: string;
  notificationId: string;
  sid?: string;
  fields: Record<string, string>;
  /** Signs with this instead of the account's token. */
  authToken?: string;
  headers?: Record<string, string>;
  tamper?: (form: URLSearchParams) => void;
}

/** Posts a callback as the provider would; the request itself reaches us under an internal host, as behind a proxy. */
async function post(callback: Callback): Promise<Response> {
  const connectionId = callback.connectionId ?? connection.id;
  const url = callbackUrlFor({
    callbackUrl: callbackUrl(connectionId),
    notificationId: callback.notificationId,
    attempt: 1,
  });
  const form = new URLSearchParams({
    MessageSid: callback.sid ?? `SM${"0".repeat(32)}`,
    AccountSid: connection.accountSid,
    ...callback.fields,
  });
  const signature = twilioSignature(callback.authToken ?? connection.authToken, url, form);
  callback.tamper?.(form);
  const request = new Request(url.replace(env().publicUrl, "http://10.0.0.7:3000"), {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": signature,
      ...callback.headers,
    },
    body: form.toString(),
  });
  return serveCallback(request, connectionId, { db: () => database.web });
}

/** Accepts one message and hands it to the provider. */
async function sendOne(): Promise<{ id: string; sid: string }> {
  const id = messageId(await world.send());
  await world.runJobs();
  const { provider_message_id: sid } = await world.notification(id);
  if (sid === null) throw new Error("was not sent");
  return { id, sid };
}

describe("a provider's callback", () => {
  it("moves the message on, and is answered with 204", async () => {
    const { id, sid } = await sendOne();
    expect((await post({ notificationId: id, sid, fields: { MessageStatus: "delivered" } })).status).toBe(
      204,
    );
    expect(await world.notification(id)).toMatchObject({ status: "delivered" });
  });

  it.each([1, 2, 3])(
    "changes nothing but the order of events when permuted and repeated (seed %i)",
    async (seed) => {
      const statuses = ["queued", "sending", "sent", "delivered", "read"];
      const orders = fc.sample(
        fc.shuffledSubarray([...statuses, ...statuses, "delivered"], { minLength: 11 }),
        { seed, numRuns: 4 },
      );
      for (const order of orders) {
        const { id, sid } = await sendOne();
        for (const status of order) {
          expect((await post({ notificationId: id, sid, fields: { MessageStatus: status } })).status).toBe(
            204,
          );
        }
        const row = await world.notification(id);
        expect(row, order.join(" ")).toMatchObject({ status: "delivered", attempts: 1, due_at: null });
        expect(row.read_at).not.toBeNull();
        const events = await world.events(id);
        expect(events.filter(({ type }) => type === "delivered")).toHaveLength(1);
        expect(events.filter(({ type }) => type === "read")).toHaveLength(1);
      }
    },
  );

  it("keeps the first terminal status", async () => {
    const { id, sid } = await sendOne();
    await post({ notificationId: id, sid, fields: { MessageStatus: "failed", ErrorCode: "30003" } });
    await post({ notificationId: id, sid, fields: { MessageStatus: "delivered" } });
    expect(await world.notification(id)).toMatchObject({
      status: "failed",
      failure: { providerCode: "30003" },
    });
  });

  it("counts when it arrives before the provider's answer", async () => {
    const early: Promise<Response>[] = [];
    onMessage = (message) => {
      const url = new URL(message.statusCallback ?? "");
      early.push(
        post({
          notificationId: url.searchParams.get("notification") ?? "",
          sid: message.sid,
          fields: { MessageStatus: "delivered" },
        }),
      );
    };
    const { id, sid } = await sendOne();
    onMessage = () => undefined;
    expect((await Promise.all(early)).map((response) => response.status)).toEqual([204]);
    expect(await world.notification(id)).toMatchObject({ status: "delivered", provider_message_id: sid });
  });
});

describe("a forged callback", () => {
  it("changes nothing, and learns nothing", async () => {
    const { id, sid } = await sendOne();
    const before = await world.events(id);
    const delivered = { notificationId: id, sid, fields: { MessageStatus: "delivered" } };
    const answers = [
      await post({ ...delivered, authToken: "0".repeat(32) }),
      await post({ ...delivered, tamper: (form) => form.set("MessageStatus", "failed") }),
      await post({ ...delivered, headers: { "x-twilio-signature": "" } }),
      await serveCallback(new Request(callbackUrl(connection.id)), connection.id, { db: () => database.web }),
    ];
    const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403]);
    expect([...texts]).toEqual(["Forbidden\n"]);
    expect(await world.events(id)).toEqual(before);
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
  });

  it("cannot speak for messages of another tenant's connection", async () => {
    const other = await makeSendingWorld(database);
    const foreign = await other.addTwilio(twilio.baseUrl);
    const { id, sid } = await sendOne();
    const answer = await post({
      connectionId: foreign.id,
      authToken: foreign.authToken,
      notificationId: id,
      sid,
      fields: { MessageStatus: "failed", ErrorCode: "30003" },
    });
    expect(answer.status).toBe(204);
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
  });

  it.each(["nonsense", newId()])(
    "is answered 404 without reading anything when it names no connection: %s",
    async (connectionId) => {
      const { request, taken } = endless(connectionId);
      const answer = await serveCallback(request, connectionId, { db: () => database.web });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: "not_found" });
      expect(taken()).toBe(0);
    },
  );

  it("is not read beyond what its adapter takes", async () => {
    const { request, taken } = endless(connection.id);
    expect((await serveCallback(request, connection.id, { db: () => database.web })).status).toBe(413);
    expect(taken()).toBeLessThan(200_000);
  });
});

/** An endless body, and how much of it was read. */
function endless(connectionId: string) {
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        bytes += 16_384;
        controller.enqueue(new Uint8Array(16_384));
      },
    },
    { highWaterMark: 0 },
  );
  return {
    request: new Request(callbackUrl(connectionId), { method: "POST", body, duplex: "half" } as RequestInit),
    taken: () => bytes,
  };
}
