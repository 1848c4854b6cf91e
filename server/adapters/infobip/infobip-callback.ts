/**
 * Infobip's callbacks: delivery and seen reports, at the address that went out with the message or through a subscription,
 * and messages from recipients, through a subscription. Reports at the message's own address carry no proof of Infobip, so
 * that address carries ours, and what comes there is about that message alone.
 * Sources: https://www.infobip.com/docs/api/channels/sms/logs-and-status-reports/receive-outbound-sms-message-report-v3,
 * https://www.infobip.com/docs/api/channels/whatsapp/whatsapp-inbound-messages
 */
import { createHmac } from "node:crypto";
import { Decimal } from "decimal.js";
import type { CallbackRequest, CallbackResult, Connection, InboundMessage, Receipt } from "../adapter.ts";
import { signedNotificationOf } from "../callback-url.ts";
import { basicAuth } from "../http-call.ts";
import { failedStatus } from "../known-failures.ts";
import { personOf, recipientNames, senderOf } from "../phone-number.ts";
import { jsonObject } from "../provider-text.ts";
import { sameText } from "../../kernel/same-secret.ts";
import { momentOf, objectOf, objectsOf, priceOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";
import { DUPLICATE, infobipFailure } from "./infobip-errors.ts";
import type { InfobipCredentials, InfobipSettings } from "./schemas.ts";

/** The user name of subscriptions with Basic. */
export const SUBSCRIPTION_USER = "tidings";
const MAX_ITEMS = 1_000;
/** Reports of one message: delivered, seen, and repetitions. */
const MAX_REPORTS_OF_ONE = 10;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;

type InfobipConnection = Connection<InfobipCredentials, InfobipSettings>;

export function parseInfobipCallback(
  connection: InfobipConnection,
  request: CallbackRequest,
): CallbackResult {
  if (request.method !== "POST") return { authentic: false };
  const ofSubscription = isSubscription(connection, request);
  const one = signedNotificationOf(request, connection.credentials.callbackSecret);
  if (!ofSubscription && !one) return { authentic: false };
  const receipts: Receipt[] = [];
  const inbound: InboundMessage[] = [];
  const body = objectOf(jsonObject(request.rawBody));
  const items = objectsOf(body.results, ofSubscription ? MAX_ITEMS : MAX_REPORTS_OF_ONE);
  for (const item of items) {
    const receipt = reportReceipt(item);
    if (receipt) receipts.push(one ? { ...receipt, ...one } : receipt);
    else if (ofSubscription) inbound.push(...inboundMessages(item));
  }
  if (ofSubscription) inbound.push(...preferenceMessages(body));
  return { authentic: true, receipts, inbound };
}

function isSubscription({ credentials, settings }: InfobipConnection, request: CallbackRequest): boolean {
  const { callbackSecret } = credentials;
  if (settings.signatureHeader === undefined) {
    const expected = basicAuth(SUBSCRIPTION_USER, callbackSecret);
    return sameText(request.headers.authorization ?? "", expected);
  }
  const given = (request.headers[settings.signatureHeader.toLowerCase()] ?? "").replace(/^sha256=/i, "");
  const digest = createHmac("sha256", callbackSecret).update(request.rawBody).digest();
  return sameText(given.toLowerCase(), digest.toString("hex")) || sameText(given, digest.toString("base64"));
}

/** Null for what is no report, and for reports that say nothing new. */
function reportReceipt(item: JsonObject): Receipt | null {
  const id = textOf(item.messageId);
  if (id === undefined) return null;
  // The id is ours: it begins with the notification's.
  const notificationId = id.slice(0, UUID_LENGTH);
  const contact = objectOf(item.contact);
  const recipient = personOf(contact.phoneNumber, contact.userId, contact.parentUserId);
  const base: Receipt = {
    providerMessageId: id,
    ...recipientNames(recipient),
    ...(UUID.test(notificationId) ? { notificationId } : {}),
  };
  const seenAt = momentOf(item.seenAt);
  if (seenAt) return { ...base, status: "delivered", event: "read", at: seenAt };
  const status = objectOf(item.status);
  const outcome = statusOutcome(status, objectOf(item.error));
  if (!outcome) return null;
  const at = momentOf(item.doneAt) ?? momentOf(item.sentAt);
  const count = item.messageCount ?? item.smsCount;
  const segments = typeof count === "number" && Number.isInteger(count) && count > 0 ? count : undefined;
  const each = priceOf(objectOf(item.price).pricePerMessage, objectOf(item.price).currency);
  return {
    ...base,
    ...outcome,
    ...(at ? { at } : {}),
    ...(each ? { price: { ...each, amount: new Decimal(each.amount).times(segments ?? 1).toFixed() } } : {}),
    ...(segments === undefined ? {} : { segments }),
  };
}

/** By the group; a message that reached the operator has not reached the recipient. */
export function statusOutcome(status: JsonObject, error: JsonObject): Partial<Receipt> | null {
  const name = textOf(status.name, 64) ?? "";
  if (name === DUPLICATE) return null;
  switch (textOf(status.groupName, 32) ?? status.groupId) {
    case "ACCEPTED":
    case "PENDING":
    case 1:
      return { status: "sent" };
    case "DELIVERED":
    case 3:
      return { status: name === "DELIVERED_TO_OPERATOR" ? "sent" : "delivered" };
    case "UNDELIVERABLE":
    case "EXPIRED":
    case "REJECTED":
    case 2:
    case 4:
    case 5:
      return failedReport(name, status, error);
    default:
      return null;
  }
}

function failedReport(name: string, status: JsonObject, error: JsonObject): Partial<Receipt> {
  const errorName = textOf(error.name, 64) ?? "";
  const failure = infobipFailure(name, errorName);
  const named = errorName === "" || errorName === "NO_ERROR" ? status : error;
  const words = textOf(named.description);
  const code = textOf(named.name, 64);
  return failedStatus(failure, { code, words });
}

/** One message of a recipient, or none. */
function inboundMessages(item: JsonObject): InboundMessage[] {
  const id = textOf(item.messageId);
  const contact = objectOf(item.contact);
  const from = personOf(item.from ?? contact.phoneNumber, contact.userId, contact.parentUserId);
  if (id === undefined || from === null) return [];
  const { address, sameAs } = from;
  const at = momentOf(item.receivedAt);
  const repliesTo = textOf(item.pairedMessageId);
  const common = {
    providerMessageId: id,
    from: address,
    ...(sameAs.length > 0 && { sameAs }),
    to: senderOf(item.to),
    ...(at ? { at } : {}),
    ...(repliesTo === undefined ? {} : { repliesTo }),
  };
  const keyword = textOf(item.keyword, 32)?.toLowerCase();
  const optOut: Pick<InboundMessage, "optOut"> =
    keyword === "stop" || keyword === "start" || keyword === "help" ? { optOut: keyword } : {};
  if (typeof item.text === "string") {
    return [{ ...common, channel: "sms", text: item.text.slice(0, 4_096), ...optOut }];
  }
  const message = objectOf(item.message);
  const kind = textOf(message.type, 64);
  if (kind === undefined) return [];
  return [{ ...common, channel: "whatsapp", ...whatsappContent(kind, message), ...optOut }];
}

function whatsappContent(
  kind: string,
  message: JsonObject,
): Pick<InboundMessage, "text" | "kind" | "button"> {
  const text = textOf(message.text, 4_096) ?? "";
  switch (kind) {
    case "TEXT":
      return { text };
    case "BUTTON":
      return { text, button: { payload: textOf(message.payload) ?? text, text } };
    case "INTERACTIVE_BUTTON_REPLY":
    case "INTERACTIVE_LIST_REPLY": {
      const title = textOf(message.title) ?? "";
      return { text: title, button: { payload: textOf(message.id) ?? title, text: title } };
    }
    case "REACTION":
      return { text: textOf(message.emoji, 64) ?? "", kind: "reaction" };
    default:
      return { text: textOf(message.caption, 4_096) ?? "", kind: kind.toLowerCase() };
  }
}

/** The recipient's choice in WhatsApp's own settings; it comes alone, not in a list. */
function preferenceMessages(body: JsonObject): InboundMessage[] {
  const content = objectOf(body.content);
  const from = personOf(content.from)?.address ?? null;
  const said = content.notificationMessagesStatus;
  const chosen = said === "stop" ? "stop" : said === "resume" ? "start" : null;
  if (from === null || chosen === null) return [];
  const at = momentOf(body.createdAt);
  return [
    {
      providerMessageId: `preference:${from}:${chosen}:${at?.getTime() ?? 0}`,
      channel: "whatsapp",
      from,
      to: senderOf(content.sender),
      text: "",
      kind: "user_preferences",
      optOut: chosen,
      ...(at ? { at } : {}),
    },
  ];
}
