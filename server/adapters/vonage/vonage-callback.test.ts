import { tokenGenerate, verifySignature } from "@vonage/jwt";
import fc from "fast-check";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAKE_VONAGE, webhookAuthorization } from "../../testing/fake-vonage.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { CallbackResult } from "../adapter.ts";
import { parseVonageCallback } from "./vonage-callback.ts";

const url = "https://tidings.example/api/callbacks/c1";
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const uuid = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab";

const parse = (
  rawBody: Buffer,
  authorization: string | undefined,
  method = "POST",
): Promise<CallbackResult> =>
  parseVonageCallback(FAKE_VONAGE, { method, url, headers: { authorization }, rawBody });
async function told(body: unknown): Promise<CallbackResult> {
  const rawBody = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return parse(rawBody, await webhookAuthorization(rawBody));
}

const status = (more: object = {}): Record<string, unknown> => ({
  message_uuid: uuid,
  to: "4915112345678",
  from: "4915199999999",
  timestamp: "2020-01-01T14:00:00.000Z",
  status: "delivered",
  channel: "sms",
  client_ref: `${notificationId}:2`,
  usage: { currency: "EUR", price: "0.0333" },
  ...more,
});

describe("the token of a webhook", () => {
  const rawBody = Buffer.from(JSON.stringify(status()));

  it("is one that Vonage's own library accepts", async () => {
    const authorization = await webhookAuthorization(rawBody);
    expect(verifySignature(authorization.slice("Bearer ".length), FAKE_VONAGE.signatureSecret)).toBe(true);
    expect(await parse(rawBody, authorization)).toMatchObject({ authentic: true, receipts: [{}] });
    expect(await parse(rawBody, authorization.replace("Bearer", "bearer"))).toMatchObject({
      authentic: true,
    });
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ["no token", () => Promise.resolve(undefined)],
    ["an empty one", () => Promise.resolve("Bearer ")],
    ["no bearer", () => webhookAuthorization(rawBody).then((value) => value.slice("Bearer ".length))],
    ["another secret's", () => webhookAuthorization(rawBody, { secret: "another-secret-of-32-characters!" })],
    ["another body's", () => webhookAuthorization("{}")],
    [
      "one without the body's hash",
      () => webhookAuthorization(rawBody, { claims: { payload_hash: undefined } }),
    ],
    ["a hash that is no text", () => webhookAuthorization(rawBody, { claims: { payload_hash: ["x"] } })],
    ["another application's", () => webhookAuthorization(rawBody, { claims: { application_id: "other" } })],
    ["one that has expired", () => webhookAuthorization(rawBody, { expiresIn: "-1h" })],
    [
      "one without signature",
      () => Promise.resolve(`Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`),
    ],
    [
      "one of the application's key",
      () => Promise.resolve(`Bearer ${tokenGenerate(FAKE_VONAGE.applicationId, FAKE_VONAGE.privateKey)}`),
    ],
    [
      "one under another algorithm",
      () =>
        new SignJWT({})
          .setProtectedHeader({ alg: "HS512" })
          .sign(new TextEncoder().encode(FAKE_VONAGE.signatureSecret.repeat(2)))
          .then((token) => `Bearer ${token}`),
    ],
  ])("is not authentic when it is %s", async (_what, authorization) => {
    expect(await parse(rawBody, await authorization())).toEqual({ authentic: false });
  });

  it("does not fit a body that was changed, nor another method", async () => {
    const authorization = await webhookAuthorization(rawBody);
    expect(await parse(Buffer.concat([rawBody, Buffer.from(" ")]), authorization)).toEqual({
      authentic: false,
    });
    expect(await parse(rawBody, authorization, "GET")).toEqual({ authentic: false });
  });
});

describe("a status", () => {
  it.each([
    ["submitted", { status: "sent" }],
    ["delivered", { status: "delivered" }],
    ["read", { status: "delivered", event: "read" }],
  ])("%s is understood, with message, time, price and parts", async (said, ours) => {
    expect(await told(status({ status: said, sms: { count_total: "2" } }))).toEqual({
      authentic: true,
      receipts: [
        {
          providerMessageId: uuid,
          notificationId,
          attempt: 2,
          at: new Date("2020-01-01T14:00:00Z"),
          price: { amount: "0.0333", currency: "EUR" },
          segments: 2,
          ...ours,
        },
      ],
      inbound: [],
    });
  });

  it.each<[string, unknown, string, string]>([
    ["undeliverable", 1180, "1180", "recipient_unreachable"],
    ["rejected", 1340, "1340", "outside_conversation"],
    ["rejected", "1170", "1170", "invalid_recipient"],
    ["rejected", 1022, "1022", "template_rejected"],
    ["rejected", 1070, "1070", "provider_out_of_funds"],
    ["rejected", 9999, "9999", "undelivered"],
    ["rejected", "constructor", "constructor", "undelivered"],
  ])("%s with error %j gives the reason", async (said, title, providerCode, code) => {
    const error = { title, detail: "Not to 4915112345678", instance: "x" };
    expect(await told(status({ status: said, error }))).toMatchObject({
      receipts: [{ status: "failed", code, providerCode, providerMessage: "Not to [number]" }],
    });
    // The code stands at the end of the type, too, and there it wins.
    const type = `https://developer.vonage.com/api-errors/messages#${providerCode}`;
    expect(
      await told(status({ status: said, error: { ...error, type, title: "Some words" } })),
    ).toMatchObject({
      receipts: [{ code, providerCode }],
    });
  });

  it("of a recipient who sent STOP is an opt-out", async () => {
    expect(await told(status({ status: "rejected", error: { title: 1240 } }))).toMatchObject({
      receipts: [{ status: "failed", code: "opted_out", event: "opted_out" }],
    });
  });

  it("that we do not know, of a channel that is not ours, says nothing", async () => {
    for (const more of [{ status: "teleported" }, { channel: "messenger" }, { message_uuid: "" }]) {
      expect(await told(status(more))).toEqual({ authentic: true, receipts: [], inbound: [] });
    }
  });

  it("may come with others", async () => {
    expect(await told([status({ status: "submitted" }), status()])).toMatchObject({
      receipts: [{ status: "sent" }, { status: "delivered" }],
    });
  });
});

