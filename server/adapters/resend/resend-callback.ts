/**
 * Resend's webhooks: one event each, signed as Standard Webhooks prescribes, under the header names of Svix.
 * Source: https://resend.com/docs/dashboard/webhooks/event-types and https://www.standardwebhooks.com
 */
import { Webhook } from "standardwebhooks";
import type { CallbackRequest, CallbackResult, Receipt } from "../adapter.ts";
import { NOTIFICATION_TAG, notificationReference } from "../callback-url.ts";
import { failedReceipt, suppressedByProvider, typedBounce, undelivered } from "../email-failures.ts";
import { jsonObject } from "../provider-text.ts";
import { momentOf, objectOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";

/** null for a secret that is none. */
export function resendWebhook(secret: string): Webhook | null {
  try {
    return new Webhook(secret);
  } catch {
    return null;
  }
}

export function parseResendCallback(secret: string | undefined, request: CallbackRequest): CallbackResult {
  const webhook = secret === undefined ? null : resendWebhook(secret);
  if (request.method !== "POST" || !webhook || !isSigned(webhook, request)) return { authentic: false };
  const event = jsonObject(request.rawBody) ?? {};
  const data = objectOf(event.data);
  const meaning = meaningOf(event.type, data);
  if (!meaning) return { authentic: true, receipts: [], inbound: [] };
  const id = textOf(data.email_id, 200);
  const at = momentOf(event.created_at);
  const receipt = {
    ...(id === undefined ? {} : { providerMessageId: id }),
    ...notificationReference(objectOf(data.tags)[NOTIFICATION_TAG], undefined),
    ...(at ? { at } : {}),
    ...meaning,
  };
  return { authentic: true, receipts: [receipt], inbound: [] };
}

/** Also refuses what was signed more than five minutes ago or ahead; Resend signs every repetition anew. */
function isSigned(webhook: Webhook, { headers, rawBody }: CallbackRequest): boolean {
  const signed = {
    "webhook-id": headers["svix-id"] ?? "",
    "webhook-timestamp": headers["svix-timestamp"] ?? "",
    "webhook-signature": headers["svix-signature"] ?? "",
  };
  try {
    webhook.verify(rawBody, signed, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function meaningOf(type: unknown, data: JsonObject): Partial<Receipt> | null {
  switch (type) {
    case "email.sent":
    case "email.scheduled":
    case "email.delivery_delayed":
      return { status: "sent" };
    case "email.delivered":
      return { status: "delivered" };
    case "email.opened":
      return { event: "read" };
    case "email.clicked":
      return { event: "clicked" };
    case "email.complained":
      return { event: "complained" };
    case "email.bounced":
      return bounced(objectOf(data.bounce));
    case "email.suppressed":
      return failedReceipt(suppressedByProvider, objectOf(data.suppressed).message);
    case "email.failed":
      return failedReceipt(undelivered, objectOf(data.failed).reason);
    default:
      return null;
  }
}

function bounced(bounce: JsonObject): Partial<Receipt> {
  const answers: unknown[] = Array.isArray(bounce.diagnosticCode) ? bounce.diagnosticCode : [];
  const answer = textOf(answers[0], 2_000);
  const { permanent, failure, status } = typedBounce(textOf(bounce.type), textOf(bounce.subType), answer);
  return {
    event: "bounced",
    permanent,
    ...failedReceipt(failure, answer ?? bounce.message),
    ...(status === undefined ? {} : { providerCode: status }),
  };
}
