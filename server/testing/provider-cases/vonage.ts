import { tokenGenerate } from "@vonage/jwt";
import { SignJWT } from "jose";
import type { CallbackRequest } from "../../adapters/adapter.ts";
import { FAKE_VONAGE, problem, webhookAuthorization } from "../fake-vonage.ts";
import { httpProvider, json } from "../http-providers.ts";
import { answerOf, NOTIFICATION_ID, NOW } from "./answers.ts";
import { bytesOf, headers, post, SIGNED_BODY } from "./callbacks.ts";
import type { CallbackCases, ReceiptRow } from "./callbacks.ts";
import { CLOUD_API, MESSAGE_REFUSALS, PICTURE, WHATSAPP_REFUSALS, whatsappSends } from "./outgoing.ts";
import type { OutgoingCases } from "./outgoing.ts";

const refusal = (status: number, code: string, title: string, more: object = {}) =>
  answerOf(problem(status, code, title, { detail: `${title} for +4915112345678`, ...more }));
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const namespaced = { template: "9b6b4fcb_da19:order_shipped", language: "en_GB", variables: { "1": "Ada" } };
const sms = {
  channel: "sms",
  message_type: "text",
  to: "4915112345678",
  from: "4915199999999",
  text: "Ihr Code: 1234",
  client_ref: "0198c7a0-0000-7000-8000-000000000001:2",
};

