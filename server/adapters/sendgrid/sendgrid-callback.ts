/**
 * SendGrid's signed event webhook: an array of events about messages, signed with ECDSA over time and body.
 * Source: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event and .../getting-started-event-webhook-security-features
 */
import { createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { CallbackRequest, CallbackResult, Receipt } from "../adapter.ts";
import { ATTEMPT_TAG, NOTIFICATION_TAG, notificationReference } from "../callback-url.ts";
import {
  bounceFailure,
  emailRejected,
  failedReceipt,
  invalidMailbox,
  quotaUsedUp,
  suppressedByProvider,
  undelivered,
} from "../email-failures.ts";
import type { KnownFailure } from "../http-call.ts";
import { optedOut } from "../known-failures.ts";
import { momentOf, objectsOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";

const MAX_EVENTS = 10_000;
/** SendGrid repeats an event that was not accepted for 24 hours; its documentation does not say that it signs it again. A repeated event changes nothing. */
const OLDEST_MS = 25 * 3_600_000;
const AHEAD_MS = 5 * 60_000;

/** The verification key as SendGrid shows it; null when it is not a P-256 key. */
export function sendgridKey(base64: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : null;
  } catch {
    return null;
  }
}

export function parseSendgridCallback(
  verificationKey: string | undefined,
  request: CallbackRequest,
  now: number = Date.now(),
): CallbackResult {
  const signature = request.headers["x-twilio-email-event-webhook-signature"];
  const timestamp = request.headers["x-twilio-email-event-webhook-timestamp"];
  const key = verificationKey === undefined ? null : sendgridKey(verificationKey);
  if (request.method !== "POST" || !signature || !timestamp || !key) return { authentic: false };
  const age = now - Number(timestamp) * 1_000;
  if (!/^\d{1,12}$/.test(timestamp) || age > OLDEST_MS || age < -AHEAD_MS) return { authentic: false };
  const signed = Buffer.concat([Buffer.from(timestamp), request.rawBody]);
  if (!isSignature(key, signed, signature)) return { authentic: false };
  const events = objectsOf(parsed(request.rawBody), MAX_EVENTS);
  return { authentic: true, receipts: events.flatMap(receiptOf), inbound: [] };
}

function isSignature(key: KeyObject, signed: Buffer, signature: string): boolean {
  try {
    return verify("sha256", signed, key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

/** Empty for an event that is not about one of our messages, such as a group's resubscription. */
function receiptOf(event: JsonObject): Receipt[] {
  const meaning = meaningOf(event);
  if (!meaning) return [];
  const id = textOf(event.sg_message_id, 300);
  const at = momentOf(event.timestamp);
  return [
    {
      ...(id === undefined ? {} : { providerMessageId: messageId(id) }),
      ...notificationReference(event[NOTIFICATION_TAG], event[ATTEMPT_TAG]),
      ...(at ? { at } : {}),
      ...meaning,
    },
  ];
}

/** The id that the answer's X-Message-Id gave: sg_message_id goes on with the name of the machine that processed it. */
function messageId(sgMessageId: string): string {
  return /^(.+?)\.(?:filter|recvd)/.exec(sgMessageId)?.[1] ?? sgMessageId.split(".")[0] ?? sgMessageId;
}

function meaningOf(event: JsonObject): Partial<Receipt> | null {
  switch (event.event) {
    case "processed":
    case "deferred":
      return { status: "sent" };
    case "delivered":
      return { status: "delivered" };
    case "bounce":
      return bounce(event);
    case "dropped":
      return dropped(textOf(event.reason) ?? "");
    case "open":
      // A mail program opened it to protect its user's privacy; no person has read it.
      return event.sg_machine_open === true ? null : { event: "read" };
    case "click":
      return { event: "clicked" };
    case "spamreport":
      return { event: "complained" };
    case "unsubscribe":
    case "group_unsubscribe":
      return { event: "opted_out" };
    default:
      return null;
  }
}

function bounce(event: JsonObject): Partial<Receipt> {
  const reason = textOf(event.reason, 2_000) ?? "";
  const status = textOf(event.status, 20) ?? "";
  const { status: found, ...failure } = bounceFailure(`${status} ${reason}`);
  const classification = textOf(event.bounce_classification) ?? "Unclassified";
  // "blocked" is about the message or our reputation. Of the others only these are about the address itself.
  const permanent =
    event.type !== "blocked" &&
    (classification === "Invalid Address" ||
      (classification === "Unclassified" && (found ?? "5").startsWith("5")));
  return {
    event: "bounced",
    permanent,
    ...failedReceipt(classification === "Invalid Address" ? invalidMailbox : failure, reason),
    ...(found === undefined ? {} : { providerCode: found }),
  };
}

function dropped(reason: string): Partial<Receipt> {
  if (/^unsubscribed/i.test(reason)) return { event: "opted_out", ...failedReceipt(optedOut, reason) };
  return failedReceipt(droppedFailure(reason), reason);
}

function droppedFailure(reason: string): KnownFailure {
  if (/^(bounced|spam reporting) address/i.test(reason)) return suppressedByProvider;
  if (/^invalid$/i.test(reason)) return invalidMailbox;
  if (/spam content/i.test(reason)) return emailRejected;
  return /quota/i.test(reason) ? quotaUsedUp : undelivered;
}
