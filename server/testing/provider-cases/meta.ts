import { metaSignature } from "../../adapters/meta/meta-callback.ts";
import { graphError } from "../fake-meta.ts";
import { httpProvider, json } from "../http-providers.ts";
import { answerOf, NOTIFICATION_ID } from "./answers.ts";
import { bytesOf, headers, post, SIGNED_BODY } from "./callbacks.ts";
import type { CallbackCases, ReceiptRow } from "./callbacks.ts";
import { CLOUD_API, PICTURE, WHATSAPP_REFUSALS, whatsappSends } from "./outgoing.ts";
import type { ErrorRow, OutgoingCases } from "./outgoing.ts";

const refusal = (status: number, code: number) =>
  answerOf(graphError(status, code, "x", "Recipient 4915112345678 is bad"));
const text = "Ihr Code: 1234";

export const metaOutgoing: OutgoingCases = {
  provider: httpProvider("meta"),
  sends: {
    "a text within a conversation, the number without its plus": {
      path: "/v23.0/106540352242922/messages",
      headers: { authorization: "Bearer EAAs3cret" },
      body: {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: "4915112345678",
        type: "text",
        text: { body: text },
      },
      outcome: { providerMessageId: "wamid.1", final: false },
    },
    ...whatsappSends({
      text: { holds: { type: "text", text: { body: text } } },
      framedText: { holds: { text: { body: "*Table*\n\nIhr Code: 1234\n\n_Bistro_" } } },
      picture: { holds: { type: "image", image: { link: PICTURE, caption: text } } },
      document: {
        holds: {
          type: "document",
          document: { link: "https://a.example/f/menu.pdf?x=1", filename: "menu.pdf", caption: text },
        },
      },
      replies: { holds: CLOUD_API.replies },
      link: { holds: CLOUD_API.link, isNewer: true },
      template: {
        holds: {
          type: "template",
          biz_opaque_callback_data: "0198c7a0-0000-7000-8000-000000000001:2",
          template: {
            name: "order_shipped",
            language: { policy: "deterministic", code: "en_GB" },
            components: [
              {
                type: "body",
                parameters: [
                  { type: "text", text: "Ada" },
                  { type: "text", text: "b" },
                ],
              },
            ],
          },
        },
      },
      templateWithPicture: { holds: CLOUD_API.templateWithPicture },
    }),
    "a template without variables": {
      message: { whatsapp: { template: "hello_world", language: "en_US", variables: {} } },
      holds: { template: { components: [] } },
    },
  },
  refuses: WHATSAPP_REFUSALS,
  errors: (
    [
      [401, 190, "failover", "provider_credentials"],
      [403, 10, "failover", "provider_credentials"],
      [403, 200, "failover", "provider_credentials"],
      [403, 368, "failover", "account_restricted"],
      [400, 130429, "later", "provider_rate_limited"],
      [400, 131056, "later", "provider_deferred"],
      [429, 80007, "later", "provider_rate_limited"],
      [400, 131026, "never", "invalid_recipient"],
      [400, 131030, "failover", "recipient_not_verified"],
      [400, 131042, "failover", "provider_out_of_funds"],
      [400, 131047, "never", "outside_conversation"],
      [400, 131049, "never", "recipient_blocked"],
      [400, 131050, "never", "opted_out"],
      [404, 132001, "never", "template_rejected"],
      [400, 132015, "never", "template_rejected"],
      [400, 133010, "failover", "sender_rejected"],
      [403, 130497, "failover", "region_not_enabled"],
      [400, 99, "failover", "provider_rejected"],
    ] as const
  ).map(([status, code, retry, ours]): ErrorRow => [refusal(status, code), String(code), retry, ours]),
  // The message may have been taken, whatever the code is.
  uncertain: [1, 131000, 131016, 190].map((code) => [refusal(500, code), String(code)]),
  tests: {
    "what Meta says of the number": {
      answer: json(200, {
        id: "106540352242922",
        display_phone_number: "+49 1515 9999999",
        verified_name: "Example Shop",
        quality_rating: "GREEN",
      }),
      result: {
        ok: true,
        facts: [
          { label: "Number", value: "+49 1515 9999999" },
          { label: "Verified name", value: "Example Shop" },
          { label: "Quality rating", value: "GREEN" },
        ],
      },
    },
    "a wrong token": {
      answer: refusal(401, 190),
      result: { ok: false, problem: "Meta does not accept the access token" },
    },
    "a wrong number": {
      answer: refusal(400, 100),
      result: {
        ok: false,
        reachable: true,
        problem: "Meta knows no such phone number ID, or the access token may not use it",
      },
    },
  },
  regions: [[{}, null, "https://graph.facebook.com"]],
};

