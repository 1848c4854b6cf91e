/**
 * What the simulator later posts to the service's own callback route, and how it is read there.
 *
 * SMS and WhatsApp use Twilio's callback format and signature, and go through Twilio's parser.
 *
 * E-mail uses a format of its own: `POST`, `content-type: application/json`, body
 * `{ "event": "delivered" | "opened" | "clicked" | "bounced" | "complained" | "unsubscribed", "messageId": string,
 *    "at": ISO 8601, "code"?: enhanced status code (of a bounce: 5.x.x for good), "detail"?: string }`, header
 * `x-simulator-signature: sha256=<hex>`, the HMAC-SHA256 under the connection's signing key over the URL, a line feed and
 * the body.
 */
import { createHash, createHmac } from "node:crypto";
import { isUserId } from "../../kernel/user-id.ts";
import type { CallbackRequest, CallbackResult, OutboundMessage, Receipt } from "../adapter.ts";
import { callbackUrlFor, notificationOf } from "../callback-url.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { sameText } from "../../kernel/same-secret.ts";
import { parseTwilioCallback } from "../twilio/twilio-callback.ts";
import { twilioSignature } from "../twilio/twilio-signature.ts";
import type { SimulatorCredentials } from "./schemas.ts";
import { scenarioOf } from "./simulator-scenario.ts";
import type { Scenario } from "./simulator-scenario.ts";

/** The part of a message that its callbacks depend on. */
export type SimulatedMessage = Pick<
  OutboundMessage,
  "channel" | "to" | "senderId" | "notificationId" | "attempt"
>;

/** One callback to come: wait, then POST what `build` returns. */
export type SimulatedCallback = {
  /** After the message was accepted, ms. */
  delayMs: number;
  /** @param callbackUrl the connection's public callback URL, as in OutboundMessage. */
  build: (
    callbackUrl: string,
    credentials: SimulatorCredentials,
    now?: Date,
  ) => { url: string; headers: Record<string, string>; body: string };
};

/** A report of the provider, in its own word for it. */
type Report = { status: string; code?: string; detail?: string };
/** A message that the recipient sends. */
type Answer = {
  answer: { text: string; optOut?: "STOP" | "START"; button?: { payload: string; text: string } };
};
type Happening = Report | Answer;
type Step = Happening & { delayMs: number };

const SENT_MS = 300;
const DELIVERED_MS = 1_000;
const READ_MS = 2_000;
const REACTED_MS = 3_000;
const LATE_MS = 30_000;

const undelivered: Report = {
  status: "undelivered",
  code: "30003",
  detail: "Unreachable destination handset",
};
const hardBounce: Report = { status: "bounced", code: "5.1.1", detail: "The mailbox does not exist" };
const softBounce: Report = { status: "bounced", code: "4.2.2", detail: "The mailbox is full" };
const complaint: Report = {
  status: "complained",
  detail: "The recipient marked the message as unwanted",
};

const delivered: Step[] = [
  { delayMs: SENT_MS, status: "sent" },
  { delayMs: DELIVERED_MS, status: "delivered" },
];

const PHONE_STEPS: Partial<Record<Scenario, Step[]>> = {
  delivered,
  rate_limited: delivered,
  fails_later: [
    { delayMs: SENT_MS, status: "sent" },
    { delayMs: DELIVERED_MS, ...undelivered },
  ],
  late: [
    { delayMs: SENT_MS, status: "sent" },
    { delayMs: LATE_MS, status: "delivered" },
  ],
  read: [...delivered, { delayMs: READ_MS, status: "read" }],
  answers: [...delivered, { delayMs: REACTED_MS, answer: { text: "Thank you!" } }],
};

const deliveredEmail: Step = { delayMs: DELIVERED_MS, status: "delivered" };
const EMAIL_STEPS: Partial<Record<Scenario, Step[]>> = {
  delivered: [deliveredEmail],
  rate_limited: [deliveredEmail],
  read: [deliveredEmail, { delayMs: READ_MS, status: "opened" }],
  clicks: [
    deliveredEmail,
    { delayMs: READ_MS, status: "opened" },
    { delayMs: REACTED_MS, status: "clicked" },
  ],
  bounce: [{ delayMs: DELIVERED_MS, ...hardBounce }],
  soft_bounce: [{ delayMs: DELIVERED_MS, ...softBounce }],
  complaint: [deliveredEmail, { delayMs: REACTED_MS, ...complaint }],
};

