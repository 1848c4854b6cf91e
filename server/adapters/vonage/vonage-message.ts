/** A message as Vonage's Messages API takes it, without the fields that all messages have. */
import type { OutboundMessage, SendOutcome } from "../adapter.ts";
import { notTried } from "../http-call.ts";
import { fileNameOf, sessionContent, sessionLayout, templateContent } from "../whatsapp-content.ts";
import { bodyParameters } from "../whatsapp-template.ts";

export type VonageContent = { message_type: string; text?: string; ttl?: number } & Partial<
  Record<"sms" | "template" | "whatsapp" | "custom" | "image" | "video" | "file", object>
>;

/** What Vonage takes as a time to live, seconds. */
const [MIN_TTL, MAX_TTL] = [20, 604_800];

export function smsContent(message: OutboundMessage): VonageContent | SendOutcome {
  if (!message.text) return notTried("never", "invalid_message", "The message has no text");
  const { expiresAt, encoding } = message;
  const left = expiresAt ? Math.floor((expiresAt.getTime() - Date.now()) / 1_000) : MAX_TTL + 1;
  return {
    message_type: "text",
    text: message.text,
    ...(left > MAX_TTL ? {} : { ttl: Math.max(MIN_TTL, left) }),
    ...(encoding === "GSM-7" ? { sms: { encoding_type: "text" } } : {}),
    ...(encoding === "UCS-2" ? { sms: { encoding_type: "unicode" } } : {}),
  };
}

/**
 * An approved template. Vonage's own form has the body's parameters only; with a picture above or payloads in buttons the
 * message is handed through in WhatsApp's form. Vonage does not offer a template's wording here, so a header's text and
 * addresses of buttons count as fixed.
 */
export function whatsappTemplate(
  message: OutboundMessage,
  whatsapp: NonNullable<OutboundMessage["whatsapp"]>,
): VonageContent | SendOutcome {
  const match = /^(?:([\w-]{1,128}):)?([a-z0-9_]{1,512})$/.exec(whatsapp.template);
  const [, namespace, name = ""] = match ?? [];
  const content = templateContent(message, { ...whatsapp, template: name }, null);
  if ("kind" in content) return content;
  if (content.type !== "template") return { message_type: "custom", custom: content };
  const { language, components } = content.template;
  if (components.every(({ type }) => type === "body")) {
    return {
      message_type: "template",
      template: { name: whatsapp.template, parameters: bodyParameters(whatsapp.variables) },
      // Vonage's form has BCP 47, WhatsApp's an underscore.
      whatsapp: { policy: language.policy, locale: language.code.replace("_", "-") },
    };
  }
  const template = { ...(namespace === undefined ? {} : { namespace }), ...content.template };
  return { message_type: "custom", custom: { ...content, template } };
}

export function whatsappSession(message: OutboundMessage): VonageContent | SendOutcome {
  const content = sessionContent(message);
  if ("kind" in content) return content;
  switch (content.type) {
    case "text":
      return { message_type: "text", text: content.text.body };
    case "image":
    case "video":
      return { message_type: content.type, [content.type]: mediaOf(message) };
    case "document":
      return {
        message_type: "file",
        file: { ...mediaOf(message), name: fileNameOf(message.header?.value ?? "") },
      };
    default:
      return { message_type: "custom", custom: content };
  }
}

function mediaOf(message: OutboundMessage): object {
  const layout = sessionLayout(message);
  return { url: message.header?.value, ...("kind" in layout ? {} : { caption: layout.body }) };
}
