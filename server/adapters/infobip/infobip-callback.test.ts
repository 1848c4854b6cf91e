import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { CallbackResult, Connection } from "../adapter.ts";
import { signedCallbackUrlFor } from "../callback-url.ts";
import { basicAuth } from "../http-call.ts";
import { parseInfobipCallback } from "./infobip-callback.ts";
import type { InfobipCredentials, InfobipSettings } from "./schemas.ts";

const callbackSecret = "a secret of callbacks";
const connection = (
  settings: Partial<InfobipSettings> = {},
): Connection<InfobipCredentials, InfobipSettings> => ({
  id: "c1",
  credentials: { apiKey: "k", callbackSecret },
  settings: { baseUrl: "https://abc.api.infobip.com", ...settings },
});
const plainUrl = "https://tidings.example/api/callbacks/c1";
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
/** As the service makes ids: the notification's, then a part of the connection's. */
const messageId = `${notificationId}.0000000c`;
const other = "0198c7a0-0000-7000-8000-000000000002";
const signedUrl = signedCallbackUrlFor({ callbackUrl: plainUrl, notificationId, attempt: 2 }, callbackSecret);
const basic = basicAuth("tidings", callbackSecret);

function post(
  body: unknown,
  more: { url?: string; headers?: Record<string, string>; settings?: Partial<InfobipSettings> } = {},
): CallbackResult {
  const rawBody = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const { url = plainUrl, headers = { authorization: basic } } = more;
  return parseInfobipCallback(connection(more.settings), { method: "POST", url, headers, rawBody });
}
const atMessage = (body: unknown): CallbackResult => post(body, { url: signedUrl, headers: {} });

const report = (more: object = {}): object => ({
  bulkId: "BULK-ID-123-xyz",
  price: { pricePerMessage: 0.0075, currency: "EUR" },
  status: { groupId: 3, groupName: "DELIVERED", id: 5, name: "DELIVERED_TO_HANDSET", description: "x" },
  error: { groupId: 0, groupName: "OK", id: 0, name: "NO_ERROR", description: "No Error", permanent: false },
  messageId,
  to: "4915112345678",
  sentAt: "2019-11-09T16:00:00.000+0100",
  doneAt: "2019-11-09T16:00:05.000+0100",
  messageCount: 2,
  ...more,
});
const status = (groupName: string, name: string, error?: string): object => ({
  status: { groupId: 9, groupName, id: 1, name, description: `${name} for 4915112345678` },
  ...(error ? { error: { groupId: 1, id: 1, name: error, description: "x", permanent: true } } : {}),
});