/**
 * The callbacks that a message accepted as `providerMessageId` will cause, in order. Pure: the same
 * message gives the same list, so that a job may carry only the position.
 */
export function simulatedCallbacks(
  message: SimulatedMessage,
  providerMessageId: string,
): SimulatedCallback[] {
  const scenario = scenarioOf(message.channel, message.to);
  const steps = (message.channel === "email" ? EMAIL_STEPS : PHONE_STEPS)[scenario] ?? [];
  // There are no read receipts for SMS.
  const reported = steps.filter(
    (step) => message.channel !== "sms" || !("status" in step) || step.status !== "read",
  );
  return reported.map((step, position) =>
    callbackFor(message, providerMessageId, step, step.delayMs, `${providerMessageId}/${String(position)}`),
  );
}

/** What a person can do in place of a recipient, or have the simulated provider report. */
export type SimulatedAction =
  | { action: "deliver" | "fail" | "open" | "click" | "complain" | "optOut" | "optIn" }
  | { action: "bounce"; permanent: boolean }
  | { action: "reply"; text: string }
  | { action: "tap"; button: { payload: string; text: string } };

/**
 * The callback that reports an action; null for one that the message's channel does not have.
 * @param id the same when it is posted again; makes the id of the recipient's message
 */
export function actionCallback(
  message: SimulatedMessage,
  providerMessageId: string,
  action: SimulatedAction,
  id: string,
): SimulatedCallback | null {
  const happening = (message.channel === "email" ? emailAction : phoneAction)(action);
  if (!happening || (message.channel === "sms" && (action.action === "open" || action.action === "tap"))) {
    return null;
  }
  return callbackFor(message, providerMessageId, happening, 0, id);
}

function emailAction(action: SimulatedAction): Report | null {
  switch (action.action) {
    case "deliver":
      return { status: "delivered" };
    case "open":
      return { status: "opened" };
    case "click":
      return { status: "clicked" };
    case "bounce":
      return action.permanent ? hardBounce : softBounce;
    case "fail":
      return softBounce;
    case "complain":
      return complaint;
    case "optOut":
      return { status: "unsubscribed" };
    default:
      return null;
  }
}

function phoneAction(action: SimulatedAction): Happening | null {
  switch (action.action) {
    case "deliver":
      return { status: "delivered" };
    case "fail":
      return undelivered;
    case "open":
      return { status: "read" };
    case "reply":
      return { answer: { text: action.text } };
    case "tap":
      return { answer: { text: action.button.text, button: action.button } };
    case "optOut":
      return { answer: { text: "STOP", optOut: "STOP" } };
    case "optIn":
      return { answer: { text: "START", optOut: "START" } };
    default:
      return null;
  }
}

function callbackFor(
  message: SimulatedMessage,
  providerMessageId: string,
  happening: Happening,
  delayMs: number,
  id: string,
): SimulatedCallback {
  return {
    delayMs,
    build: (callbackUrl, credentials, now = new Date()) => {
      if ("answer" in happening) {
        return phoneAnswer(callbackUrl, happening.answer, message, providerMessageId, id, credentials);
      }
      const url = callbackUrlFor({ ...message, callbackUrl });
      return message.channel === "email"
        ? emailCallback(url, happening, providerMessageId, credentials, now)
        : phoneCallback(url, happening, message, providerMessageId, credentials);
    },
  };
}

/** Reads both formats. */
export function parseSimulatorCallback(
  credentials: SimulatorCredentials,
  request: CallbackRequest,
): CallbackResult {
  if (request.headers["x-twilio-signature"]) return parseTwilioCallback(credentials.signingKey, request);
  const signature = request.headers["x-simulator-signature"] ?? "";
  const expected = emailSignature(credentials, request.url, request.rawBody);
  if (request.method !== "POST" || !sameText(signature, expected)) return { authentic: false };
  const receipt = emailReceipt(jsonObject(request.rawBody));
  return {
    authentic: true,
    receipts: receipt ? [{ ...receipt, ...notificationOf(request) }] : [],
    inbound: [],
  };
}

/** The account that the simulator's Twilio-format callbacks come from: stable for a connection. */
function accountSid(credentials: SimulatorCredentials): string {
  return `AC${createHash("sha256").update(credentials.signingKey).digest("hex").slice(0, 32)}`;
}

