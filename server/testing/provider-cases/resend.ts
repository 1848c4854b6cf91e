import { createHmac } from "node:crypto";
import type { CallbackRequest, Receipt } from "../../adapters/adapter.ts";
import { httpProvider, json } from "../http-providers.ts";
import { emailMessage, PDF, UNSUBSCRIBE_HEADERS } from "../outbound-email.ts";
import { NOTIFICATION_ID, NOW } from "./answers.ts";
import { bytesOf, headers, post, SIGNED_BODY } from "./callbacks.ts";
import type { CallbackCases } from "./callbacks.ts";
import { EMAIL_SENDS, emailRefusals, EVERY_PART } from "./outgoing.ts";
import type { OutgoingCases } from "./outgoing.ts";

const RESEND_SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const RESEND_ID = "4ef9a417-02e9-4d39-ad75-9611e0fcc33c";
const refusal = (status: number, name: string, message = "No,") =>
  json(status, { statusCode: status, name, message: `${message} ada@example.com` });
const wrongKey = { ok: false, problem: "Resend does not accept this API key" };

export const resendOutgoing: OutgoingCases = {
  provider: httpProvider("resend"),
  sends: {
    "every part, the idempotency key, and what its events will find the notification by": {
      message: { ...EVERY_PART, senderId: 'Shop "Zürich" <shop@example.org>' },
      credentials: { webhookSecret: RESEND_SECRET },
      path: "/emails",
      headers: {
        authorization: "Bearer re_s3cret",
        "idempotency-key": emailMessage().idempotencyKey,
      },
      body: {
        from: '"Shop \\"Zürich\\"" <shop@example.org>',
        to: ["ada@example.com"],
        reply_to: "help@example.org",
        subject: "Grüße 👋",
        text: "Hallo Welt",
        html: "<p>Hallo <b>Welt</b></p>",
        headers: UNSUBSCRIBE_HEADERS,
        attachments: [
          {
            filename: "rechnung.pdf",
            content: PDF.content.toString("base64"),
            content_type: "application/pdf",
          },
        ],
        tags: [{ name: "tidings_notification", value: NOTIFICATION_ID }],
      },
      outcome: { providerMessageId: RESEND_ID, final: false },
    },
    "an e-mail for which there will be no receipts": { outcome: { final: true } },
    ...EMAIL_SENDS,
  },
  refuses: emailRefusals(31_000_000),
  errors: [
    [
      refusal(422, "validation_error", "Invalid `to` field."),
      "validation_error",
      "never",
      "invalid_recipient",
    ],
    [
      refusal(403, "validation_error", "The example.org domain is not verified."),
      "validation_error",
      "failover",
      "sender_rejected",
    ],
    [refusal(422, "invalid_from_address"), "invalid_from_address", "failover", "sender_rejected"],
    [refusal(401, "missing_api_key"), "missing_api_key", "failover", "provider_credentials"],
    [refusal(403, "invalid_api_key"), "invalid_api_key", "failover", "provider_credentials"],
    [refusal(429, "rate_limit_exceeded"), "rate_limit_exceeded", "later", "provider_rate_limited"],
    [refusal(429, "daily_quota_exceeded"), "daily_quota_exceeded", "failover", "provider_quota_exceeded"],
    [refusal(451, "security_error"), "security_error", "failover", "account_restricted"],
    [refusal(404, "not_found"), "not_found", "failover", "provider_rejected"],
  ],
  // An earlier try of the same notification has reached Resend.
  uncertain: [
    [refusal(409, "concurrent_idempotent_requests"), "concurrent_idempotent_requests"],
    [refusal(409, "invalid_idempotent_request"), "invalid_idempotent_request"],
  ],
  tests: {
    "the domains": {
      answer: json(200, { data: [{ name: "example.org", status: "verified", region: "eu-west-1" }] }),
      result: { ok: true, facts: [{ label: "Domains", value: "example.org verified eu-west-1" }] },
    },
    "a key for sending alone": {
      answer: refusal(401, "restricted_api_key"),
      result: {
        ok: true,
        facts: [{ label: "API key", value: "Sending access only; domains cannot be listed" }],
      },
    },
    "a wrong key": { answer: refusal(403, "invalid_api_key"), result: wrongKey },
    "a key of another form": {
      answer: refusal(400, "validation_error", "API key is invalid"),
      result: wrongKey,
    },
    "a server error": {
      answer: json(500, {}),
      result: { ok: false, problem: "Resend answered with status 500" },
    },
  },
  regions: [[{}, "US", "https://api.resend.com"]],
};