describe("who may tell", () => {
  const body = { results: [report()] };
  it("is whoever was given the message's own address", () => {
    expect(atMessage(body)).toMatchObject({ authentic: true, receipts: [{ notificationId, attempt: 2 }] });
  });

  it.each<[string, string]>([
    ["another notification", signedUrl.replace(notificationId, other)],
    ["another attempt", signedUrl.replace("attempt=2", "attempt=3")],
    ["another signature", signedUrl.replace(/signature=.{4}/, "signature=AAAA")],
    ["no signature", signedUrl.replace(/&signature=.*/, "")],
    ["a signature alone", `${plainUrl}?signature=${signedUrl.split("signature=")[1] ?? ""}`],
    ["no query", plainUrl],
    ["something that is no URL", "::"],
  ])("is not who comes to an address with %s", (_what, url) => {
    expect(post(body, { url, headers: {} })).toEqual({ authentic: false });
  });

  it("is not bound by the message's own address to other messages", () => {
    const [first] = [atMessage({ results: [report({ messageId: other })] })];
    expect(first).toMatchObject({ receipts: [{ notificationId, attempt: 2 }] });
    expect(JSON.stringify(first)).not.toContain(`"notificationId":"${other}"`);
    const inbound = { results: [{ messageId: "1", from: "4915112345678", to: "1", text: "STOP" }] };
    expect(atMessage(inbound)).toEqual({ authentic: true, receipts: [], inbound: [] });
    const many = { results: Array.from({ length: 500 }, () => report()) };
    const result = atMessage(many);
    expect(result.authentic && result.receipts.length).toBe(10);
  });

  it("is a subscription with Basic, the secret as its password", () => {
    expect(post(body)).toMatchObject({ authentic: true, receipts: [{ notificationId }] });
    for (const authorization of [
      basicAuth("tidings", "wrong"),
      basicAuth("x", callbackSecret),
      "Basic",
      "",
    ]) {
      expect(post(body, { headers: { authorization } })).toEqual({ authentic: false });
    }
    expect(
      parseInfobipCallback(connection(), {
        method: "GET",
        url: plainUrl,
        headers: { authorization: basic },
        rawBody: Buffer.alloc(0),
      }),
    ).toEqual({ authentic: false });
  });

  it("is a signed subscription where the settings say so, and then no other", () => {
    const settings = { signatureHeader: "X-Signature" };
    const rawBody = Buffer.from(JSON.stringify(body));
    const hmac = createHmac("sha256", callbackSecret).update(rawBody);
    const digest = hmac.digest();
    for (const value of [
      digest.toString("hex"),
      digest.toString("base64"),
      `sha256=${digest.toString("hex")}`,
    ]) {
      const headers = { "x-signature": value };
      expect(post(rawBody, { headers, settings })).toMatchObject({ authentic: true, receipts: [{}] });
      const changed = Buffer.concat([rawBody, Buffer.from(" ")]);
      expect(post(changed, { headers, settings })).toEqual({ authentic: false });
    }
    expect(post(rawBody, { headers: { authorization: basic }, settings })).toEqual({ authentic: false });
    expect(post(rawBody, { headers: {}, settings })).toEqual({ authentic: false });
  });
});

describe("a report", () => {
  it("carries status, time, parts, and the price of all parts", () => {
    expect(atMessage({ results: [report()] })).toEqual({
      authentic: true,
      receipts: [
        {
          providerMessageId: messageId,
          notificationId,
          attempt: 2,
          status: "delivered",
          at: new Date("2019-11-09T15:00:05Z"),
          price: { amount: "0.015", currency: "EUR" },
          segments: 2,
        },
      ],
      inbound: [],
    });
  });

  it.each([
    ["PENDING", "PENDING_ENROUTE", "sent"],
    ["DELIVERED", "DELIVERED_TO_OPERATOR", "sent"],
    ["DELIVERED", "DELIVERED_TO_HANDSET", "delivered"],
    ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "failed"],
    ["EXPIRED", "EXPIRED_EXPIRED", "failed"],
    ["REJECTED", "REJECTED_SENDER", "failed"],
  ])("%s, %s means %s", (group, name, ours) => {
    expect(post({ results: [report(status(group, name))] })).toMatchObject({ receipts: [{ status: ours }] });
  });

  it("is understood by the number of its group, too", () => {
    const numbered = { status: { groupId: 3, name: "DELIVERED_TO_HANDSET" } };
    expect(post({ results: [report(numbered)] })).toMatchObject({ receipts: [{ status: "delivered" }] });
  });

  it.each([
    ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_UNKNOWN_SUBSCRIBER", "invalid_recipient"],
    ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_ABSENT_SUBSCRIBER", "recipient_unreachable"],
    ["REJECTED", "REJECTED_DND", undefined, "recipient_blocked"],
    ["EXPIRED", "EXPIRED_EXPIRED", "NO_ERROR", "provider_expired"],
    ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_NO_SESSION", "outside_conversation"],
    ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_INVALID_TEMPLATE_ARGS", "template_rejected"],
    ["UNDELIVERABLE", "SOMETHING_NEW", "EC_SOMETHING_NEW", "undelivered"],
    ["REJECTED", "__proto__", "constructor", "undelivered"],
  ])("of %s, %s with %s gives the reason %s", (group, name, error, code) => {
    const told = post({ results: [report(status(group, name, error))] });
    expect(told).toMatchObject({
      receipts: [{ status: "failed", code, providerCode: error && error !== "NO_ERROR" ? error : name }],
    });
    expect(JSON.stringify(told)).not.toContain("4915112345678");
  });

  it.each(["EC_CONTENT_BLOCKED", "EC_SC_BLOCKED_BY_END_USER", "EC_MARKETING_OPT_OUT"])(
    "with %s is an opt-out",
    (error) => {
      const told = post({ results: [report(status("REJECTED", "REJECTED_OPERATOR", error))] });
      expect(told).toMatchObject({ receipts: [{ code: "opted_out", event: "opted_out" }] });
    },
  );

  it("about a repeated id says nothing of the message that came first", () => {
    const told = post({ results: [report(status("REJECTED", "REJECTED_DUPLICATE_MESSAGE_ID"))] });
    expect(told).toEqual({ authentic: true, receipts: [], inbound: [] });
  });

  it("that a message was seen is read", () => {
    const seen = {
      messageId,
      from: "4915199999999",
      to: "1",
      seenAt: "2018-12-12T11:21:58.251+0000",
    };
    expect(atMessage({ results: [seen] })).toEqual({
      authentic: true,
      receipts: [
        {
          providerMessageId: messageId,
          notificationId,
          attempt: 2,
          status: "delivered",
          event: "read",
          at: new Date("2018-12-12T11:21:58.251Z"),
        },
      ],
      inbound: [],
    });
  });

  it("may come with others", () => {
    const told = post({ results: [report(), report({ messageId: other }), report({ messageId: "theirs" })] });
    expect(told).toMatchObject({
      receipts: [{ notificationId }, { notificationId: other }, { providerMessageId: "theirs" }],
    });
  });
});

