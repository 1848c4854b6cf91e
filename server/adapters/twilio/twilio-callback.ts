/**
 * Twilio's callbacks: status of a message we sent, or a message to one of our senders. Form-encoded,
 * signed. The simulator posts the same.
 * Source: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
 */
import type { CallbackRequest, CallbackResult, InboundMessage, Price, Receipt } from "../adapter.ts";
import { notificationOf } from "../callback-url.ts";
import { failedStatus } from "../known-failures.ts";
import { userIdOf } from "../phone-number.ts";
import { twilioFailure } from "./twilio-errors.ts";
import { isTwilioSignature } from "./twilio-signature.ts";

const MAX_BODY_BYTES = 65_536;
const MESSAGE_SID = /^(SM|MM)[0-9a-fA-F]{32}$/;

/** @param authToken the key of the signature. */
export function parseTwilioCallback(authToken: string, request: CallbackRequest): CallbackResult {
  const signature = request.headers["x-twilio-signature"];
  if (request.method !== "POST" || !signature || request.rawBody.length > MAX_BODY_BYTES)
    return { authentic: false };
  const form = new URLSearchParams(request.rawBody.toString("utf8"));
  if (!isTwilioSignature(authToken, signature, request.url, form)) return { authentic: false };

  const sid = form.get("MessageSid") ?? form.get("SmsSid") ?? form.get("SmsMessageSid") ?? "";
  if (!MESSAGE_SID.test(sid)) return { authentic: true, receipts: [], inbound: [] };
  const status = form.get("MessageStatus") ?? form.get("SmsStatus") ?? "";
  if (status === "received" || status === "receiving" || (status === "" && isMessage(form))) {
    return { authentic: true, receipts: [], inbound: [inboundMessage(sid, form)] };
  }
  const receipt = statusReceipt(
    sid,
    status,
    form.get("ErrorCode"),
    form.get("ErrorMessage") ?? form.get("ChannelStatusMessage"),
  );
  if (!receipt) return { authentic: true, receipts: [], inbound: [] };
  const at = carrierTime(form.get("RawDlrDoneDate"));
  const sameAs = namesIn(form, form.get("To") ?? "");
  const price = twilioPrice(form.get("Price"), form.get("PriceUnit"));
  return {
    authentic: true,
    receipts: [
      {
        ...receipt,
        ...notificationOf(request),
        ...(at ? { at } : {}),
        ...(price ? { price } : {}),
        ...(sameAs.length > 0 && { sameAs }),
      },
    ],
    inbound: [],
  };
}

/** Twilio names no status in every message to us; a status callback always names one, and never has a text or media. */
function isMessage(form: URLSearchParams): boolean {
  return form.has("From") && form.has("To") && (form.has("Body") || form.has("NumMedia"));
}

/** One Twilio status in our vocabulary; null for a status that says nothing about a message we sent. */
function statusReceipt(
  sid: string,
  status: string,
  errorCode: string | null,
  errorMessage: string | null,
): Receipt | null {
  const base: Receipt = { providerMessageId: sid };
  switch (status) {
    case "accepted":
    case "scheduled":
    case "queued":
    case "sending":
    case "sent":
      return { ...base, status: "sent" };
    case "delivered":
    case "partially_delivered":
      return { ...base, status: "delivered" };
    case "read":
      return { ...base, status: "delivered", event: "read" };
    case "undelivered":
    case "failed":
    case "canceled": {
      const failure = errorCode ? twilioFailure(Number(errorCode)) : undefined;
      return {
        ...base,
        ...failedStatus(failure, {
          code: errorCode?.slice(0, 16) || undefined,
          words: errorMessage || undefined,
        }),
      };
    }
    default:
      return null;
  }
}

/** Twilio books prices as negative amounts; null until it knows the price. */
export function twilioPrice(amount: unknown, unit: unknown): Price | undefined {
  if (typeof amount !== "string" || typeof unit !== "string") return undefined;
  const match = /^-?(\d{1,9}(?:\.\d{1,12})?)$/.exec(amount);
  return match?.[1] && /^[A-Za-z]{3}$/.test(unit)
    ? { amount: match[1], currency: unit.toUpperCase() }
    : undefined;
}

function inboundMessage(sid: string, form: URLSearchParams): InboundMessage {
  const from = form.get("From") ?? "";
  const sameAs = namesIn(form, from);
  const to = form.get("To") ?? "";
  const optOut = form.get("OptOutType")?.toLowerCase();
  const payload = form.get("ButtonPayload");
  const repliesTo = form.get("OriginalRepliedMessageSid");
  return {
    providerMessageId: sid,
    channel: from.startsWith("whatsapp:") ? "whatsapp" : "sms",
    from: withoutChannel(from),
    ...(sameAs.length > 0 && { sameAs }),
    to: withoutChannel(to),
    text: form.get("Body") ?? "",
    ...(optOut === "stop" || optOut === "start" || optOut === "help" ? { optOut } : {}),
    ...(repliesTo ? { repliesTo } : {}),
    ...(payload === null ? {} : { button: { payload, text: form.get("ButtonText") ?? "" } }),
  };
}

/** The user ids of a WhatsApp user beside the address in `From` or `To`. */
function namesIn(form: URLSearchParams, address: string): string[] {
  if (!address.startsWith("whatsapp:")) return [];
  const ids = [form.get("ExternalUserId"), form.get("ParentExternalUserId")].map((id) =>
    userIdOf(withoutChannel(id ?? "")),
  );
  return ids.filter((id) => id !== null && id !== withoutChannel(address)) as string[];
}

function withoutChannel(address: string): string {
  return address.startsWith("whatsapp:") ? address.slice("whatsapp:".length) : address;
}

/** The carrier's YYMMDDhhmm, UTC. */
function carrierTime(text: string | null): Date | undefined {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text ?? "");
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return new Date(Date.UTC(2000 + year, month - 1, day, hour, minute));
}
