import { expect } from "vitest";
import type { FailureCode } from "../../adapters/adapter.ts";
import { basicAuth } from "../../adapters/http-call.ts";
import { apiError, exception } from "../fake-infobip.ts";
import { httpProvider, json } from "../http-providers.ts";
import { answerOf, NOTIFICATION_ID as id, NOW } from "./answers.ts";
import { bytesOf, headers, post, SIGNED_BODY } from "./callbacks.ts";
import type { CallbackCases, ReceiptRow } from "./callbacks.ts";
import { MESSAGE_REFUSALS, PICTURE, WHATSAPP_REFUSALS, whatsappSends } from "./outgoing.ts";
import type { ErrorRow, OutgoingCases } from "./outgoing.ts";

const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const to = "4915112345678";
const apiRefusal = (status: number, code: string, property?: string) =>
  answerOf(apiError(status, code, property === undefined ? [] : [{ property, violation: "x" }]));
const refusal = (status: number, code: string, field?: string, words = "x") =>
  answerOf(exception(status, code, "Bad request", field === undefined ? undefined : { [field]: [words] }));
const accepted = (groupName: string, name: string, groupId = 5) =>
  json(200, {
    messages: [
      {
        messageId: id,
        status: { groupId, groupName, id: 1, name, description: "For +4915112345678" },
        destination: to,
        details: { messageCount: 2 },
      },
    ],
  });
const conversation = (kind: string, content: object) => ({
  path: `/whatsapp/1/message/${kind}`,
  holds: { from: "4915199999999", to, messageId: id, content },
});
const signedUrl = expect.stringMatching(
  /^https:\/\/tidings\.example\/api\/callbacks\/c1\?notification=.*&attempt=2&signature=/,
) as string;
const document = { mediaUrl: "https://a.example/f/menu.pdf?x=1", filename: "menu.pdf" };
const template = (templateData: object) => ({
  path: "/whatsapp/1/message/template",
  holds: {
    messages: [
      {
        to,
        notifyUrl: signedUrl,
        content: { templateName: "order_shipped", language: "en_GB", templateData },
      },
    ],
  },
});

