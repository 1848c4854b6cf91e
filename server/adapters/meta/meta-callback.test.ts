import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { CallbackResult } from "../adapter.ts";
import { trackingOf } from "../tracking.ts";
import { metaSignature, parseMetaCallback } from "./meta-callback.ts";

const credentials = { appSecret: "app-secret", verifyToken: "verify me" };
const url = "https://tidings.example/api/callbacks/c1";
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const metadata = { display_phone_number: "15550783881", phone_number_id: "106540352242922" };
const wamid = "wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA";

function post(rawBody: Buffer, signature = metaSignature(credentials.appSecret, rawBody)): CallbackResult {
  const headers = { "x-hub-signature-256": signature };
  return parseMetaCallback(credentials, { method: "POST", url, headers, rawBody });
}

const bodyOf = (...values: object[]): object => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "102290129340398",
      changes: values.map((value) => ({
        value: { messaging_product: "whatsapp", metadata, ...value },
        field: "messages",
      })),
    },
  ],
});
const told = (...values: object[]): CallbackResult => post(Buffer.from(JSON.stringify(bodyOf(...values))));
const status = (more: object): object => ({
  statuses: [{ id: wamid, status: "sent", timestamp: "1750030073", recipient_id: "4915112345678", ...more }],
});
const inbound = (more: object): object => ({
  contacts: [{ profile: { name: "Ada" }, wa_id: "4915112345678" }],
  messages: [{ from: "4915112345678", id: "wamid.IN", timestamp: "1750030073", type: "text", ...more }],
});

describe("the signature", () => {
  it("is hexadecimal HMAC-SHA256 of the body after sha256=", () => {
    expect(metaSignature("key", Buffer.from("The quick brown fox jumps over the lazy dog"))).toBe(
      "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
    );
  });

  it("is needed, over exactly these bytes, under this secret", () => {
    const body = Buffer.from(JSON.stringify(bodyOf(status({}))));
    const genuine = metaSignature(credentials.appSecret, body);
    expect(post(body, genuine)).toMatchObject({ authentic: true });
    expect(post(Buffer.concat([body, Buffer.from(" ")]), genuine)).toEqual({ authentic: false });
    expect(post(body, metaSignature("other", body))).toEqual({ authentic: false });
    expect(post(body, genuine.slice("sha256=".length))).toEqual({ authentic: false });
    expect(post(body, "")).toEqual({ authentic: false });
    const request = { url, headers: {}, rawBody: body };
    expect(parseMetaCallback(credentials, { ...request, method: "POST" })).toEqual({ authentic: false });
    const put = { ...request, method: "PUT", headers: { "x-hub-signature-256": genuine } };
    expect(parseMetaCallback(credentials, put)).toEqual({ authentic: false });
  });
});

describe("the question whether the address is ours", () => {
  const ask = (query: Record<string, string>): CallbackResult =>
    parseMetaCallback(credentials, {
      method: "GET",
      url: `${url}?${new URLSearchParams(query).toString()}`,
      headers: {},
      rawBody: Buffer.alloc(0),
    });
  const good = { "hub.mode": "subscribe", "hub.verify_token": "verify me", "hub.challenge": "1158201444" };

  it("is answered with the challenge when the token is ours", () => {
    expect(ask(good)).toEqual({
      authentic: true,
      receipts: [],
      inbound: [],
      response: { status: 200, contentType: "text/plain", body: "1158201444" },
    });
  });

  it.each<[string, Record<string, string>]>([
    ["another token", { ...good, "hub.verify_token": "verify mf" }],
    ["no token", { "hub.mode": "subscribe", "hub.challenge": "1" }],
    ["another mode", { ...good, "hub.mode": "unsubscribe" }],
    ["no challenge", { "hub.mode": "subscribe", "hub.verify_token": "verify me" }],
    ["a challenge that is markup", { ...good, "hub.challenge": "<script>" }],
  ])("is not answered with %s", (_what, query) => {
    expect(ask(query)).toEqual({ authentic: false });
  });
});

