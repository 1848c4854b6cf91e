import { expect } from "vitest";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import { httpProvider, json } from "../http-providers.ts";
import { SNS_CERTIFICATE, SNS_TOPIC, snsBody } from "../sns-fixture.ts";
import { NOTIFICATION_ID } from "./answers.ts";
import { bytesOf, post, SIGNED_BODY } from "./callbacks.ts";
import type { CallbackCases } from "./callbacks.ts";
import { EMAIL_SENDS, emailRefusals, EVERY_PART } from "./outgoing.ts";
import type { ErrorRow, OutgoingCases } from "./outgoing.ts";

const refusal = (status: number, name: string, message = "no") =>
  json(
    status,
    { message },
    { "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/com.amazonaws.ses/` },
  );
const part = (Data: string) => ({ Data, Charset: "UTF-8" });
const account = {
  SendingEnabled: true,
  ProductionAccessEnabled: true,
  EnforcementStatus: "HEALTHY",
  SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 120 },
};
const quota = [
  { label: "Messages in 24 hours", value: "120, 50000 allowed" },
  { label: "Messages a second", value: "14" },
];
const paused = {
  ok: false,
  reachable: true,
  problem: "Amazon has paused sending for this account in this region",
};

export const sesOutgoing: OutgoingCases = {
  provider: httpProvider("ses"),
  sends: {
    "simple content with the configuration set and what its events will find the notification by": {
      settings: { configurationSet: "tidings", topicArn: SNS_TOPIC },
      path: "/v2/email/outbound-emails",
      headers: {
        authorization: expect.stringMatching(
          /Credential=AKIDEXAMPLEKEY123\/\d{8}\/eu-central-1\/ses\/aws4_request, SignedHeaders=accept;content-type;host;x-amz-content-sha256;x-amz-date,/,
        ),
      },
      body: {
        FromEmailAddress: `=?UTF-8?B?${Buffer.from("Shop Zürich").toString("base64")}?= <shop@example.org>`,
        Destination: { ToAddresses: ["ada@example.com"] },
        ReplyToAddresses: ["help@example.org"],
        Content: {
          Simple: {
            Subject: part("Grüße 👋"),
            Body: { Text: part("Hallo Welt"), Html: part("<p>Hallo <b>Welt</b></p>") },
          },
        },
        ConfigurationSetName: "tidings",
        EmailTags: [
          { Name: "tidings_notification", Value: NOTIFICATION_ID },
          { Name: "tidings_attempt", Value: "2" },
        ],
      },
      outcome: { providerMessageId: "0107-1", final: false },
    },
    "MIME for headers and attachments, to the one recipient": {
      message: EVERY_PART,
      holds: {
        FromEmailAddress: "shop@example.org",
        Destination: { ToAddresses: ["ada@example.com"] },
        Content: { Raw: {} },
      },
      outcome: { final: true },
    },
    ...EMAIL_SENDS,
  },
  refuses: {
    ...emailRefusals(31_000_000),
    "a text that is larger than the provider takes": {
      message: { html: "x".repeat(40_000_001) },
      retry: "failover",
      code: "message_too_large",
    },
  },
  errors: (
    [
      [400, "MailFromDomainNotVerifiedException", "no", "failover", "sender_rejected"],
      [400, "MessageRejected", "Email address is not verified.", "failover", "sender_rejected"],
      [400, "MessageRejected", "Illegal content", "never", "content_rejected"],
      [400, "AccountSuspendedException", "no", "failover", "account_restricted"],
      [400, "SendingPausedException", "no", "failover", "account_restricted"],
      [400, "BadRequestException", "no", "failover", "provider_rejected"],
      [404, "NotFoundException", "Configuration set does not exist", "failover", "provider_rejected"],
      [429, "TooManyRequestsException", "Maximum sending rate exceeded.", "later", "provider_rate_limited"],
      [
        429,
        "TooManyRequestsException",
        "Daily message quota exceeded.",
        "failover",
        "provider_quota_exceeded",
      ],
      [403, "InvalidSignatureException", "no", "failover", "provider_credentials"],
      [403, "UnrecognizedClientException", "no", "failover", "provider_credentials"],
      [400, "ExpiredTokenException", "no", "failover", "provider_credentials"],
    ] as const
  ).map(([status, name, message, retry, code]): ErrorRow => [
    refusal(status, name, message),
    name,
    retry,
    code,
  ]),
  tests: {
    "what the account may do": {
      answer: json(200, account),
      result: { ok: true, facts: [{ label: "Account", value: "Production access" }, ...quota] },
    },
    "a sandbox under review": {
      answer: json(200, { ...account, ProductionAccessEnabled: false, EnforcementStatus: "PROBATION" }),
      result: {
        ok: true,
        facts: [
          { label: "Account", value: "Sandbox: only verified addresses receive messages" },
          { label: "Review", value: "Under review by Amazon" },
          ...quota,
        ],
      },
    },
    "paused sending": { answer: json(200, { ...account, SendingEnabled: false }), result: paused },
    "an account that is shut down": {
      answer: json(200, { ...account, EnforcementStatus: "SHUTDOWN" }),
      result: paused,
    },
    "a policy that is too narrow": {
      answer: refusal(403, "AccessDeniedException"),
      result: { ok: false, reachable: true, problem: expect.stringContaining("ses:SendRawEmail") as string },
    },
    "a wrong secret": {
      answer: refusal(403, "InvalidSignatureException"),
      result: { ok: false, problem: expect.stringContaining("secret access key") as string },
    },
    "an unknown key": {
      answer: refusal(403, "UnrecognizedClientException"),
      result: { ok: false, problem: "Amazon does not accept this access key" },
    },
    "something that is not Amazon": {
      answer: { status: 200, body: "<html>" },
      result: { ok: false, problem: "The answer is not Amazon's" },
    },
  },
  regions: [
    [{ region: "eu-central-1" }, "EU", "https://email.eu-central-1.amazonaws.com"],
    [{ region: "eu-west-2" }, "GB"],
    [{ region: "eu-central-2" }, "CH"],
    [{ region: "us-gov-west-1" }, "US"],
    [{ region: "ca-west-1" }, "CA"],
    [{ region: "ap-southeast-2" }, "AU"],
    [{ region: "xx-nowhere-1" }, null],
  ],
};