export const infobipOutgoing: OutgoingCases = {
  provider: httpProvider("infobip"),
  sends: {
    "an SMS with our id, its validity and a signed address for its reports": {
      message: { expiresAt: inSeconds(600.5) },
      answer: accepted("PENDING", "PENDING_ACCEPTED", 1),
      path: "/sms/3/messages",
      headers: { authorization: "App api-s3cret" },
      body: {
        messages: [
          {
            sender: "4915199999999",
            destinations: [{ to, messageId: id }],
            content: { text: "Ihr Code: 1234" },
            options: { validityPeriod: { amount: 600, timeUnit: "SECONDS" } },
            webhooks: { delivery: { url: signedUrl }, contentType: "application/json" },
          },
        ],
        options: { includeSmsCountInResponse: true },
      },
      outcome: { providerMessageId: id, final: false, segments: 2 },
    },
    "a name as sender, and no validity instead of a longer one than Infobip has": {
      message: { senderId: "ACME", expiresAt: inSeconds(30 * 86_400) },
      holds: { messages: [{ sender: "ACME", webhooks: {} }] },
    },
    "at least a second of validity": {
      message: { expiresAt: inSeconds(-5) },
      holds: { messages: [{ options: { validityPeriod: { amount: 1 } } }] },
    },
    "an id that Infobip has seen, as the success that it is": {
      answer: accepted("REJECTED", "REJECTED_DUPLICATE_MESSAGE_ID"),
      outcome: { providerMessageId: id },
    },
    ...whatsappSends({
      text: conversation("text", { text: "Ihr Code: 1234" }),
      framedText: conversation("text", { text: "*Table*\n\nIhr Code: 1234\n\n_Bistro_" }),
      picture: conversation("image", { mediaUrl: PICTURE, caption: "Ihr Code: 1234" }),
      document: conversation("document", { ...document, caption: "Ihr Code: 1234" }),
      replies: conversation("interactive/buttons", {
        header: { type: "DOCUMENT", ...document },
        body: { text: "Ihr Code: 1234\nCall: +4930123456\nMenu: https://a.example" },
        footer: { text: "Bistro" },
        action: { buttons: [{ type: "REPLY", id: "y1", title: "Yes" }] },
      }),
      link: conversation("interactive/url-button", {
        header: { type: "TEXT", text: "Table" },
        action: { displayText: "Menu", url: "https://a.example" },
      }),
      template: template({ body: { placeholders: ["Ada", "b"] } }),
      templateWithPicture: template({
        body: { placeholders: ["Ada", "b"] },
        header: { type: "IMAGE", mediaUrl: PICTURE },
        buttons: [
          { type: "QUICK_REPLY", parameter: "Maybe" },
          { type: "QUICK_REPLY", parameter: "y1" },
        ],
      }),
    }),
  },
  refuses: {
    "an SMS without text": MESSAGE_REFUSALS["a message without text"]!,
    "a WhatsApp message without sender": {
      message: { channel: "whatsapp", senderId: undefined },
      retry: "failover",
      code: "sender_rejected",
    },
    ...WHATSAPP_REFUSALS,
  },
  errors: [
    [apiRefusal(401, "E401"), "E401", "failover", "provider_credentials"],
    [refusal(403, "FORBIDDEN"), "FORBIDDEN", "failover", "provider_credentials"],
    [refusal(429, "TOO_MANY_REQUESTS"), "TOO_MANY_REQUESTS", "later", "provider_rate_limited"],
    [apiRefusal(400, "E400", "messages[0].destinations[0].to"), "E400", "never", "invalid_recipient"],
    [refusal(400, "BAD_REQUEST", "messages[0].from"), "BAD_REQUEST", "failover", "sender_rejected"],
    [
      refusal(400, "BAD_REQUEST", "content.templateData.header.placeholder"),
      "BAD_REQUEST",
      "never",
      "template_rejected",
    ],
    [
      refusal(400, "BAD_REQUEST", "content.text", "size must be between 1 and 4096"),
      "BAD_REQUEST",
      "never",
      "content_rejected",
    ],
    [apiRefusal(400, "E400"), "E400", "failover", "provider_rejected"],
    // Accepted, and rejected in the same answer.
    ...(
      [
        ["REJECTED_NOT_ENOUGH_CREDITS", "failover", "provider_out_of_funds"],
        ["REJECTED_DESTINATION", "never", "invalid_recipient"],
        ["REJECTED_SOURCE", "failover", "sender_rejected"],
        ["REJECTED_NETWORK", "failover", "region_not_enabled"],
        ["REJECTED_SOMETHING_NEW", "failover", "provider_rejected"],
      ] as const
    ).map(([name, retry, code]): ErrorRow => [accepted("REJECTED", name), name, retry, code]),
  ],
  tests: {
    "the balance": {
      answer: json(200, { balance: 47.8, currency: "EUR" }),
      result: { ok: true, facts: [{ label: "Balance", value: "47.80 EUR" }] },
    },
    "a wrong key": {
      answer: refusal(401, "UNAUTHORIZED"),
      result: { ok: false, problem: expect.stringContaining("API key") as string },
    },
  },
  regions: [[{}, null]],
};

