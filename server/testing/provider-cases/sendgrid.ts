import { generateKeyPairSync, sign } from "node:crypto";
import type { CallbackRequest, FailureCode, Receipt } from "../../adapters/adapter.ts";
import { httpProvider, json } from "../http-providers.ts";
import { PDF, UNSUBSCRIBE_HEADERS } from "../outbound-email.ts";
import { NOTIFICATION_ID, NOW } from "./answers.ts";
import { bytesOf, headers, post, SIGNED_BODY } from "./callbacks.ts";
import type { CallbackCases, ReceiptRow } from "./callbacks.ts";
import { EMAIL_SENDS, emailRefusals, EVERY_PART } from "./outgoing.ts";
import type { OutgoingCases } from "./outgoing.ts";

const verificationKey =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";
const refusal = (
  status: number,
  field: string | null,
  message: string,
  headers: Record<string, string> = {},
) => json(status, { errors: [{ field, message: `${message} ada@example.com`, help: {} }] }, headers);
const scopes = (...names: string[]) => json(200, { scopes: names });

export const sendgridOutgoing: OutgoingCases = {
  provider: httpProvider("sendgrid"),
  sends: {
    "every part, and what its events will find the notification by": {
      message: EVERY_PART,
      settings: { verificationKey },
      answer: { status: 202, headers: { "x-message-id": "14c5d75ce93.dfd.64b469" } },
      path: "/v3/mail/send",
      headers: { authorization: "Bearer SG.s3cret" },
      body: {
        personalizations: [
          {
            to: [{ email: "ada@example.com" }],
            custom_args: { tidings_notification: NOTIFICATION_ID, tidings_attempt: "2" },
          },
        ],
        from: { email: "shop@example.org", name: "Shop Zürich" },
        reply_to: { email: "help@example.org" },
        subject: "Grüße 👋",
        content: [
          { type: "text/plain", value: "Hallo Welt" },
          { type: "text/html", value: "<p>Hallo <b>Welt</b></p>" },
        ],
        headers: UNSUBSCRIBE_HEADERS,
        attachments: [
          {
            content: PDF.content.toString("base64"),
            type: "application/pdf",
            filename: "rechnung.pdf",
            disposition: "attachment",
          },
        ],
      },
      outcome: { providerMessageId: "14c5d75ce93.dfd.64b469", final: false },
    },
    "an e-mail for which there will be no receipts, and no id": {
      answer: { status: 202 },
      outcome: { providerMessageId: null, final: true },
    },
    ...EMAIL_SENDS,
  },
  refuses: emailRefusals(23_000_000),
  errors: [
    [
      refusal(400, "personalizations.0.to.0.email", "Does not contain a valid address."),
      "400",
      "never",
      "invalid_recipient",
    ],
    [refusal(400, "from.email", "Not a valid address."), "400", "failover", "sender_rejected"],
    [refusal(400, "subject", "The subject is required."), "400", "failover", "provider_rejected"],
    [refusal(401, null, "The grant is invalid"), "401", "failover", "provider_credentials"],
    [refusal(401, null, "Maximum credits exceeded"), "401", "failover", "provider_quota_exceeded"],
    [refusal(403, "from", "No verified Sender Identity."), "403", "failover", "sender_rejected"],
    [refusal(403, null, "access forbidden"), "403", "failover", "provider_credentials"],
    [refusal(413, null, "Request Entity Too Large"), "413", "failover", "message_too_large"],
    [refusal(429, null, "too many requests"), "429", "later", "provider_rate_limited"],
  ],
  waits: [
    [refusal(429, null, "x", { "x-ratelimit-reset": String(NOW.getTime() / 1_000 + 30) }), 30_000],
    [
      refusal(429, null, "x", {
        "x-ratelimit-reset": String(NOW.getTime() / 1_000 + 30),
        "retry-after": "5",
      }),
      5_000,
    ],
  ],
  // A server that failed does not know why.
  uncertain: [[refusal(503, null, "Maximum credits exceeded"), "503"]],
  tests: {
    "a key that may send": {
      settings: { verificationKey },
      answer: scopes("mail.send", "user.profile.read"),
      result: { ok: true },
    },
    "a key that may not": {
      answer: scopes("mail.batch.create"),
      result: {
        ok: false,
        problem: "The API key may not send: give it the permission Mail Send in SendGrid under API Keys",
      },
    },
    "a wrong key": {
      answer: refusal(401, null, "authorization required"),
      result: { ok: false, problem: "SendGrid does not accept this API key" },
    },
    "something that is not SendGrid": {
      answer: { status: 200, body: "<html>" },
      result: { ok: false, problem: "SendGrid answered with status 200" },
    },
    "a verification key that could never verify anything": {
      settings: { verificationKey: "A".repeat(124) },
      answer: scopes("mail.send"),
      result: {
        ok: false,
        problem: "The event webhook's verification key is not a P-256 public key",
        reachable: true,
      },
    },
  },
  regions: [
    [{ region: "eu" }, "EU", "https://api.eu.sendgrid.com"],
    [{ region: "global" }, "US", "https://api.sendgrid.com"],
  ],
};

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
export const SENDGRID_KEY = publicKey.export({ format: "der", type: "spki" }).toString("base64");
const SIGNATURE = "x-twilio-email-event-webhook-signature";
const TIMESTAMP = "x-twilio-email-event-webhook-timestamp";