describe("a status", () => {
  it.each([
    ["sent", { status: "sent" }],
    ["delivered", { status: "delivered" }],
    ["read", { status: "delivered", event: "read" }],
  ])("%s is understood, with its time and the account", (said, ours) => {
    expect(told(status({ status: said }))).toEqual({
      authentic: true,
      receipts: [
        {
          providerMessageId: wamid,
          account: "106540352242922",
          at: new Date("2025-06-15T23:27:53Z"),
          ...ours,
        },
      ],
      inbound: [],
    });
  });

  it("finds its message by what went out with it", () => {
    const data = trackingOf(notificationId, 3);
    expect(told(status({ biz_opaque_callback_data: data }))).toMatchObject({
      receipts: [{ notificationId, attempt: 3 }],
    });
    const foreign = told(status({ biz_opaque_callback_data: "somebody else's" }));
    expect(foreign).toMatchObject({ receipts: [{ providerMessageId: wamid }] });
    expect(JSON.stringify(foreign)).not.toContain("notificationId");
  });

  it("tells the category that is charged for, and none when it is free", () => {
    const pricing = { billable: true, pricing_model: "PMP", category: "utility" };
    expect(told(status({ pricing }))).toMatchObject({ receipts: [{ category: "utility" }] });
    const free = told(status({ pricing: { ...pricing, billable: false } }));
    expect(JSON.stringify(free)).not.toContain("category");
  });

  it.each([
    [131047, "outside_conversation"],
    [131026, "invalid_recipient"],
    [131049, "recipient_blocked"],
    [132001, "template_rejected"],
    [999999, "undelivered"],
  ])("failed with %i is %s, in their words without addresses", (code, ours) => {
    const errors = [
      {
        code,
        title: "Message failed",
        message: "Message failed",
        error_data: { details: "Message to 4915112345678 failed" },
      },
    ];
    expect(told(status({ status: "failed", errors }))).toMatchObject({
      receipts: [
        {
          status: "failed",
          code: ours,
          providerCode: String(code),
          providerMessage: "Message to [number] failed",
        },
      ],
    });
  });

  it("failed because the recipient wants no marketing is an opt-out", () => {
    expect(told(status({ status: "failed", errors: [{ code: 131050 }] }))).toMatchObject({
      receipts: [{ status: "failed", code: "opted_out", event: "opted_out" }],
    });
  });

  it("that we do not know says nothing", () => {
    expect(told(status({ status: "teleported" }))).toEqual({ authentic: true, receipts: [], inbound: [] });
  });

  it("may come with others, of several numbers, in one body", () => {
    const other = { metadata: { ...metadata, phone_number_id: "2" }, ...status({ status: "delivered" }) };
    expect(told(status({}), other, inbound({ text: { body: "hi" } }))).toMatchObject({
      receipts: [
        { status: "sent", account: "106540352242922" },
        { status: "delivered", account: "2" },
      ],
      inbound: [{ text: "hi" }],
    });
  });
});