export const vonageOutgoing: OutgoingCases = {
  provider: httpProvider("vonage"),
  sends: {
    "an SMS with its time to live, its encoding, and what comes back with its statuses": {
      message: { expiresAt: inSeconds(600.5), encoding: "UCS-2" },
      path: "/v1/messages",
      body: {
        ...sms,
        webhook_url: "https://tidings.example/api/callbacks/c1",
        webhook_version: "v1",
        ttl: 600,
        sms: { encoding_type: "unicode" },
      },
      outcome: { providerMessageId: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab", final: false },
    },
    "no shorter time to live than Vonage takes, from a name": {
      message: { expiresAt: inSeconds(-5), senderId: "ACME", encoding: "GSM-7" },
      holds: { ttl: 20, from: "ACME", sms: { encoding_type: "text" } },
    },
    "no time to live instead of a longer one, and no address that Vonage could not call": {
      message: {
        expiresAt: inSeconds(30 * 86_400),
        callbackUrl: "http://localhost:3000/api/callbacks/c1",
      },
      body: sms,
      outcome: { final: true },
    },
    "a template under a namespace": {
      message: { channel: "whatsapp", whatsapp: namespaced },
      holds: { template: { name: "9b6b4fcb_da19:order_shipped" } },
    },
    "a template under a namespace in WhatsApp's form": {
      message: { channel: "whatsapp", whatsapp: namespaced, header: { type: "image", value: PICTURE } },
      holds: { custom: { template: { namespace: "9b6b4fcb_da19", name: "order_shipped" } } },
    },
    ...whatsappSends({
      text: { holds: { channel: "whatsapp", to: sms.to, message_type: "text", text: sms.text } },
      framedText: { holds: { text: "*Table*\n\nIhr Code: 1234\n\n_Bistro_" } },
      picture: { holds: { message_type: "image", image: { url: PICTURE, caption: sms.text } } },
      document: {
        holds: {
          message_type: "file",
          file: { url: "https://a.example/f/menu.pdf?x=1", caption: sms.text, name: "menu.pdf" },
        },
      },
      replies: { holds: { message_type: "custom", custom: CLOUD_API.replies } },
      link: { holds: { message_type: "custom", custom: CLOUD_API.link } },
      template: {
        holds: {
          message_type: "template",
          template: { name: "order_shipped", parameters: ["Ada", "b"] },
          whatsapp: { policy: "deterministic", locale: "en-GB" },
        },
      },
      templateWithPicture: { holds: { message_type: "custom", custom: CLOUD_API.templateWithPicture } },
    }),
  },
  refuses: { ...MESSAGE_REFUSALS, ...WHATSAPP_REFUSALS },
  errors: [
    [refusal(401, "unauthorized", "Unauthorized"), "unauthorized", "failover", "provider_credentials"],
    [refusal(402, "low-balance", "Low balance"), "low-balance", "failover", "provider_out_of_funds"],
    [refusal(422, "1420", "Invalid sender"), "1420", "failover", "sender_rejected"],
    [refusal(422, "1120", "Invalid sender"), "1120", "failover", "sender_rejected"],
    [refusal(422, "1430", "Invalid recipient"), "1430", "never", "invalid_recipient"],
    [refusal(422, "1150", "Invalid params"), "1150", "failover", "provider_rejected"],
    [refusal(429, "1010", "Rate Limit Hit"), "1010", "later", "provider_rate_limited"],
  ],
  uncertain: [[refusal(500, "1000", "Internal error"), "1000"]],
  tests: {
    "a token that is accepted": { answer: refusal(422, "1150", "Invalid params"), result: { ok: true } },
    "a token that is not": {
      answer: refusal(401, "unauthorized", "Unauthorized"),
      result: {
        ok: false,
        problem: "Vonage does not accept this application ID and private key for messages",
      },
    },
    "another answer": {
      answer: json(200, {}),
      result: { ok: false, problem: "Vonage answered with status 200" },
    },
  },
  regions: [
    [{ region: "eu" }, "EU", "https://api-eu.vonage.com"],
    [{ region: "us" }, "US", "https://api-us.vonage.com"],
    [{ region: "global" }, null, "https://api.nexmo.com"],
  ],
};

const uuid = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab";
const status = (name: string | undefined, more: object = {}) => ({
  message_uuid: uuid,
  to: "4915112345678",
  from: "4915199999999",
  timestamp: "2020-01-01T14:00:00.000Z",
  status: name,
  channel: "sms",
  client_ref: `${NOTIFICATION_ID}:2`,
  usage: { currency: "EUR", price: "0.0333" },
  ...more,
});
const failed = (name: string, title: unknown, type?: string) =>
  status(name, {
    error: { title, detail: "Not to 4915112345678", instance: "x", ...(type ? { type } : {}) },
  });
const written = (more: object) => ({
  channel: "whatsapp",
  message_uuid: uuid,
  to: "4915199999999",
  from: "4915112345678",
  timestamp: "2020-01-01T14:00:00.000Z",
  ...more,
});
type Signing = Parameters<typeof webhookAuthorization>[1];
const signedWith =
  (options: Signing, body?: string) =>
  async (from: CallbackRequest): Promise<CallbackRequest> =>
    headers({ authorization: await webhookAuthorization(body ?? from.rawBody, options) })(from);
const yes = { payload: "y1", text: "Yes" };

export const vonageCallbacks: CallbackCases = {
  adapter: httpProvider("vonage").adapter,
  connection: { id: "c1", credentials: FAKE_VONAGE, settings: { region: "eu" } },
  request: async (payload) =>
    post(bytesOf(payload), { authorization: await webhookAuthorization(bytesOf(payload)) }),
  genuine: status("delivered"),
  forgeries: {
    ...SIGNED_BODY,
    "an empty token": headers({ authorization: "Bearer " }),
    "a token without scheme": (from) =>
      headers({ authorization: from.headers.authorization?.slice("Bearer ".length) })(from),
    "another secret's token": signedWith({ secret: "another-secret-of-32-characters!" }),
    "another body's token": signedWith({}, "{}"),
    "a token without the body's hash": signedWith({ claims: { payload_hash: undefined } }),
    "a hash that is no text": signedWith({ claims: { payload_hash: ["x"] } }),
    "another application's token": signedWith({ claims: { application_id: "other" } }),
    "a token that has expired": signedWith({ expiresIn: "-1h" }),
    "a token without signature": headers({
      authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`,
    }),
    "a token of the application's key": headers({
      authorization: `Bearer ${tokenGenerate(FAKE_VONAGE.applicationId, FAKE_VONAGE.privateKey)}`,
    }),
    "a token under another algorithm": async (from) => {
      const secret = new TextEncoder().encode(FAKE_VONAGE.signatureSecret.repeat(2));
      const token = await new SignJWT({}).setProtectedHeader({ alg: "HS512" }).sign(secret);
      return headers({ authorization: `Bearer ${token}` })(from);
    },
  },
  receipt: {
    providerMessageId: uuid,
    notificationId: NOTIFICATION_ID,
    attempt: 2,
    at: new Date("2020-01-01T14:00:00Z"),
    price: { amount: "0.0333", currency: "EUR" },
  },
  receipts: [
    [
      "submitted, in two parts",
      status("submitted", { sms: { count_total: "2" } }),
      { status: "sent", segments: 2 },
    ],
    ["delivered", status("delivered"), { status: "delivered" }],
    ["read", status("read"), { status: "delivered", event: "read" }],
    ...(
      [
        ["undeliverable", 1180, "recipient_unreachable"],
        ["rejected", 1340, "outside_conversation"],
        ["rejected", "1170", "invalid_recipient"],
        ["rejected", 1022, "template_rejected"],
        ["rejected", 1070, "provider_out_of_funds"],
        ["rejected", 9999, "undelivered"],
        ["rejected", "constructor", "undelivered"],
      ] as const
    ).flatMap(([name, title, code]): ReceiptRow[] => {
      const providerCode = String(title);
      const said = { status: "failed", code, providerCode, providerMessage: "Not to [number]" } as const;
      const type = `https://developer.vonage.com/api-errors/messages#${providerCode}`;
      return [
        [`${name}, ${providerCode}`, failed(name, title), said],
        [`${name}, ${providerCode} at the end of the type`, failed(name, "Some words", type), said],
      ];
    }),
    ["an opt-out", failed("rejected", 1240), { status: "failed", code: "opted_out", event: "opted_out" }],
  ],
  inbound: {
    providerMessageId: uuid,
    channel: "whatsapp",
    from: "+4915112345678",
    to: "+4915199999999",
    at: new Date("2020-01-01T14:00:00Z"),
  },
  messages: [
    [
      "an SMS",
      written({ channel: "sms", text: "hallo", sms: { keyword: "X" }, message_type: "text" }),
      { channel: "sms", text: "hallo" },
    ],
    ["an SMS without type", written({ channel: "sms", text: "hallo" }), { channel: "sms", text: "hallo" }],
    [
      "an answer to a message of ours",
      written({ message_type: "text", text: "Yes", context: { message_uuid: NOTIFICATION_ID } }),
      { text: "Yes", repliesTo: NOTIFICATION_ID },
    ],
    [
      "a tapped button of a conversation",
      written({ message_type: "reply", reply: { id: "y1", title: "Yes", description: "x" } }),
      { text: "Yes", button: yes },
    ],
    [
      "a tapped button of a template",
      written({ message_type: "button", button: yes }),
      { text: "Yes", button: yes },
    ],
    [
      "a picture",
      written({ message_type: "image", image: { url: "x", caption: "Look" } }),
      { text: "Look", kind: "image" },
    ],
    [
      "a reaction",
      written({ message_type: "reaction", reaction: { emoji: "👍" } }),
      { text: "👍", kind: "reaction" },
    ],
    [
      "a kind that every object has",
      written({ message_type: "constructor" }),
      { text: "", kind: "constructor" },
    ],
  ],
  ignored: {
    "a status that we do not know": status("teleported"),
    "a channel that is not ours": status("delivered", { channel: "messenger" }),
    "no id": status("delivered", { message_uuid: "" }),
  },
  together: {
    payload: [status("submitted"), status("delivered")],
    receipts: [{ status: "sent" }, { status: "delivered" }],
  },
  many: [Array.from({ length: 1_500 }, () => status("delivered")), 1_000],
  described: [
    ["message-status", status("delivered")],
    // Not "read": the description names it for WhatsApp and forbids it in what all channels share.
    ["message-status", status("delivered", { channel: "whatsapp" })],
    ["inbound-message", status(undefined, { text: "hi" })],
  ],
};