const callbackSecret = "a secret of callbacks";
/** As the service makes ids: the notification's, then a part of the connection's. */
const messageId = `${id}.0000000c`;
const report = (more: object = {}) => ({
  bulkId: "BULK-ID-123-xyz",
  price: { pricePerMessage: 0.0075, currency: "EUR" },
  status: { groupId: 3, groupName: "DELIVERED", id: 5, name: "DELIVERED_TO_HANDSET", description: "x" },
  error: { groupId: 0, groupName: "OK", id: 0, name: "NO_ERROR", description: "No Error", permanent: false },
  messageId,
  to,
  sentAt: "2019-11-09T16:00:00.000+0100",
  doneAt: "2019-11-09T16:00:05.000+0100",
  messageCount: 2,
  ...more,
});
const status = (groupName: string, name: string, error?: string) => ({
  status: { groupId: 9, groupName, id: 1, name, description: `${name} for ${to}` },
  ...(error ? { error: { groupId: 1, id: 1, name: error, description: "x", permanent: true } } : {}),
});
const seen = { messageId, from: "4915199999999", to: "1", seenAt: "2018-12-12T11:21:58.251+0000" };
const results = (...items: object[]) => ({ results: items });
const sms = (more: object = {}) =>
  results({
    messageId: "wamid.1",
    from: "385919998888",
    to: "41793026731",
    text: "QUIZ Paris",
    keyword: "QUIZ",
    receivedAt: "2025-01-01T10:10:00.000+0000",
    ...more,
  });
const whatsappMessage = (message: object) =>
  results({
    from: "385919998888",
    to: "41793026731",
    integrationType: "WHATSAPP",
    receivedAt: "2025-01-01T10:10:00.000+0000",
    messageId: "wamid.1",
    pairedMessageId: id,
    message,
  });
const preference = (notificationMessagesStatus: string) => ({
  from: "41793026731",
  content: { sender: "41793026731", from: "385919998888", notificationMessagesStatus, description: "x" },
  createdAt: "2025-01-01T10:10:00.000+0000",
});
const authorization = basicAuth("tidings", callbackSecret);
const failures: [group: string, name: string, error: string | undefined, code: FailureCode][] = [
  ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_UNKNOWN_SUBSCRIBER", "invalid_recipient"],
  ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_ABSENT_SUBSCRIBER", "recipient_unreachable"],
  ["REJECTED", "REJECTED_DND", undefined, "recipient_blocked"],
  ["EXPIRED", "EXPIRED_EXPIRED", "NO_ERROR", "provider_expired"],
  ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_NO_SESSION", "outside_conversation"],
  ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "EC_INVALID_TEMPLATE_ARGS", "template_rejected"],
  ["UNDELIVERABLE", "SOMETHING_NEW", "EC_SOMETHING_NEW", "undelivered"],
  ["REJECTED", "__proto__", "constructor", "undelivered"],
  ["REJECTED", "REJECTED_OPERATOR", "EC_CONTENT_BLOCKED", "opted_out"],
  ["REJECTED", "REJECTED_OPERATOR", "EC_SC_BLOCKED_BY_END_USER", "opted_out"],
  ["REJECTED", "REJECTED_OPERATOR", "EC_MARKETING_OPT_OUT", "opted_out"],
];
const yes = { payload: "y1", text: "Yes" };
const paired = { channel: "whatsapp", repliesTo: id } as const;
const chosen = (optOut: "stop" | "start") => ({
  channel: "whatsapp" as const,
  providerMessageId: `preference:+385919998888:${optOut}:${Date.UTC(2025, 0, 1, 10, 10)}`,
  text: "",
  kind: "user_preferences",
  optOut,
});