describe("a message from a recipient", () => {
  const common = {
    providerMessageId: "wamid.IN",
    account: "106540352242922",
    channel: "whatsapp",
    from: "+4915112345678",
    to: "+15550783881",
    at: new Date("2025-06-15T23:27:53Z"),
  };
  it.each<[string, object, object]>([
    ["a text", { text: { body: "Where is it?" } }, { text: "Where is it?" }],
    [
      "an answer to a message of ours",
      { text: { body: "Yes" }, context: { from: "15550783881", id: wamid } },
      { text: "Yes", repliesTo: wamid },
    ],
    [
      "a tapped button of a template",
      { type: "button", button: { payload: "yes-1", text: "Yes" }, context: { id: wamid } },
      { text: "Yes", button: { payload: "yes-1", text: "Yes" }, repliesTo: wamid },
    ],
    [
      "a tapped button of a conversation",
      {
        type: "interactive",
        interactive: { type: "button_reply", button_reply: { id: "yes-1", title: "Yes" } },
        context: { id: wamid },
      },
      { text: "Yes", button: { payload: "yes-1", text: "Yes" }, repliesTo: wamid },
    ],
    [
      "a chosen line of a list",
      {
        type: "interactive",
        interactive: { type: "list_reply", list_reply: { id: "l1", title: "Monday", description: "x" } },
      },
      { text: "Monday", button: { payload: "l1", text: "Monday" } },
    ],
    [
      "a picture, by its kind and caption",
      { type: "image", image: { id: "1", mime_type: "image/jpeg", caption: "Look" } },
      { text: "Look", kind: "image" },
    ],
    [
      "a reaction",
      { type: "reaction", reaction: { message_id: wamid, emoji: "👍" } },
      { text: "👍", kind: "reaction", repliesTo: wamid },
    ],
    ["a kind that we do not know", { type: "hologram", hologram: 1 }, { text: "", kind: "hologram" }],
    ["a kind that is a property of every object", { type: "constructor" }, { text: "", kind: "constructor" }],
  ])("is read when it is %s", (_what, more, ours) => {
    expect(told(inbound(more))).toEqual({ authentic: true, receipts: [], inbound: [{ ...common, ...ours }] });
  });

  it("is left out when it is Meta's own, or its sender has no number", () => {
    const system = { type: "system", system: { type: "user_changed_number", body: "x" } };
    for (const more of [system, { from: "US.13491208655302741918" }, { from: undefined }, { id: "" }]) {
      expect(told(inbound({ text: { body: "x" }, ...more }))).toMatchObject({ authentic: true, inbound: [] });
    }
  });

  it("is an opt-out or opt-in when the recipient chose it in WhatsApp", () => {
    const preference = {
      wa_id: "4915112345678",
      detail: "x",
      category: "marketing_messages",
      timestamp: 1750030073,
    };
    const chosen = (value: string): CallbackResult => told({ user_preferences: [{ ...preference, value }] });
    expect(chosen("stop")).toMatchObject({
      inbound: [{ from: "+4915112345678", text: "", kind: "user_preferences", optOut: "stop" }],
    });
    expect(chosen("resume")).toMatchObject({ inbound: [{ optOut: "start" }] });
    expect(chosen("perhaps")).toMatchObject({ inbound: [] });
    // Told twice, it is the same message.
    expect(chosen("stop")).toEqual(chosen("stop"));
  });
});

describe("hostile bodies under a good signature", () => {
  it("never make the parser throw: bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(post(Buffer.from(bytes))).toEqual({ authentic: true, receipts: [], inbound: [] });
      }),
    );
  });

  it("never make the parser throw: any JSON in any place", () => {
    const anything = fc.jsonValue();
    const message = fc.record(
      { id: anything, from: anything, type: anything, text: anything, button: anything, context: anything },
      { requiredKeys: [] },
    );
    const value = fc.record(
      {
        metadata: anything,
        statuses: fc.oneof(
          anything,
          fc.array(fc.dictionary(fc.constantFrom("id", "status", "errors"), anything)),
        ),
        messages: fc.oneof(anything, fc.array(message)),
        user_preferences: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, value), (hostile) => {
        const body = { entry: [{ changes: [{ value: hostile }] }] };
        expect(post(Buffer.from(JSON.stringify(body)))).toMatchObject({ authentic: true });
        expect(post(Buffer.from(JSON.stringify(hostile)))).toMatchObject({ authentic: true });
      }),
    );
  });

  it("are bounded", () => {
    const statuses = Array.from({ length: 5_000 }, (_, index) => ({ id: String(index + 1), status: "sent" }));
    const result = told({ statuses });
    expect(result.authentic && result.receipts.length).toBe(1_000);
  });
});

const description = descriptionFile("meta-whatsapp.yaml");

describe.skipIf(description === null)("Meta's own description of its webhooks", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());
  const check = async (body: object): Promise<number> => {
    const response = await fetch(`${prism.baseUrl}/whatsapp/webhooks`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.status;
  };

  it("refuses a body that is none (the probe that shows it checks at all)", async () => {
    expect(await check({ object: "whatsapp_business_account", entry: [{ id: 1 }] })).toBe(422);
  });

  it("takes the bodies that these tests read", async () => {
    const pricing = { billable: true, pricing_model: "PMP", category: "utility" };
    expect(await check(bodyOf(status({ pricing })))).toBe(200);
    const errors = [{ code: 131047, message: "x", error_data: { details: "y" } }];
    expect(await check(bodyOf(status({ status: "failed", errors })))).toBe(200);
  });
});
