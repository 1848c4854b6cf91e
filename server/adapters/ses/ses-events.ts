/**
 * Amazon SES's events about a message, as it publishes them to a topic: those of a configuration set, which carry our
 * tags, and the older notifications of an identity, which do not.
 * Source: https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
import type { Receipt } from "../adapter.ts";
import { ATTEMPT_TAG, NOTIFICATION_TAG, notificationReference } from "../callback-url.ts";
import {
  emailRejected,
  failedReceipt,
  suppressedByProvider,
  typedBounce,
  undelivered,
} from "../email-failures.ts";
import { jsonObject } from "../provider-text.ts";
import { momentOf, objectOf, objectsOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";

/** @param text the `Message` of an SNS notification; an empty list for what is no event about a message. */
export function sesReceipts(text: string): Receipt[] {
  const event = jsonObject(Buffer.from(text)) ?? {};
  const type = textOf(event.eventType) ?? textOf(event.notificationType) ?? "";
  const mail = objectOf(event.mail);
  const id = textOf(mail.messageId, 200);
  const meaning = meaningOf(type, event);
  if (!meaning || id === undefined) return [];
  const tags = objectOf(mail.tags);
  return [
    {
      providerMessageId: id,
      ...notificationReference(firstOf(tags[NOTIFICATION_TAG]), firstOf(tags[ATTEMPT_TAG])),
      ...meaning,
    },
  ];
}

function meaningOf(type: string, event: JsonObject): Partial<Receipt> | null {
  switch (type) {
    case "Send":
      return { status: "sent", ...at(objectOf(event.mail).timestamp) };
    case "DeliveryDelay":
      return { status: "sent", ...at(objectOf(event.deliveryDelay).timestamp) };
    case "Delivery":
      return { status: "delivered", ...at(objectOf(event.delivery).timestamp) };
    case "Open":
      return { event: "read", ...at(objectOf(event.open).timestamp) };
    case "Click":
      return { event: "clicked", ...at(objectOf(event.click).timestamp) };
    case "Bounce":
      return bounced(objectOf(event.bounce));
    case "Complaint":
      return complained(objectOf(event.complaint));
    case "Reject":
      return failedReceipt(emailRejected, objectOf(event.reject).reason);
    case "Rendering Failure":
      return failedReceipt(undelivered, objectOf(event.failure).errorMessage);
    case "Subscription":
      return unsubscribed(objectOf(event.subscription));
    default:
      return null;
  }
}

function bounced(bounce: JsonObject): Partial<Receipt> {
  const [recipient] = objectsOf(bounce.bouncedRecipients, 1);
  const answer = textOf(recipient?.diagnosticCode, 2_000);
  const said = [textOf(recipient?.status, 20), answer].filter(Boolean).join(" ");
  const subType = textOf(bounce.bounceSubType, 100);
  const { permanent, failure, status } = typedBounce(textOf(bounce.bounceType, 100), subType, said);
  const failed = failedReceipt(failure, answer ?? subType);
  // The account's own list: nothing was tried, so nothing has bounced.
  if (failure === suppressedByProvider) return { ...failed, ...at(bounce.timestamp) };
  const code = status === undefined ? {} : { providerCode: status };
  return { event: "bounced", permanent, ...failed, ...code, ...at(bounce.timestamp) };
}

function complained(complaint: JsonObject): Partial<Receipt> | null {
  // A recipient can also say that a message is no spam.
  if (complaint.complaintFeedbackType === "not-spam") return null;
  if (complaint.complaintSubType === "OnAccountSuppressionList") {
    return { ...failedReceipt(suppressedByProvider, complaint.complaintSubType), ...at(complaint.timestamp) };
  }
  return { event: "complained", ...at(complaint.timestamp) };
}

function unsubscribed(subscription: JsonObject): Partial<Receipt> | null {
  const preferences = objectOf(subscription.newTopicPreferences);
  return preferences.unsubscribeAll === true ? { event: "opted_out", ...at(subscription.timestamp) } : null;
}

function at(value: unknown): { at?: Date } {
  const moment = momentOf(value);
  return moment ? { at: moment } : {};
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as unknown[])[0] : undefined;
}
