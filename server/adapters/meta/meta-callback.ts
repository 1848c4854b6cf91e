/**
 * Meta's webhooks: statuses of messages we sent, messages to our number, and what recipients prefer; up to a thousand
 * changes in one signed body. A GET asks whether the address is ours.
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview
 */
import { createHmac } from "node:crypto";
import { templateCategories } from "../adapter.ts";
import type {
  CallbackRequest,
  CallbackResult,
  InboundMessage,
  Receipt,
  SamePerson,
  TemplateDecision,
} from "../adapter.ts";
import { failedStatus } from "../known-failures.ts";
import { e164Of, personOf, recipientNames, senderOf } from "../phone-number.ts";
import { jsonObject } from "../provider-text.ts";
import { sameText } from "../../kernel/same-secret.ts";
import { trackedBy } from "../tracking.ts";
import { momentOf, objectOf, objectsOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";
import { metaFailure } from "./meta-errors.ts";
import type { MetaCredentials } from "./schemas.ts";

const MAX_ITEMS = 1_000;

/** `X-Hub-Signature-256` of a body: hexadecimal HMAC-SHA256 under the app's secret, after "sha256=". */
export function metaSignature(appSecret: string, rawBody: Buffer): string {
  return `sha256=${createHmac("sha256", appSecret).update(rawBody).digest("hex")}`;
}

export function parseMetaCallback(
  { appSecret, verifyToken }: Pick<MetaCredentials, "appSecret" | "verifyToken">,
  request: CallbackRequest,
): CallbackResult {
  if (request.method === "GET") return handshake(verifyToken, request.url);
  const signature = request.headers["x-hub-signature-256"] ?? "";
  if (request.method !== "POST" || !sameText(signature, metaSignature(appSecret, request.rawBody))) {
    return { authentic: false };
  }
  const receipts: Receipt[] = [];
  const inbound: InboundMessage[] = [];
  const people: SamePerson[] = [];
  const templates: TemplateDecision[] = [];
  for (const entry of objectsOf(jsonObject(request.rawBody)?.entry, MAX_ITEMS)) {
    for (const change of objectsOf(entry.changes, MAX_ITEMS)) {
      const value = objectOf(change.value);
      const account = textOf(objectOf(value.metadata).phone_number_id, 32);
      const of = account === undefined ? {} : { account };
      const contacts = contactsOf(value);
      if (change.field === "template_category_update") templates.push(...templateDecisions(value));
      for (const status of objectsOf(value.statuses, MAX_ITEMS)) {
        const receipt = statusReceipt(status, contacts);
        if (receipt) receipts.push({ ...receipt, ...of });
      }
      const to = senderOf(objectOf(value.metadata).display_phone_number);
      for (const message of objectsOf(value.messages, MAX_ITEMS)) {
        const received = inboundMessage(message, to, contacts);
        if (received) inbound.push({ ...received, ...of });
      }
      for (const preference of objectsOf(value.user_preferences, MAX_ITEMS)) {
        const received = preferenceMessage(preference, to, contacts);
        if (received) inbound.push({ ...received, ...of });
      }
      for (const update of objectsOf(value.user_id_update, MAX_ITEMS)) {
        const sameAs = replacedNames(update);
        if (sameAs.length > 1) people.push({ sameAs, ...of });
      }
    }
  }
  return {
    authentic: true,
    receipts,
    inbound,
    ...(people.length > 0 && { people }),
    ...(templates.length > 0 && { templates }),
  };
}

/** What the persons of a change are called, by each of their names. */
type Contacts = ReadonlyMap<string, unknown[]>;

function contactsOf(value: JsonObject): Contacts {
  const contacts = new Map<string, unknown[]>();
  for (const { wa_id: number, user_id: id, parent_user_id: parent } of objectsOf(value.contacts, MAX_ITEMS)) {
    const names = [number, id, parent];
    for (const name of names) if (typeof name === "string") contacts.set(name, names);
  }
  return contacts;
}

/** The person that these names are about. A number that Meta leaves out may stand among the contacts. */
function knownPerson(contacts: Contacts, number: unknown, ...ids: unknown[]) {
  const known = [number, ...ids].flatMap((name) =>
    typeof name === "string" ? (contacts.get(name) ?? []) : [],
  );
  return personOf(number ?? known.find((name) => e164Of(name) !== null), ...ids, ...known);
}

/** What was decided about a template: at once, or for later; then `new_category` is the one that it still has. */
function templateDecisions(value: JsonObject): TemplateDecision[] {
  const template = textOf(value.message_template_name);
  const language = textOf(value.message_template_language, 32) ?? "";
  if (template === undefined) return [];
  const decision = (said: unknown, effectiveAt?: Date): TemplateDecision[] => {
    const category = templateCategories.find((one) => one === textOf(said, 32)?.toLowerCase());
    return category ? [{ template, language, category, ...(effectiveAt ? { effectiveAt } : {}) }] : [];
  };
  return [
    ...decision(value.new_category),
    ...(value.correct_category === undefined
      ? []
      : decision(
          value.correct_category,
          momentOf(value.category_update_timestamp) ?? new Date(Date.now() + 86_400_000),
        )),
  ];
}

/** A user id that was replaced, and what replaced it. */
function replacedNames(update: JsonObject): string[] {
  const { previous, current } = objectOf(update.user_id);
  const person = personOf(update.wa_id, current, previous);
  return person ? [person.address, ...person.sameAs] : [];
}

/** Meta asks once, when the callback address is entered. */
function handshake(verifyToken: string, url: string): CallbackResult {
  const query = URL.parse(url)?.searchParams;
  const challenge = query?.get("hub.challenge") ?? "";
  const asked = query?.get("hub.mode") === "subscribe" && /^[\w-]{1,256}$/.test(challenge);
  if (!asked || !sameText(query.get("hub.verify_token") ?? "", verifyToken)) return { authentic: false };
  const response = { status: 200, contentType: "text/plain", body: challenge };
  return { authentic: true, receipts: [], inbound: [], response };
}

function statusReceipt(status: JsonObject, contacts: Contacts): Receipt | null {
  const id = textOf(status.id);
  if (id === undefined) return null;
  const at = momentOf(status.timestamp);
  const pricing = objectOf(status.pricing);
  const category = textOf(pricing.category, 64);
  const free = isFree(pricing);
  const recipient = knownPerson(
    contacts,
    status.recipient_id,
    status.recipient_user_id,
    status.recipient_parent_user_id ?? status.parent_recipient_user_id,
  );
  const base: Receipt = {
    providerMessageId: id,
    ...recipientNames(recipient),
    ...trackedBy(status.biz_opaque_callback_data),
    ...(at ? { at } : {}),
    ...(category === undefined ? {} : { category }),
    ...(free ? { free: true } : {}),
  };
  switch (status.status) {
    case "sent":
      return { ...base, status: "sent" };
    case "delivered":
      return { ...base, status: "delivered" };
    case "read":
      return { ...base, status: "delivered", event: "read" };
    case "failed":
      return { ...base, ...failureOfError(objectsOf(status.errors, 1)[0] ?? {}) };
    default:
      return null;
  }
}

/** `type` is regular, free_customer_service or free_entry_point; older versions say `billable` alone. */
function isFree({ type, billable }: JsonObject): boolean {
  return typeof type === "string" ? type.startsWith("free_") : billable === false;
}

function failureOfError(error: JsonObject): Partial<Receipt> {
  const code = typeof error.code === "number" ? error.code : undefined;
  const failure = code === undefined ? undefined : metaFailure(code);
  const words = textOf(objectOf(error.error_data).details) ?? textOf(error.message) ?? textOf(error.title);
  return failedStatus(failure, { code: code?.toString(), words });
}

/** Null for a message that no recipient wrote. */
function inboundMessage(message: JsonObject, to: string, contacts: Contacts): InboundMessage | null {
  const id = textOf(message.id);
  const from = knownPerson(contacts, message.from, message.from_user_id, message.from_parent_user_id);
  const kind = textOf(message.type, 64);
  if (id === undefined || from === null || kind === undefined || kind === "system") return null;
  const at = momentOf(message.timestamp);
  const repliesTo = textOf(objectOf(message.context).id) ?? textOf(objectOf(message.reaction).message_id);
  return {
    providerMessageId: id,
    channel: "whatsapp",
    ...fromPerson(from),
    to,
    ...inboundContent(kind, message),
    ...(at ? { at } : {}),
    ...(repliesTo === undefined ? {} : { repliesTo }),
  };
}

const fromPerson = ({ address, sameAs }: { address: string; sameAs: string[] }) => ({
  from: address,
  ...(sameAs.length > 0 && { sameAs }),
});

function inboundContent(kind: string, message: JsonObject): Pick<InboundMessage, "text" | "kind" | "button"> {
  switch (kind) {
    case "text":
      return { text: textOf(objectOf(message.text).body, 4_096) ?? "" };
    case "button": {
      const { text, payload } = objectOf(message.button);
      return tapped(textOf(payload), textOf(text));
    }
    case "interactive": {
      const { button_reply: button, list_reply: list } = objectOf(message.interactive);
      const { id, title } = objectOf(button ?? list);
      return tapped(textOf(id), textOf(title));
    }
    case "reaction":
      return { text: textOf(objectOf(message.reaction).emoji, 64) ?? "", kind };
    default: {
      const content = Object.hasOwn(message, kind) ? objectOf(message[kind]) : {};
      return { text: textOf(content.caption, 4_096) ?? "", kind };
    }
  }
}

function tapped(payload: string | undefined, text = ""): Pick<InboundMessage, "text" | "kind" | "button"> {
  return payload === undefined ? { text, kind: "interactive" } : { text, button: { payload, text } };
}

/** The recipient's choice in WhatsApp's own settings. */
function preferenceMessage(preference: JsonObject, to: string, contacts: Contacts): InboundMessage | null {
  const from = knownPerson(contacts, preference.wa_id, preference.user_id, preference.parent_user_id);
  const chosen = preference.value === "stop" ? "stop" : preference.value === "resume" ? "start" : null;
  if (from === null || chosen === null) return null;
  const at = momentOf(preference.timestamp);
  return {
    providerMessageId: `preference:${from.address}:${chosen}:${at?.getTime() ?? 0}`,
    channel: "whatsapp",
    ...fromPerson(from),
    to,
    text: "",
    kind: "user_preferences",
    optOut: chosen,
    ...(at ? { at } : {}),
  };
}