function phoneCallback(
  url: string,
  step: Report,
  message: SimulatedMessage,
  sid: string,
  credentials: SimulatorCredentials,
): { url: string; headers: Record<string, string>; body: string } {
  const prefix = message.channel === "whatsapp" ? "whatsapp:" : "";
  const form = new URLSearchParams({
    AccountSid: accountSid(credentials),
    ApiVersion: "2010-04-01",
    From: prefix + (message.senderId ?? ""),
    MessageSid: sid,
    MessageStatus: step.status,
    SmsSid: sid,
    SmsStatus: step.status,
    To: prefix + message.to,
    ...(step.code === undefined ? {} : { ErrorCode: step.code }),
    ...(step.detail === undefined ? {} : { ErrorMessage: step.detail }),
  });
  return signedForm(url, form, credentials);
}

/** As Twilio reports a message to one of our numbers: it names no notification except the one it quotes, on WhatsApp. */
function phoneAnswer(
  url: string,
  answer: Answer["answer"],
  message: SimulatedMessage,
  repliesTo: string,
  id: string,
  credentials: SimulatorCredentials,
): { url: string; headers: Record<string, string>; body: string } {
  const whatsapp = message.channel === "whatsapp";
  const prefix = whatsapp ? "whatsapp:" : "";
  const sid = `SM${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
  const form = new URLSearchParams({
    AccountSid: accountSid(credentials),
    ApiVersion: "2010-04-01",
    Body: answer.text,
    From: prefix + message.to,
    MessageSid: sid,
    NumMedia: "0",
    NumSegments: "1",
    SmsMessageSid: sid,
    SmsSid: sid,
    SmsStatus: "received",
    To: prefix + (message.senderId ?? ""),
    ...(whatsapp ? { OriginalRepliedMessageSid: repliesTo } : {}),
    ...(whatsapp
      ? isUserId(message.to)
        ? { ExternalUserId: message.to }
        : { WaId: message.to.slice(1) }
      : {}),
    ...(answer.optOut ? { OptOutType: answer.optOut } : {}),
    ...(answer.button ? { ButtonPayload: answer.button.payload, ButtonText: answer.button.text } : {}),
  });
  return signedForm(url, form, credentials);
}

function signedForm(
  url: string,
  form: URLSearchParams,
  credentials: SimulatorCredentials,
): { url: string; headers: Record<string, string>; body: string } {
  return {
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": twilioSignature(credentials.signingKey, url, form),
    },
    body: form.toString(),
  };
}

function emailCallback(
  url: string,
  step: Report,
  messageId: string,
  credentials: SimulatorCredentials,
  now: Date,
): { url: string; headers: Record<string, string>; body: string } {
  const { status, code, detail } = step;
  const body = JSON.stringify({ event: status, messageId, at: now.toISOString(), code, detail });
  const signature = emailSignature(credentials, url, body);
  return { url, headers: { "content-type": "application/json", "x-simulator-signature": signature }, body };
}

function emailSignature(credentials: SimulatorCredentials, url: string, body: string | Buffer): string {
  return `sha256=${createHmac("sha256", credentials.signingKey).update(`${url}\n`).update(body).digest("hex")}`;
}

function emailReceipt(event: Record<string, unknown> | null): Receipt | null {
  if (!event || typeof event.messageId !== "string") return null;
  const at = typeof event.at === "string" ? new Date(event.at) : undefined;
  const base: Receipt = {
    providerMessageId: event.messageId.slice(0, 128),
    ...(at && !Number.isNaN(at.getTime()) ? { at } : {}),
    ...(typeof event.code === "string" ? { providerCode: event.code.slice(0, 16) } : {}),
    ...(typeof event.detail === "string" ? { providerMessage: providerText(event.detail) } : {}),
  };
  switch (event.event) {
    case "delivered":
      return { ...base, status: "delivered" };
    case "opened":
      return { ...base, status: "delivered", event: "read" };
    case "clicked":
      return { ...base, event: "clicked" };
    case "unsubscribed":
      return { ...base, event: "opted_out" };
    case "bounced": {
      const permanent = base.providerCode?.startsWith("5") === true;
      return {
        ...base,
        status: "failed",
        event: "bounced",
        permanent,
        ...(permanent
          ? {
              code: "invalid_recipient",
              detail: "The recipient's mail server refused the message for good",
            }
          : {
              code: "recipient_unreachable",
              detail: "The recipient's mail server could not take the message",
            }),
      };
    }
    case "complained":
      return { ...base, event: "complained" };
    default:
      return null;
  }
}