/** Amazon, which hands over its certificate. */
const amazon = {
  request: () =>
    Promise.resolve({ status: 200, headers: {}, body: Buffer.from(SNS_CERTIFICATE), truncated: false }),
} as unknown as OutboundClient;
const event = (eventType: string, more: object = {}) => ({
  eventType,
  mail: {
    timestamp: "2026-11-22T00:00:00.000Z",
    messageId: "0107-1",
    destination: ["ada@example.com"],
    tags: { tidings_notification: [NOTIFICATION_ID], tidings_attempt: ["2"] },
  },
  ...more,
});
const timestamp = "2026-11-22T00:00:05.000Z";
const bounce = (bounceType: string, bounceSubType: string, recipient: object = {}) =>
  event("Bounce", {
    bounce: {
      bounceType,
      bounceSubType,
      timestamp,
      bouncedRecipients: [{ emailAddress: "ada@example.com", ...recipient }],
    },
  });
const complaint = (more: object) => event("Complaint", { complaint: { timestamp, ...more } });
const subscription = (unsubscribeAll: boolean) =>
  event("Subscription", { subscription: { newTopicPreferences: { unsubscribeAll } } });
const bounced = { status: "failed", event: "bounced" } as const;

/** Events in notifications of a topic; who may publish one is in ses-callback.test.ts. */
export const sesCallbacks: CallbackCases = {
  adapter: httpProvider("ses").adapter,
  connection: {
    id: "c1",
    credentials: { accessKeyId: "AKIDEXAMPLEKEY123", secretAccessKey: "s3cret" },
    settings: { region: "eu-central-1", topicArn: SNS_TOPIC },
  },
  http: amazon,
  request: (payload) =>
    post(Buffer.isBuffer(payload) ? payload : bytesOf(snsBody({ Message: JSON.stringify(payload) })), {}),
  genuine: event("Delivery"),
  forgeries: { "another method": SIGNED_BODY["another method"]! },
  receipt: { providerMessageId: "0107-1", notificationId: NOTIFICATION_ID, attempt: 2 },
  receipts: [
    ["Send", event("Send"), { status: "sent" }],
    [
      "DeliveryDelay",
      event("DeliveryDelay", { deliveryDelay: { delayType: "MailboxFull" } }),
      { status: "sent" },
    ],
    [
      "Delivery",
      event("Delivery", { delivery: { timestamp } }),
      { status: "delivered", at: new Date(timestamp) },
    ],
    ["Open", event("Open", { open: {} }), { event: "read" }],
    ["Click", event("Click", { click: { link: "https://example.com" } }), { event: "clicked" }],
    ["Complaint", complaint({ complaintFeedbackType: "abuse" }), { event: "complained" }],
    [
      "Complaint of the suppression list",
      complaint({ complaintSubType: "OnAccountSuppressionList" }),
      { status: "failed", code: "suppressed_by_provider" },
    ],
    [
      "Reject",
      event("Reject", { reject: { reason: "Bad" } }),
      { status: "failed", code: "content_rejected" },
    ],
    ["Rendering Failure", event("Rendering Failure"), { status: "failed", code: "undelivered" }],
    ["Subscription that ended", subscription(true), { event: "opted_out" }],
    [
      "Bounce for good",
      bounce("Permanent", "General", {
        status: "5.1.1",
        diagnosticCode: "smtp; 550 5.1.1 <ada@example.com> unknown",
      }),
      {
        ...bounced,
        permanent: true,
        code: "invalid_recipient",
        providerCode: "5.1.1",
        providerMessage: "smtp; 550 5.1.1 <[address]> unknown",
        at: new Date(timestamp),
      },
    ],
    [
      "Bounce of a full mailbox",
      bounce("Transient", "MailboxFull"),
      { ...bounced, permanent: false, code: "mailbox_full" },
    ],
    [
      "Bounce without a reason",
      bounce("Undetermined", "Undetermined"),
      { ...bounced, permanent: false, code: "undelivered" },
    ],
    [
      "Bounce of an address that SES knows",
      bounce("Permanent", "Suppressed"),
      { ...bounced, permanent: true, code: "invalid_recipient" },
    ],
    // The account's own list: nothing was tried, so nothing has bounced.
    [
      "no bounce of the suppression list",
      bounce("Permanent", "OnAccountSuppressionList"),
      { status: "failed", code: "suppressed_by_provider" },
    ],
    // The notifications of an identity carry no tags.
    [
      "by Amazon's id",
      { notificationType: "Delivery", mail: { messageId: "0107-2" }, delivery: { timestamp } },
      { status: "delivered", providerMessageId: "0107-2", notificationId: undefined, attempt: undefined },
    ],
  ],
  ignored: {
    "a complaint that says that it is no spam": complaint({ complaintFeedbackType: "not-spam" }),
    "a subscription that goes on": subscription(false),
    "an event that we do not know": event("Something new"),
    "an event without its message": { eventType: "Delivery" },
    "a word of Amazon to the topic": "Successfully validated SNS topic for Amazon SES event publishing.",
  },
  described: [],
};