/** A batch as SendGrid posts it, signed at a time in ms. */
export function sendgridRequest(rawBody: Buffer, at = NOW.getTime()): CallbackRequest {
  const timestamp = String(at / 1_000);
  const signature = sign("sha256", Buffer.concat([Buffer.from(timestamp), rawBody]), privateKey);
  return post(rawBody, { [SIGNATURE]: signature.toString("base64"), [TIMESTAMP]: timestamp });
}
const event = (name: string, more: object = {}) => [
  {
    email: "ada@example.com",
    timestamp: 1_699_999_990,
    event: name,
    sg_event_id: "id",
    sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
    tidings_notification: NOTIFICATION_ID,
    tidings_attempt: "2",
    ...more,
  },
];
const bounce = (
  more: { status: string; [member: string]: string },
  permanent: boolean,
  code: FailureCode,
): ReceiptRow => [
  `bounce ${JSON.stringify(more)}`,
  event("bounce", { type: "bounce", reason: "no <ada@example.com>", ...more }),
  { status: "failed", event: "bounced", permanent, code, providerCode: more.status },
];
const dropped = (reason: string | undefined, receipt: Partial<Receipt>): ReceiptRow => [
  `dropped: ${reason ?? "no reason"}`,
  event("dropped", { reason }),
  { status: "failed", ...receipt },
];

export const sendgridCallbacks: CallbackCases = {
  adapter: httpProvider("sendgrid").adapter,
  connection: {
    id: "c1",
    credentials: { apiKey: "SG.s3cret" },
    settings: { region: "global", verificationKey: SENDGRID_KEY },
  },
  request: (payload) => sendgridRequest(bytesOf(payload)),
  genuine: event("delivered"),
  forgeries: {
    ...SIGNED_BODY,
    "no signature": headers({ [SIGNATURE]: undefined }),
    "a signature that is none": headers({ [SIGNATURE]: "AAAA" }),
    "another time": headers({ [TIMESTAMP]: String(NOW.getTime() / 1_000 + 1) }),
  },
  receipt: {
    providerMessageId: "14c5d75ce93.dfd.64b469",
    notificationId: NOTIFICATION_ID,
    attempt: 2,
    at: new Date(1_699_999_990_000),
  },
  receipts: [
    ["processed", event("processed"), { status: "sent" }],
    ["deferred", event("deferred", { response: "400 try again later", attempt: "5" }), { status: "sent" }],
    ["delivered", event("delivered", { response: "250 OK" }), { status: "delivered" }],
    ["open", event("open"), { event: "read" }],
    ["click", event("click", { url: "https://example.com" }), { event: "clicked" }],
    ["spamreport", event("spamreport"), { event: "complained" }],
    ["unsubscribe", event("unsubscribe"), { event: "opted_out" }],
    ["group_unsubscribe", event("group_unsubscribe", { asm_group_id: 10 }), { event: "opted_out" }],
    dropped("Unsubscribed Address", { event: "opted_out", code: "opted_out" }),
    dropped("Spam Reporting Address", { code: "suppressed_by_provider" }),
    dropped("Invalid", { code: "invalid_recipient" }),
    dropped(undefined, { code: "undelivered" }),
    bounce({ status: "5.1.1", bounce_classification: "Invalid Address" }, true, "invalid_recipient"),
    bounce({ status: "5.0.0", reason: "550 5.1.1 unknown <ada@example.com>" }, true, "undelivered"),
    bounce({ status: "5.2.2", bounce_classification: "Mailbox Unavailable" }, false, "mailbox_full"),
    bounce({ status: "4.2.2" }, false, "mailbox_full"),
    bounce(
      { type: "blocked", status: "5.7.1", bounce_classification: "Reputation" },
      false,
      "policy_rejected",
    ),
    bounce({ type: "blocked", status: "5.7.1" }, false, "policy_rejected"),
    // SendGrid's id goes on with the machine that processed the message.
    ...["recvd-5bc4d-x-1-60F.0", "filterdrecv-canary-547b64655b-cw6zx-1-6089EA4A-56.0"].map(
      (machine): ReceiptRow => [
        `under the id with ${machine}`,
        event("delivered", { sg_message_id: `DjxeK5AbQ0Cz9Y-1cOaCNg.${machine}` }),
        { status: "delivered", providerMessageId: "DjxeK5AbQ0Cz9Y-1cOaCNg" },
      ],
    ),
    [
      "under an id without a machine",
      event("delivered", { sg_message_id: "DjxeK5AbQ0Cz9Y-1cOaCNg" }),
      { status: "delivered", providerMessageId: "DjxeK5AbQ0Cz9Y-1cOaCNg" },
    ],
  ],
  ignored: {
    "a message that a machine opened": event("open", { sg_machine_open: true }),
    "an event about no message": event("group_resubscribe"),
    "no events": [7, null],
  },
  together: {
    payload: [...event("processed"), ...event("delivered")],
    receipts: [{ status: "sent" }, { status: "delivered" }],
  },
  described: [
    ["events", event("delivered")],
    ["events", event("bounce", { type: "bounce", reason: "no", status: "5.1.1" })],
  ],
};