/** Signed by hand, as the specification of Standard Webhooks says. */
function signed(rawBody: Buffer, at = NOW.getTime()): CallbackRequest {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(RESEND_SECRET.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key)
    .update(Buffer.concat([Buffer.from(`msg_1.${timestamp}.`), rawBody]))
    .digest("base64");
  return post(rawBody, {
    "svix-id": "msg_1",
    "svix-timestamp": timestamp,
    "svix-signature": `v1,AAAA v1,${signature}`,
  });
}
const event = (type: string, data: object = {}) => ({
  type,
  created_at: "2026-11-22T00:00:00.000Z",
  data: {
    email_id: RESEND_ID,
    created_at: "2026-11-21T23:59:00.000Z",
    from: "Shop <shop@example.org>",
    to: ["ada@example.com"],
    subject: "Grüße",
    tags: { tidings_notification: NOTIFICATION_ID },
    ...data,
  },
});
const bounce = (type: string, subType: string, diagnostic: string) =>
  event("email.bounced", {
    bounce: { type, subType, diagnosticCode: [diagnostic], message: "The server said no." },
  });
const click = {
  ipAddress: "192.0.2.1",
  link: "https://example.com",
  timestamp: "2026-11-22T00:00:00.000Z",
  userAgent: "x",
};
const suppressed = {
  diagnosticCode: [],
  message: "No",
  reason: "previous_bounce",
  type: "OnAccountSuppressionList",
};
const receipts: [payload: { type: string }, receipt: Partial<Receipt>][] = [
  [event("email.sent"), { status: "sent" }],
  [event("email.scheduled"), { status: "sent" }],
  [event("email.delivery_delayed"), { status: "sent" }],
  [event("email.delivered"), { status: "delivered" }],
  [event("email.opened"), { event: "read" }],
  [event("email.clicked", { click }), { event: "clicked" }],
  [event("email.complained"), { event: "complained" }],
  [
    bounce("Permanent", "General", "smtp; 550 5.1.1 <ada@example.com> unknown"),
    { status: "failed", event: "bounced", permanent: true, code: "invalid_recipient", providerCode: "5.1.1" },
  ],
  [
    bounce("Transient", "MailboxFull", "smtp; 452 4.2.2 full"),
    { status: "failed", event: "bounced", permanent: false, code: "mailbox_full", providerCode: "4.2.2" },
  ],
  [event("email.suppressed", { suppressed }), { status: "failed", code: "suppressed_by_provider" }],
  [
    event("email.failed", { failed: { reason: "reached_daily_quota" } }),
    { status: "failed", code: "undelivered", providerMessage: "reached_daily_quota" },
  ],
];

export const resendCallbacks: CallbackCases = {
  adapter: httpProvider("resend").adapter,
  connection: {
    id: "c1",
    credentials: { apiKey: "re_s3cret", webhookSecret: RESEND_SECRET },
    settings: {},
  },
  request: (payload) => signed(bytesOf(payload)),
  genuine: event("email.delivered"),
  forgeries: {
    ...SIGNED_BODY,
    "another id": headers({ "svix-id": "msg_2" }),
    "another signature": headers({ "svix-signature": "v1,AAAA" }),
    "an old time": ({ rawBody }) => signed(rawBody, NOW.getTime() - 600_000),
    "a time ahead": ({ rawBody }) => signed(rawBody, NOW.getTime() + 600_000),
  },
  receipt: {
    providerMessageId: RESEND_ID,
    notificationId: NOTIFICATION_ID,
    at: new Date("2026-11-22T00:00:00.000Z"),
  },
  receipts: receipts.map(([payload, receipt]) => [payload.type, payload, receipt]),
  ignored: Object.fromEntries(
    ["email.received", "contact.created", "x"].map((type) => [`the event ${type}`, event(type)]),
  ),
  described: receipts.map(([payload]) => [payload.type, payload]),
};