describe("a message from a recipient", () => {
  const inbound = (more: object): object => ({
    channel: "whatsapp",
    message_uuid: uuid,
    to: "4915199999999",
    from: "4915112345678",
    timestamp: "2020-01-01T14:00:00.000Z",
    ...more,
  });
  it.each<[string, object, object]>([
    [
      "an SMS",
      {
        channel: "sms",
        text: "Nexmo hallo",
        sms: { num_messages: "1", keyword: "NEXMO" },
        message_type: "text",
      },
      { channel: "sms", text: "Nexmo hallo" },
    ],
    ["an SMS without type", { channel: "sms", text: "hallo" }, { channel: "sms", text: "hallo" }],
    [
      "an answer to a message of ours",
      { message_type: "text", text: "Yes", context: { message_uuid: notificationId, message_from: "1" } },
      { text: "Yes", repliesTo: notificationId },
    ],
    [
      "a tapped button of a conversation",
      { message_type: "reply", reply: { id: "y1", title: "Yes", description: "x" } },
      { text: "Yes", button: { payload: "y1", text: "Yes" } },
    ],
    [
      "a tapped button of a template",
      { message_type: "button", button: { payload: "y1", text: "Yes" } },
      { text: "Yes", button: { payload: "y1", text: "Yes" } },
    ],
    [
      "a picture",
      { message_type: "image", image: { url: "x", caption: "Look" } },
      { text: "Look", kind: "image" },
    ],
    ["a reaction", { message_type: "reaction", reaction: { emoji: "👍" } }, { text: "👍", kind: "reaction" }],
    [
      "a kind that is a property of every object",
      { message_type: "constructor" },
      { text: "", kind: "constructor" },
    ],
  ])("is read when it is %s", async (_what, more, ours) => {
    expect(await told(inbound(more))).toEqual({
      authentic: true,
      receipts: [],
      inbound: [
        {
          providerMessageId: uuid,
          channel: "whatsapp",
          from: "+4915112345678",
          to: "+4915199999999",
          at: new Date("2020-01-01T14:00:00Z"),
          ...ours,
        },
      ],
    });
  });
});

describe("hostile webhooks", () => {
  it("never make the parser throw: bytes and tokens", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.string(), async (bytes, authorization) => {
        expect(await parse(Buffer.from(bytes), authorization)).toEqual({ authentic: false });
        expect(await parse(Buffer.from(bytes), `Bearer ${authorization}`)).toEqual({ authentic: false });
        expect(await told(Buffer.from(bytes))).toEqual({ authentic: true, receipts: [], inbound: [] });
      }),
    );
  });

  it("never make the parser throw: any JSON in any place", async () => {
    const names = [
      "message_uuid",
      "status",
      "error",
      "usage",
      "sms",
      "timestamp",
      "from",
      "to",
      "message_type",
    ];
    const item = fc.dictionary(fc.constantFrom(...names, "reply", "client_ref", "__proto__"), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), item), item, async (body, more) => {
        expect(await told(body)).toMatchObject({ authentic: true });
        expect(await told({ ...more, channel: "whatsapp" })).toMatchObject({ authentic: true });
        expect(await told(status(more))).toMatchObject({ authentic: true });
      }),
    );
  });

  it("are bounded", async () => {
    const result = await told(Array.from({ length: 1_500 }, () => status()));
    expect(result.authentic && result.receipts.length).toBe(1_000);
  });
});

const description = descriptionFile("vonage-messages-v1.yaml");

describe.skipIf(description === null)("Vonage's own description of its webhooks", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());
  const check = async (name: string, body: object): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${prism.baseUrl}/_callback/${name}`, request)).status;
  };

  it("refuses a body that is none (the probe that shows it checks at all)", async () => {
    expect(await check("message-status", { message_uuid: uuid, status: "flying" })).toBe(422);
  });

  it("takes the bodies that these tests read", async () => {
    expect(await check("message-status", status())).toBe(200);
    // Not "read": the description names it for WhatsApp and forbids it in what all channels share.
    expect(await check("message-status", status({ channel: "whatsapp" }))).toBe(200);
    const sms = { ...status(), text: "hi", status: undefined };
    expect(await check("inbound-message", sms)).toBe(200);
  });
});
