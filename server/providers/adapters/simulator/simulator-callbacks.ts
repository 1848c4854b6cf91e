/**
 * What the simulator later posts to the service's own callback route, and how it is read there.
 *
 * SMS and WhatsApp use Twilio's callback format and signature, and go through Twilio's parser.
 *
 * E-mail uses a format of its own: `POST`, `content-type: application/json`, body
 * `{ "event": "delivered" | "bounced" | "complained", "messageId": string, "at": ISO 8601,
 *    "code"?: enhanced status code, "detail"?: string }`, header `x-simulator-signature: sha256=<hex>`,
 * the HMAC-SHA256 under the connection's signing key over the URL, a line feed and the body.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { CallbackRequest, CallbackResult, OutboundMessage, Receipt } from "../adapter.ts";
import { callbackUrlFor, notificationOf } from "../callback-url.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import type { SimulatorCredentials } from "./schemas.ts";
import { scenarioOf } from "./simulator-scenario.ts";
import type { Scenario } from "./simulator-scenario.ts";
import { parseTwilioCallback } from "../twilio/twilio-callback.ts";
import { twilioSignature } from "../twilio/twilio-signature.ts";

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

type Step = { delayMs: number; status: string; code?: string; detail?: string };

const SENT_MS = 300;
const DELIVERED_MS = 1_000;
const COMPLAINED_MS = 3_000;
const LATE_MS = 30_000;

const delivered: Step[] = [
  { delayMs: SENT_MS, status: "sent" },
  { delayMs: DELIVERED_MS, status: "delivered" },
];

const PHONE_STEPS: Partial<Record<Scenario, Step[]>> = {
  delivered,
  rate_limited: delivered,
  fails_later: [
    { delayMs: SENT_MS, status: "sent" },
    {
      delayMs: DELIVERED_MS,
      status: "undelivered",
      code: "30003",
      detail: "Unreachable destination handset",
    },
  ],
  late: [
    { delayMs: SENT_MS, status: "sent" },
    { delayMs: LATE_MS, status: "delivered" },
  ],
};

const EMAIL_STEPS: Partial<Record<Scenario, Step[]>> = {
  delivered: [{ delayMs: DELIVERED_MS, status: "delivered" }],
  rate_limited: [{ delayMs: DELIVERED_MS, status: "delivered" }],
  bounce: [{ delayMs: DELIVERED_MS, status: "bounced", code: "5.1.1", detail: "The mailbox does not exist" }],
  complaint: [
    { delayMs: DELIVERED_MS, status: "delivered" },
    { delayMs: COMPLAINED_MS, status: "complained", detail: "The recipient marked the message as unwanted" },
  ],
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
  return steps.map((step) => ({
    delayMs: step.delayMs,
    build: (callbackUrl, credentials, now = new Date()) => {
      const url = callbackUrlFor({ ...message, callbackUrl });
      return message.channel === "email"
        ? emailCallback(url, step, providerMessageId, credentials, now)
        : phoneCallback(url, step, message, providerMessageId, credentials);
    },
  }));
}

/** Reads both formats. */
export function parseSimulatorCallback(
  credentials: SimulatorCredentials,
  request: CallbackRequest,
): CallbackResult {
  if (request.headers["x-twilio-signature"]) return parseTwilioCallback(credentials.signingKey, request);
  const given = Buffer.from(request.headers["x-simulator-signature"] ?? "");
  const expected = Buffer.from(emailSignature(credentials, request.url, request.rawBody));
  if (request.method !== "POST" || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { authentic: false };
  }
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
  step: Step,
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
  step: Step,
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
    case "bounced":
      return {
        ...base,
        status: "failed",
        event: "bounced",
        permanent: true,
        code: "invalid_recipient",
        detail: "The recipient's mail server refused the message for good",
      };
    case "complained":
      return { ...base, event: "complained" };
    default:
      return null;
  }
}