/** Through a subscription; a message's own address is in infobip-callback.test.ts. */
export const infobipCallbacks: CallbackCases = {
  adapter: httpProvider("infobip").adapter,
  connection: {
    id: "c1",
    credentials: { apiKey: "k", callbackSecret },
    settings: { baseUrl: "https://abc.api.infobip.com" },
  },
  request: (payload) => post(bytesOf(payload), { authorization }),
  genuine: results(report()),
  forgeries: {
    "another method": SIGNED_BODY["another method"]!,
    "no headers": SIGNED_BODY["no headers"]!,
    "another password": headers({ authorization: basicAuth("tidings", "wrong") }),
    "another user": headers({ authorization: basicAuth("x", callbackSecret) }),
    "no password": headers({ authorization: "Basic" }),
  },
  receipt: { providerMessageId: messageId, notificationId: id },
  receipts: [
    [
      "with time, parts, and the price of all parts",
      results(report()),
      {
        status: "delivered",
        at: new Date("2019-11-09T15:00:05Z"),
        price: { amount: "0.015", currency: "EUR" },
        segments: 2,
      },
    ],
    ...(
      [
        ["PENDING", "PENDING_ENROUTE", "sent"],
        ["DELIVERED", "DELIVERED_TO_OPERATOR", "sent"],
        ["DELIVERED", "DELIVERED_TO_HANDSET", "delivered"],
        ["UNDELIVERABLE", "UNDELIVERABLE_NOT_DELIVERED", "failed"],
        ["EXPIRED", "EXPIRED_EXPIRED", "failed"],
        ["REJECTED", "REJECTED_SENDER", "failed"],
      ] as const
    ).map(([group, name, ours]): ReceiptRow => [
      `${group}, ${name}`,
      results({ messageId, ...status(group, name) }),
      { status: ours },
    ]),
    [
      "by the number of its group",
      results({ messageId, status: { groupId: 3, name: "DELIVERED_TO_HANDSET" } }),
      { status: "delivered" },
    ],
    ...failures.map(([group, name, error, code]): ReceiptRow => [
      `${group}, ${name} with ${String(error)}`,
      results({ messageId, ...status(group, name, error) }),
      {
        status: "failed",
        code,
        providerCode: error && error !== "NO_ERROR" ? error : name,
        ...(code === "opted_out" ? { event: "opted_out" } : {}),
      },
    ]),
    ["seen", results(seen), { status: "delivered", event: "read", at: new Date("2018-12-12T11:21:58.251Z") }],
  ],
  inbound: {
    providerMessageId: "wamid.1",
    channel: "sms",
    from: "+385919998888",
    to: "+41793026731",
    at: new Date("2025-01-01T10:10:00Z"),
  },
  messages: [
    ["an SMS", sms(), { text: "QUIZ Paris" }],
    [
      "a keyword that Infobip knows",
      sms({ text: "stop", keyword: "STOP" }),
      { text: "stop", optOut: "stop" },
    ],
    ["to a short code", sms({ to: "38880" }), { text: "QUIZ Paris", to: "38880" }],
    ["by WhatsApp", whatsappMessage({ type: "TEXT", text: "Hello" }), { ...paired, text: "Hello" }],
    [
      "a tapped button of a template",
      whatsappMessage({ type: "BUTTON", ...yes }),
      { ...paired, text: "Yes", button: yes },
    ],
    [
      "a tapped button of a conversation",
      whatsappMessage({ type: "INTERACTIVE_BUTTON_REPLY", id: "y1", title: "Yes" }),
      { ...paired, text: "Yes", button: yes },
    ],
    [
      "a picture",
      whatsappMessage({ type: "IMAGE", url: "https://x", caption: "Look" }),
      { ...paired, text: "Look", kind: "image" },
    ],
    [
      "a reaction",
      whatsappMessage({ type: "REACTION", emoji: "👍" }),
      { ...paired, text: "👍", kind: "reaction" },
    ],
    ["an opt-out in WhatsApp", preference("stop"), chosen("stop")],
    ["an opt-in in WhatsApp", preference("resume"), chosen("start")],
  ],
  ignored: {
    "a repeated id": results(report(status("REJECTED", "REJECTED_DUPLICATE_MESSAGE_ID"))),
    "a preference that we do not know": preference("perhaps"),
  },
  together: {
    payload: results(report(), report({ messageId: "theirs" })),
    receipts: [{ notificationId: id }, { providerMessageId: "theirs" }],
  },
  many: [results(...Array.from({ length: 1_500 }, () => report())), 1_000],
  described: [
    ["sms report", results(report())],
    ["whatsapp report", results(report())],
    ["sms message", sms()],
    ["whatsapp seen", results({ ...seen, seenAt: "2018-12-12T11:21:58.251+00:00" })],
    ["whatsapp preference", preference("stop")],
  ],
};
