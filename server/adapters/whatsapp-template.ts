/**
 * An approved WhatsApp template and the message that is to be sent with it. The author writes header and buttons as the
 * recipient will see them; WhatsApp wants only what stands in their placeholders.
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/components
 */
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundResponse } from "../kernel/outbound-http.ts";
import type { OutboundMessage, SendOutcome } from "./adapter.ts";
import { notTried } from "./http-call.ts";
import { jsonObject } from "./provider-text.ts";
import type { JsonObject } from "./untrusted.ts";

/** What the provider knows of a template's wording; `buttons` in their order. */
export type TemplateWording = {
  /** Text header as registered, e.g. "Order {{1}}"; null without one. */
  headerText: string | null;
  buttons: { url: string | null }[];
  /** One-time-password templates repeat the code in their button. */
  authentication: boolean;
};

/** What fills the placeholders outside the body. */
export type TemplateExtras = {
  headerText?: string;
  /** `index` is the button's place in the template. */
  buttons: { index: number; type: "quick_reply" | "url"; value: string }[];
};

/** Values of {{1}}, {{2}}, … in this order, whatever the order of the properties is. */
export function bodyParameters(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, value]) => value);
}

/**
 * Without a wording, texts and addresses count as fixed parts of the template. Returns what is wrong, in a sentence, when
 * the message does not fit the wording.
 */
export function templateExtras(
  message: Pick<OutboundMessage, "header" | "buttons" | "whatsapp">,
  wording: TemplateWording | null,
): TemplateExtras | string {
  const extras: TemplateExtras = { buttons: [] };
  if (message.header?.type === "text" && wording?.headerText) {
    const value = placeholderValue(wording.headerText, message.header.value);
    if (value === undefined) return `The header is not the approved template's "${wording.headerText}"`;
    if (value !== null) extras.headerText = value;
  }
  for (const [index, button] of (message.buttons ?? []).entries()) {
    if (button.type === "quick_reply" && button.value !== undefined) {
      extras.buttons.push({ index, type: "quick_reply", value: button.value });
    }
    const url = wording?.buttons[index]?.url;
    if (button.type === "url" && button.value !== undefined && url) {
      const value = placeholderValue(url, button.value);
      if (value === undefined) return `Button ${index + 1} does not lead to the approved template's address`;
      if (value !== null) extras.buttons.push({ index, type: "url", value });
    }
  }
  const code = bodyParameters(message.whatsapp?.variables ?? {})[0];
  if (wording?.authentication && code !== undefined) {
    for (const [index, { url }] of wording.buttons.entries()) {
      const missing = url?.includes("{{") && !extras.buttons.some((button) => button.index === index);
      if (missing) extras.buttons.push({ index, type: "url", value: code });
    }
  }
  return extras;
}

/** An approved template by name and language and what fills it, or why it cannot be sent. */
export function fillTemplate(
  message: OutboundMessage,
  { template: name, language }: NonNullable<OutboundMessage["whatsapp"]>,
  wording: TemplateWording | null,
): ({ name: string; language: string } & TemplateExtras) | SendOutcome {
  if (!/^[a-z0-9_]{1,512}$/.test(name)) {
    return notTried("failover", "template_rejected", "The template's name is not one of WhatsApp's");
  }
  if (!language) {
    return notTried("never", "template_rejected", "The language of the approved template is not set");
  }
  const extras = templateExtras(message, wording);
  if (typeof extras === "string") return notTried("never", "template_rejected", extras);
  return { name, language, ...extras };
}

/** What stands at the pattern's placeholder; null when it has none, undefined when the text is not the pattern's. */
function placeholderValue(pattern: string, text: string): string | null | undefined {
  const start = pattern.indexOf("{{");
  const end = pattern.indexOf("}}", start);
  if (start < 0 || end < 0) return null;
  const before = pattern.slice(0, start);
  const after = pattern.slice(end + 2);
  const fits = text.length > before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return fits ? text.slice(before.length, text.length - after.length) : undefined;
}

/**
 * The body of an answer to a question about templates; null when the provider does not let us see them. Throws an OutboundError when
 * it cannot say now.
 */
export function templatesIn({ status, body }: OutboundResponse): JsonObject | null {
  if (status === 429 || status >= 500) {
    const problem = `The provider answered a question about the template with status ${status}`;
    throw new OutboundError("response", "invalid_response", problem, true);
  }
  return status === 200 ? jsonObject(body) : null;
}

/** Asks for a wording; a provider that cannot be asked will be asked again later, before anything is sent. */
export async function learnWording(
  ask: () => Promise<TemplateWording | null>,
): Promise<{ wording: TemplateWording | null } | SendOutcome> {
  try {
    return { wording: await ask() };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: "not_sent", retry: "later", code: "provider_unavailable", detail: error.message };
  }
}

const WORDING_LIFETIME_MS = 600_000;
const MAX_WORDINGS = 1_000;

/**
 * Remembers wordings for ten minutes: an approved template changes rarely, and messages come in thousands. What could not be
 * learnt is not remembered.
 */
export function createWordingCache(now: () => number = Date.now) {
  const known = new Map<string, { until: number; wording: Promise<TemplateWording | null> }>();
  return {
    get(key: string, fetch: () => Promise<TemplateWording | null>): Promise<TemplateWording | null> {
      const found = known.get(key);
      if (found && found.until > now()) return found.wording;
      const wording = fetch();
      known.delete(key);
      known.set(key, { until: now() + WORDING_LIFETIME_MS, wording });
      const [oldest] = known.keys();
      if (known.size > MAX_WORDINGS && oldest !== undefined) known.delete(oldest);
      wording.catch(() => {
        if (known.get(key)?.wording === wording) known.delete(key);
      });
      return wording;
    },
  };
}
