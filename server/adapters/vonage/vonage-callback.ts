/**
 * Vonage's webhooks: status of a message we sent, or a message to one of our senders. JSON, with a token of Vonage (HS256
 * under the account's signature secret) that carries the body's hash.
 * Source: https://developer.vonage.com/en/getting-started/concepts/webhooks
 */
import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import type { JWTPayload } from "jose";
import type { CallbackRequest, CallbackResult, InboundMessage, Receipt } from "../adapter.ts";
import { failedStatus } from "../known-failures.ts";
import { personOf, recipientNames, senderOf } from "../phone-number.ts";
import { sameText } from "../../kernel/same-secret.ts";
import { trackedBy } from "../tracking.ts";
import { momentOf, objectOf, objectsOf, priceOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";
import type { VonageCredentials } from "./schemas.ts";
import { vonageErrorCode, vonageStatusFailure } from "./vonage-errors.ts";

const MAX_ITEMS = 1_000;

export async function parseVonageCallback(
  credentials: Pick<VonageCredentials, "applicationId" | "signatureSecret">,
  request: CallbackRequest,
): Promise<CallbackResult> {
  const claims = await claimsOf(credentials.signatureSecret, request.headers.authorization ?? "");
  const ours = claims?.application_id === undefined || claims.application_id === credentials.applicationId;
  if (request.method !== "POST" || !claims || !ours || !isHashOf(request.rawBody, claims.payload_hash)) {
    return { authentic: false };
  }
  const body = jsonOf(request.rawBody);
  const receipts: Receipt[] = [];
  const inbound: InboundMessage[] = [];
  for (const item of objectsOf(Array.isArray(body) ? body : [body], MAX_ITEMS)) {
    if (item.channel !== "sms" && item.channel !== "whatsapp") continue;
    const receipt = item.status === undefined ? null : statusReceipt(item);
    if (receipt) receipts.push(receipt);
    const message = item.status === undefined ? inboundMessage(item.channel, item) : null;
    if (message) inbound.push(message);
  }
  return { authentic: true, receipts, inbound };
}

/** What a token says that is signed with our secret; null for any other. */
async function claimsOf(secret: string, authorization: string): Promise<JWTPayload | null> {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return null;
  try {
    const options = { algorithms: ["HS256"], clockTolerance: 300 };
    return (await jwtVerify(token, new TextEncoder().encode(secret), options)).payload;
  } catch {
    return null;
  }
}

/** A token without the body's hash would fit any body. */
function isHashOf(body: Buffer, hash: unknown): boolean {
  const given = typeof hash === "string" ? hash.toLowerCase() : "";
  return sameText(given, createHash("sha256").update(body).digest("hex"));
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

function statusReceipt(item: JsonObject): Receipt | null {
  const id = textOf(item.message_uuid, 64);
  if (id === undefined) return null;
  const at = momentOf(item.timestamp);
  const usage = objectOf(item.usage);
  const price = priceOf(usage.price, usage.currency);
  const parts = Number(objectOf(item.sms).count_total);
  const {
    user_id: userId,
    parent_user_id: parent,
    wa_id: number,
  } = objectOf(objectOf(item.whatsapp).recipient);
  const recipient = personOf(number, userId, parent);
  const base: Receipt = {
    providerMessageId: id,
    ...recipientNames(recipient),
    ...trackedBy(item.client_ref),
    ...(at ? { at } : {}),
    ...(price ? { price } : {}),
    ...(Number.isInteger(parts) && parts > 0 ? { segments: parts } : {}),
  };
  switch (item.status) {
    case "submitted":
      return { ...base, status: "sent" };
    case "delivered":
      return { ...base, status: "delivered" };
    case "read":
      return { ...base, status: "delivered", event: "read" };
    case "rejected":
    case "undeliverable":
      return { ...base, ...failureOfError(objectOf(item.error)) };
    default:
      return null;
  }
}

function failureOfError(error: JsonObject): Partial<Receipt> {
  const title = typeof error.title === "number" ? String(error.title) : textOf(error.title, 64);
  const code = vonageErrorCode(textOf(error.type, 2_048)) ?? title;
  const failure = code === undefined ? undefined : vonageStatusFailure(code);
  const words = textOf(error.detail);
  return failedStatus(failure, { code, words });
}

function inboundMessage(channel: "sms" | "whatsapp", item: JsonObject): InboundMessage | null {
  const id = textOf(item.message_uuid, 64);
  const whatsapp = channel === "whatsapp" ? objectOf(item.whatsapp) : {};
  const {
    user_id: userId,
    parent_user_id: parent,
    wa_id: number,
  } = objectOf(whatsapp.sender ?? item.profile);
  const from = personOf(item.from ?? number, userId, parent, number);
  if (id === undefined || from === null) return null;
  const at = momentOf(item.timestamp);
  const repliesTo = textOf(objectOf(item.context).message_uuid, 64);
  return {
    providerMessageId: id,
    channel,
    from: from.address,
    ...(from.sameAs.length > 0 && { sameAs: from.sameAs }),
    to: senderOf(item.to),
    ...inboundContent(item),
    ...(at ? { at } : {}),
    ...(repliesTo === undefined ? {} : { repliesTo }),
  };
}

function inboundContent(item: JsonObject): Pick<InboundMessage, "text" | "kind" | "button"> {
  const kind = textOf(item.message_type, 64) ?? "text";
  switch (kind) {
    case "text":
      return { text: textOf(item.text, 4_096) ?? "" };
    case "reply": {
      const { id, title } = objectOf(item.reply);
      const text = textOf(title) ?? "";
      return { text, button: { payload: textOf(id) ?? text, text } };
    }
    case "button": {
      const button = objectOf(item.button);
      const text = textOf(button.text) ?? "";
      return { text, button: { payload: textOf(button.payload) ?? text, text } };
    }
    case "reaction":
      return { text: textOf(objectOf(item.reaction).emoji, 64) ?? "", kind };
    default: {
      const content = Object.hasOwn(item, kind) ? objectOf(item[kind]) : {};
      return { text: textOf(content.caption, 4_096) ?? "", kind };
    }
  }
}
