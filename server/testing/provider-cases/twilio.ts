import { basicAuth } from "../../adapters/http-call.ts";
import { twilioSignature } from "../../adapters/twilio/twilio-signature.ts";
import { httpProvider, json } from "../http-providers.ts";
import { NOTIFICATION_ID, PROVIDER_ADDRESS } from "./answers.ts";
import { post, SIGNED_BODY } from "./callbacks.ts";
import type { CallbackCases, ReceiptRow } from "./callbacks.ts";
import { MESSAGE_REFUSALS } from "./outgoing.ts";
import type { OutgoingCases } from "./outgoing.ts";

const accountSid = `AC${"1a".repeat(16)}`;
const messagingServiceSid = `MG${"2b".repeat(16)}`;
const template = `HX${"3c".repeat(16)}`;
const refusal = (status: number, code: number, message = "Number +4915112345678 is bad") =>
  json(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
const fields = {
  To: "+4915112345678",
  Body: "Ihr Code: 1234",
  StatusCallback:
    "https://tidings.example/api/callbacks/c1?notification=0198c7a0-0000-7000-8000-000000000001&attempt=2",
};

export const twilioOutgoing: OutgoingCases = {
  provider: httpProvider("twilio"),
  sends: {
    "an SMS with the callback of this attempt": {
      message: { text: "Ihr Code: 1234 & mehr = gut 👍" },
      path: `/2010-04-01/Accounts/${accountSid}/Messages.json`,
      headers: { authorization: basicAuth(accountSid, "s3cret-token") },
      body: { ...fields, From: "+4915199999999", Body: "Ihr Code: 1234 & mehr = gut 👍" },
      outcome: { providerMessageId: `SM${"0a".repeat(16)}`, final: false, segments: 1 },
    },
    "a messaging service instead of a missing sender": {
      message: { senderId: undefined },
      settings: { messagingServiceSid },
      body: { ...fields, MessagingServiceSid: messagingServiceSid },
    },
    "a messaging service that stands as the sender": {
      message: { senderId: messagingServiceSid },
      body: { ...fields, MessagingServiceSid: messagingServiceSid },
    },
    "a WhatsApp template with its variables": {
      message: {
        channel: "whatsapp",
        text: undefined,
        whatsapp: { template, variables: { "1": "Ada", "2": "12:30" } },
      },
      body: {
        To: "whatsapp:+4915112345678",
        From: "whatsapp:+4915199999999",
        ContentSid: template,
        ContentVariables: '{"1":"Ada","2":"12:30"}',
        StatusCallback: fields.StatusCallback,
      },
    },
    "a WhatsApp text": {
      message: { channel: "whatsapp" },
      holds: { To: "whatsapp:+4915112345678", Body: "Ihr Code: 1234" },
    },
  },
  refuses: MESSAGE_REFUSALS,
  errors: [
    [refusal(400, 21211), "21211", "never", "invalid_recipient"],
    [refusal(400, 21614), "21614", "never", "invalid_recipient"],
    [refusal(400, 21610), "21610", "never", "opted_out"],
    [refusal(400, 21617), "21617", "never", "content_rejected"],
    [refusal(400, 21606), "21606", "failover", "sender_rejected"],
    [refusal(400, 21611), "21611", "later", "provider_rate_limited"],
    [refusal(400, 99999), "99999", "failover", "provider_rejected"],
    [refusal(401, 20003), "20003", "failover", "provider_credentials"],
    [refusal(404, 20404), "20404", "failover", "provider_credentials"],
    [refusal(429, 20429), "20429", "later", "provider_rate_limited"],
  ],
  uncertain: [[refusal(500, 20500), "20500"]],
  tests: {
    "good credentials": { answer: json(200, { sid: accountSid, status: "active" }), result: { ok: true } },
    "a wrong token": {
      answer: refusal(401, 20003),
      result: { ok: false, problem: "Twilio does not accept this account SID and auth token" },
    },
    "an account that is closed": {
      answer: json(200, { sid: accountSid, status: "suspended" }),
      result: { ok: false, reachable: true, problem: "The Twilio account is suspended" },
    },
  },
  regions: [
    [{ region: "us1" }, "US", "https://api.twilio.com"],
    [{ region: "ie1" }, "EU", "https://api.dublin.ie1.twilio.com"],
    [{ region: "au1" }, "AU", "https://api.sydney.au1.twilio.com"],
  ],
};

const authToken = "12345";
const sid = `SM${"ab".repeat(16)}`;
const called = `${PROVIDER_ADDRESS}?notification=${NOTIFICATION_ID}&attempt=2`;
const fieldsOf = (payload: unknown): URLSearchParams => {
  if (Buffer.isBuffer(payload)) return new URLSearchParams(payload.toString());
  const texts = Object.entries(payload ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(texts);
};
const signedBy = (payload: unknown, token = authToken, url = called) => {
  const fieldsSent = fieldsOf(payload);
  const headers = { "x-twilio-signature": twilioSignature(token, url, fieldsSent) };
  return post(Buffer.from(fieldsSent.toString()), headers, called);
};
const status = (MessageStatus: string, more: object = {}) => ({ MessageSid: sid, MessageStatus, ...more });
const written = (more: object) => ({
  MessageSid: sid,
  SmsStatus: "received",
  From: "+4915112345678",
  To: "+4915199999999",
  Body: "STOP",
  ...more,
});
/** Members that are undefined are left out. */
const withoutStatus = (more: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries({ ...written({}), SmsStatus: undefined, ...more }).filter(
      ([, value]) => value !== undefined,
    ),
  );
const delivered = status("delivered");

export const twilioCallbacks: CallbackCases = {
  adapter: httpProvider("twilio").adapter,
  connection: { id: "c1", credentials: { accountSid, authToken }, settings: { region: "us1" } },
  request: (payload) => signedBy(payload),
  genuine: delivered,
  forgeries: {
    "another method": SIGNED_BODY["another method"]!,
    "no headers": SIGNED_BODY["no headers"]!,
    "another key": () => signedBy(delivered, "other"),
    "another address": () => signedBy(delivered, authToken, `${called}&x=1`),
    "another field": (from) => ({ ...from, rawBody: Buffer.from(`${from.rawBody.toString()}&extra=1`) }),
    "more than Twilio sends": (from) => ({ ...from, rawBody: Buffer.alloc(70_000, "a") }),
  },
  receipt: { providerMessageId: sid, notificationId: NOTIFICATION_ID, attempt: 2 },
  receipts: [
    ...["accepted", "scheduled", "queued", "sending", "sent"].map((name): ReceiptRow => [
      name,
      status(name),
      { status: "sent" },
    ]),
    ["delivered", delivered, { status: "delivered" }],
    ["read", status("read", { EventType: "READ" }), { status: "delivered", event: "read" }],
    ["failed", status("failed"), { status: "failed", code: "undelivered" }],
    ["canceled", status("canceled"), { status: "failed" }],
    [
      "undelivered, with the reason in our words and in theirs, the time and the price",
      status("undelivered", {
        ErrorCode: "30005",
        ErrorMessage: "Unknown destination +49 151 12345678",
        RawDlrDoneDate: "2611201530",
        Price: "-0.0812",
        PriceUnit: "eur",
      }),
      {
        status: "failed",
        code: "invalid_recipient",
        providerCode: "30005",
        providerMessage: "Unknown destination [number]",
        at: new Date("2026-11-20T15:30:00Z"),
        price: { amount: "0.0812", currency: "EUR" },
      },
    ],
    [
      "an opt-out",
      status("failed", { ErrorCode: "21610" }),
      { status: "failed", code: "opted_out", event: "opted_out" },
    ],
    [
      "a code that every object has",
      status("failed", { ErrorCode: "__proto__" }),
      { status: "failed", code: "undelivered" },
    ],
  ],
  inbound: { providerMessageId: sid, channel: "sms", from: "+4915112345678", to: "+4915199999999" },
  messages: [
    ["what Twilio did about a keyword", written({ OptOutType: "STOP" }), { text: "STOP", optOut: "stop" }],
    ["without a status", withoutStatus({}), { text: "STOP" }],
    [
      "without a status, under the old name of its id",
      withoutStatus({ MessageSid: undefined, SmsMessageSid: sid }),
      { text: "STOP" },
    ],
    ["a picture without a text or a status", withoutStatus({ Body: undefined, NumMedia: "1" }), { text: "" }],
    [
      "the tapped button of a WhatsApp message",
      written({
        From: "whatsapp:+4915112345678",
        To: "whatsapp:+4915199999999",
        Body: "Yes",
        ButtonPayload: "confirm-1",
        ButtonText: "Yes",
      }),
      { channel: "whatsapp", text: "Yes", button: { payload: "confirm-1", text: "Yes" } },
    ],
  ],
  ignored: {
    "a status that we do not know": status("teleported"),
    "no status, and nothing that somebody wrote": {
      MessageSid: sid,
      From: "+4915199999999",
      To: "+4915112345678",
    },
    "an id that is none": { MessageSid: "garbage", MessageStatus: "sent" },
  },
  described: [
    ["status", delivered],
    ["status", status("undelivered", { ErrorCode: "30005", RawDlrDoneDate: "2611201530" })],
    ["message", written({ OptOutType: "STOP" })],
  ],
};