describe("a message from a recipient", () => {
  const sms = {
    messageId: "817790313235066447",
    from: "385916242493",
    to: "385921004026",
    text: "QUIZ Correct answer is Paris",
    cleanText: "Correct answer is Paris",
    keyword: "QUIZ",
    receivedAt: "2019-11-09T16:00:00.000+0000",
  };
  it("is read from SMS, and so is a keyword that Infobip knows", () => {
    const common = {
      providerMessageId: "817790313235066447",
      channel: "sms",
      from: "+385916242493",
      to: "+385921004026",
      at: new Date("2019-11-09T16:00:00Z"),
    };
    expect(post({ results: [sms] })).toEqual({
      authentic: true,
      receipts: [],
      inbound: [{ ...common, text: "QUIZ Correct answer is Paris" }],
    });
    expect(post({ results: [{ ...sms, text: "stop", keyword: "STOP" }] })).toMatchObject({
      inbound: [{ ...common, text: "stop", optOut: "stop" }],
    });
    expect(post({ results: [{ ...sms, to: "38880" }] })).toMatchObject({ inbound: [{ to: "38880" }] });
  });

  it.each<[string, object, object]>([
    ["a text", { type: "TEXT", text: "Hello" }, { text: "Hello" }],
    [
      "a tapped button of a template",
      { type: "BUTTON", text: "Yes", payload: "y1" },
      { text: "Yes", button: { payload: "y1", text: "Yes" } },
    ],
    [
      "a tapped button of a conversation",
      { type: "INTERACTIVE_BUTTON_REPLY", id: "y1", title: "Yes" },
      { text: "Yes", button: { payload: "y1", text: "Yes" } },
    ],
    ["a picture", { type: "IMAGE", url: "https://x", caption: "Look" }, { text: "Look", kind: "image" }],
    ["a reaction", { type: "REACTION", emoji: "👍" }, { text: "👍", kind: "reaction" }],
  ])("is read from WhatsApp: %s", (_what, content, ours) => {
    const item = {
      from: "385919998888",
      to: "41793026731",
      integrationType: "WHATSAPP",
      receivedAt: "2025-01-01T10:10:00.000+0000",
      messageId: "wamid.1",
      pairedMessageId: notificationId,
      message: content,
    };
    expect(post({ results: [item] })).toEqual({
      authentic: true,
      receipts: [],
      inbound: [
        {
          providerMessageId: "wamid.1",
          channel: "whatsapp",
          from: "+385919998888",
          to: "+41793026731",
          at: new Date("2025-01-01T10:10:00Z"),
          repliesTo: notificationId,
          ...ours,
        },
      ],
    });
  });

  it("is an opt-out or opt-in when the recipient chose it in WhatsApp", () => {
    const chosen = (notificationMessagesStatus: string): CallbackResult =>
      post({
        from: "41793026731",
        content: {
          sender: "41793026731",
          from: "385919998888",
          notificationMessagesStatus,
          description: "x",
        },
        createdAt: "2024-01-01T01:00:00.000+0000",
      });
    expect(chosen("stop")).toMatchObject({
      inbound: [{ from: "+385919998888", to: "+41793026731", kind: "user_preferences", optOut: "stop" }],
    });
    expect(chosen("resume")).toMatchObject({ inbound: [{ optOut: "start" }] });
    expect(chosen("perhaps")).toMatchObject({ inbound: [] });
  });
});