const credentials = { accessToken: "EAAs3cret", appSecret: "app-secret", verifyToken: "verify me" };
const wamid = "wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA";
const metadata = { display_phone_number: "15550783881", phone_number_id: "106540352242922" };
const body = (...values: object[]) => ({
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
const status = (name: string, more: object = {}) =>
  body({
    statuses: [{ id: wamid, status: name, timestamp: "1750030073", recipient_id: "4915112345678", ...more }],
  });
const failed = (code: number) =>
  status("failed", {
    errors: [{ code, message: "x", error_data: { details: "Message to 4915112345678 failed" } }],
  });
const pricing = { billable: true, pricing_model: "PMP", category: "utility" };
const written = (more: object) =>
  body({
    contacts: [{ profile: { name: "Ada" }, wa_id: "4915112345678" }],
    messages: [{ from: "4915112345678", id: "wamid.IN", timestamp: "1750030073", type: "text", ...more }],
  });
const preference = (value: string) =>
  body({
    user_preferences: [
      { wa_id: "4915112345678", detail: "x", category: "marketing_messages", timestamp: 1750030073, value },
    ],
  });
const chosen = (optOut: "stop" | "start") => ({
  providerMessageId: `preference:+4915112345678:${optOut}:1750030073000`,
  text: "",
  kind: "user_preferences",
  optOut,
});
const yes = { payload: "yes-1", text: "Yes" };
const ofOurs = { context: { from: "15550783881", id: wamid } };
const signed = (rawBody: Buffer, secret = credentials.appSecret) =>
  post(rawBody, { "x-hub-signature-256": metaSignature(secret, rawBody) });

export const metaCallbacks: CallbackCases = {
  adapter: httpProvider("meta").adapter,
  connection: { id: "c1", credentials, settings: { phoneNumberId: "106540352242922", version: "v23.0" } },
  request: (payload) => signed(bytesOf(payload)),
  genuine: status("sent"),
  forgeries: {
    ...SIGNED_BODY,
    "another secret": ({ rawBody }) => signed(rawBody, "other"),
    "a signature without its algorithm": (from) =>
      headers({ "x-hub-signature-256": from.headers["x-hub-signature-256"]?.slice("sha256=".length) })(from),
  },
  receipt: {
    providerMessageId: wamid,
    account: "106540352242922",
    at: new Date("2025-06-15T23:27:53Z"),
  },
  receipts: [
    ["sent", status("sent"), { status: "sent" }],
    ["delivered", status("delivered"), { status: "delivered" }],
    ["read", status("read"), { status: "delivered", event: "read" }],
    [
      "by what went out with it",
      status("sent", { biz_opaque_callback_data: `${NOTIFICATION_ID}:3` }),
      { status: "sent", notificationId: NOTIFICATION_ID, attempt: 3 },
    ],
    [
      "without what somebody else sent out with it",
      status("sent", { biz_opaque_callback_data: "somebody else's" }),
      { status: "sent", notificationId: undefined },
    ],
    [
      "the category that is charged for",
      status("sent", { pricing }),
      { status: "sent", category: "utility" },
    ],
    [
      "that nothing is charged for it, as older versions say it",
      status("sent", { pricing: { ...pricing, billable: false } }),
      { status: "sent", category: "utility", free: true },
    ],
    [
      "that nothing is charged for it in an open window",
      status("delivered", {
        pricing: { pricing_model: "PMP", type: "free_customer_service", category: "service" },
      }),
      { status: "delivered", category: "service", free: true },
    ],
    [
      "that the category of another country is charged",
      status("sent", {
        pricing: { pricing_model: "PMP", type: "regular", category: "authentication_international" },
      }),
      { status: "sent", category: "authentication_international" },
    ],
    ...(
      [
        [131047, "outside_conversation"],
        [131026, "invalid_recipient"],
        [131049, "recipient_blocked"],
        [132001, "template_rejected"],
        [131050, "opted_out"],
        [999999, "undelivered"],
      ] as const
    ).map(([code, ours]): ReceiptRow => [
      `failed with ${code}`,
      failed(code),
      {
        status: "failed",
        code: ours,
        providerCode: String(code),
        providerMessage: "Message to [number] failed",
        ...(ours === "opted_out" ? { event: "opted_out" } : {}),
      },
    ]),
  ],
  inbound: {
    providerMessageId: "wamid.IN",
    account: "106540352242922",
    channel: "whatsapp",
    from: "+4915112345678",
    to: "+15550783881",
    at: new Date("2025-06-15T23:27:53Z"),
  },
  messages: [
    ["a text", written({ text: { body: "Where is it?" } }), { text: "Where is it?" }],
    [
      "a text of somebody who hides the number",
      written({ from: undefined, from_user_id: "US.13491208655302741918", text: { body: "x" } }),
      { from: "US.13491208655302741918", text: "x" },
    ],
    [
      "a text with number and user ids",
      written({
        from_user_id: "DE.13491208655302741918",
        from_parent_user_id: "DE.ENT.11815799212886844830",
        text: { body: "x" },
      }),
      { sameAs: ["DE.13491208655302741918", "DE.ENT.11815799212886844830"], text: "x" },
    ],
    [
      "an answer to a message of ours",
      written({ text: { body: "Yes" }, ...ofOurs }),
      { text: "Yes", repliesTo: wamid },
    ],
    [
      "a tapped button of a template",
      written({ type: "button", button: yes, ...ofOurs }),
      { text: "Yes", button: yes, repliesTo: wamid },
    ],
    [
      "a tapped button of a conversation",
      written({
        type: "interactive",
        interactive: { type: "button_reply", button_reply: { id: "yes-1", title: "Yes" } },
      }),
      { text: "Yes", button: yes },
    ],
    [
      "a chosen line of a list",
      written({
        type: "interactive",
        interactive: { type: "list_reply", list_reply: { id: "l1", title: "Monday", description: "x" } },
      }),
      { text: "Monday", button: { payload: "l1", text: "Monday" } },
    ],
    [
      "a picture, by its kind and caption",
      written({ type: "image", image: { id: "1", mime_type: "image/jpeg", caption: "Look" } }),
      { text: "Look", kind: "image" },
    ],
    [
      "a reaction",
      written({ type: "reaction", reaction: { message_id: wamid, emoji: "👍" } }),
      { text: "👍", kind: "reaction", repliesTo: wamid },
    ],
    [
      "a kind that we do not know",
      written({ type: "hologram", hologram: 1 }),
      { text: "", kind: "hologram" },
    ],
    ["a kind that every object has", written({ type: "constructor" }), { text: "", kind: "constructor" }],
    // The same when it comes twice: its id is made of what was chosen and when.
    ["an opt-out in WhatsApp", preference("stop"), chosen("stop")],
    ["an opt-in in WhatsApp", preference("resume"), chosen("start")],
  ],
  ignored: {
    "a status that we do not know": status("teleported"),
    "a preference that we do not know": preference("perhaps"),
    "a message of Meta's own": written({
      type: "system",
      system: { type: "user_changed_number", body: "x" },
    }),
    "a message without sender": written({ from: undefined, text: { body: "x" } }),
    "a message without id": written({ id: "", text: { body: "x" } }),
  },
  together: {
    payload: {
      entry: [
        ...status("sent").entry,
        ...body({
          metadata: { ...metadata, phone_number_id: "2" },
          statuses: [{ id: wamid, status: "delivered" }],
        }).entry,
        ...written({ text: { body: "hi" } }).entry,
      ],
    },
    receipts: [
      { status: "sent", account: "106540352242922" },
      { status: "delivered", account: "2" },
    ],
    inbound: [{ text: "hi" }],
  },
  many: [
    body({
      statuses: Array.from({ length: 5_000 }, (_, index) => ({ id: String(index + 1), status: "sent" })),
    }),
    1_000,
  ],
  described: [
    ["webhook", status("sent", { pricing })],
    ["webhook", failed(131047)],
  ],
};