describe("hostile callbacks", () => {
  it("never make the parser throw: bytes, URLs and headers", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.string(),
        fc.string(),
        (bytes, url, authorization) => {
          const rawBody = Buffer.from(bytes);
          expect(post(rawBody, { url, headers: { authorization } })).toEqual({ authentic: false });
          expect(post(rawBody)).toMatchObject({ authentic: true });
        },
      ),
    );
  });

  it("never make the parser throw: any JSON in any place, from a subscription", () => {
    const anything = fc.jsonValue();
    const names = [
      "messageId",
      "status",
      "error",
      "price",
      "seenAt",
      "doneAt",
      "from",
      "to",
      "text",
      "message",
    ];
    const item = fc.dictionary(fc.constantFrom(...names, "messageCount", "keyword", "__proto__"), anything);
    fc.assert(
      fc.property(fc.oneof(anything, fc.array(item)), anything, (results, content) => {
        expect(post({ results, content })).toMatchObject({ authentic: true });
        expect(post({ results: [report({ status: content, price: content })] })).toMatchObject({
          authentic: true,
        });
      }),
    );
  });
});

describe.each<[string, [string, object][], object]>([
  [
    "infobip-sms.yaml",
    [
      ["receive-outbound-sms-message-reports-v3", { results: [report()] }],
      [
        "receive-inbound-sms-messages",
        { results: [{ messageId: "1", from: "385916242493", to: "38880", text: "x", keyword: "QUIZ" }] },
      ],
    ],
    { results: "none" },
  ],
  [
    "infobip-whatsapp.yaml",
    [
      ["receive-whatsapp-delivery-reports", { results: [report()] }],
      [
        "receive-whatsapp-seen-reports",
        { results: [{ messageId: "1", from: "1", to: "2", seenAt: "2018-12-12T11:21:58.251+00:00" }] },
      ],
      [
        "receive-whatsapp-marketing-update-notification",
        {
          from: "1",
          content: { sender: "1", from: "2", notificationMessagesStatus: "stop", description: "x" },
        },
      ],
    ],
    { results: "none" },
  ],
])("Infobip's own description %s of its callbacks", (file, bodies, wrong) => {
  const description = descriptionFile(file);
  let prism: ServedDescription;
  beforeAll(async () => {
    if (description !== null) prism = await serveDescription(description);
  });
  afterAll(async () => {
    if (description !== null) await prism.close();
  });
  const check = async (name: string, body: object): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${prism.baseUrl}/_callback/${name}`, request)).status;
  };

  it.skipIf(description === null)(
    "refuses a body that is none (the probe that shows it checks at all)",
    async () => {
      expect(await check(bodies[0]?.[0] ?? "", wrong)).toBe(422);
    },
  );

  it.skipIf(description === null).each(bodies)(
    "takes the bodies that these tests read: %s",
    async (name, body) => {
      expect(await check(name, body)).toBe(200);
    },
  );
});
