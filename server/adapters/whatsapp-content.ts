/**
 * A message's content as WhatsApp's Cloud API takes it; other providers hand the same object through.
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages
 */
import type { OutboundMessage, SendOutcome } from "./adapter.ts";
import { notTried } from "./http-call.ts";
import { bodyParameters, fillTemplate } from "./whatsapp-template.ts";
import type { TemplateWording } from "./whatsapp-template.ts";

type Media = "image" | "video" | "document";
type MediaObject = { link: string; caption?: string; filename?: string };
type Interactive = {
  type: "button" | "cta_url";
  header?: { type: "text"; text: string } | ({ type: Media } & Partial<Record<Media, MediaObject>>);
  body: { text: string };
  footer?: { text: string };
  action: object;
};
type Component = {
  type: "header" | "body" | "button";
  sub_type?: "quick_reply" | "url";
  index?: string;
  parameters: object[];
};

export type WhatsappContent =
  | { type: "text"; text: { body: string } }
  | ({ type: Media } & Partial<Record<Media, MediaObject>>)
  | { type: "interactive"; interactive: Interactive }
  | {
      type: "template";
      template: {
        name: string;
        language: { policy: "deterministic"; code: string };
        components: Component[];
      };
    };

/** The approved template with its parameters, or why it cannot be sent. */
export function templateContent(
  message: OutboundMessage,
  whatsapp: NonNullable<OutboundMessage["whatsapp"]>,
  wording: TemplateWording | null,
): WhatsappContent | SendOutcome {
  const filled = fillTemplate(message, whatsapp, wording);
  if ("kind" in filled) return filled;
  const { name, language, headerText, buttons } = filled;
  const components: Component[] = [];
  const { header } = message;
  if (header && header.type !== "text") {
    components.push({
      type: "header",
      parameters: [{ type: header.type, [header.type]: mediaObject(header) }],
    });
  } else if (headerText !== undefined) {
    components.push({ type: "header", parameters: [{ type: "text", text: headerText }] });
  }
  const parameters = bodyParameters(whatsapp.variables).map((text) => ({ type: "text", text }));
  if (parameters.length > 0) components.push({ type: "body", parameters });
  for (const { index, type, value } of buttons) {
    const parameter = type === "url" ? { type: "text", text: value } : { type: "payload", payload: value };
    components.push({ type: "button", sub_type: type, index: String(index), parameters: [parameter] });
  }
  return {
    type: "template",
    template: { name, language: { policy: "deterministic", code: language }, components },
  };
}

/**
 * A message inside a conversation, or why it cannot be sent. Quick replies, or a single address, become buttons; WhatsApp has
 * no message with both, so other buttons stand below the text.
 */
export function sessionContent(message: OutboundMessage): WhatsappContent | SendOutcome {
  const layout = sessionLayout(message);
  if ("kind" in layout) return layout;
  const { header } = message;
  const { body, replies, link } = layout;
  if (replies.length === 0 && !link) {
    if (!header || header.type === "text") return { type: "text", text: { body } };
    return { type: header.type, [header.type]: { ...mediaObject(header), caption: body } };
  }
  const interactive: Interactive = {
    type: link ? "cta_url" : "button",
    ...(header ? { header: interactiveHeader(header) } : {}),
    body: { text: body },
    ...(message.footer ? { footer: { text: message.footer } } : {}),
    action: link
      ? { name: "cta_url", parameters: { display_text: link.text, url: link.value } }
      : { buttons: replies.map(({ id, title }) => ({ type: "reply", reply: { id, title } })) },
  };
  return { type: "interactive", interactive };
}

export type SessionLayout = {
  /** The text; with header, footer and buttons that have no place of their own. */
  body: string;
  replies: { id: string; title: string }[];
  link: { text: string; value: string } | null;
};

/** What of a message inside a conversation is text and what are buttons, within WhatsApp's limits. */
export function sessionLayout(message: OutboundMessage): SessionLayout | SendOutcome {
  if (!message.text) {
    return notTried("never", "invalid_message", "The message has neither a text nor an approved template");
  }
  const buttons = message.buttons ?? [];
  const replies = buttons
    .filter((button) => button.type === "quick_reply")
    .map((button) => ({ id: button.value ?? button.text, title: button.text }));
  const others = buttons.filter((button) => button.type !== "quick_reply" && button.value !== undefined);
  const [first] = others;
  const link =
    replies.length === 0 && others.length === 1 && first?.type === "url"
      ? { text: first.text, value: first.value ?? "" }
      : null;
  if (replies.length > 3) return tooMuch("more than three quick replies");
  if ([...replies.map(({ title }) => title), link?.text ?? ""].some((text) => text.length > 20)) {
    return tooMuch("a button text of more than 20 characters");
  }
  const below = link ? [] : others.map((button) => `${button.text}: ${button.value ?? ""}`);
  const interactive = link !== null || replies.length > 0;
  const { header } = message;
  const body = [
    ...(!interactive && header?.type === "text" ? [`*${header.value}*`] : []),
    [message.text, ...below].join("\n"),
    ...(!interactive && message.footer ? [`_${message.footer}_`] : []),
  ].join("\n\n");
  const limit = interactive || (header && header.type !== "text") ? 1_024 : 4_096;
  if (body.length > limit) return tooMuch(`more than ${limit} characters of text`);
  return { body, replies, link };
}

function tooMuch(what: string): SendOutcome {
  return notTried("never", "invalid_message", `WhatsApp takes no message in a conversation with ${what}`);
}

function interactiveHeader(header: NonNullable<OutboundMessage["header"]>): Interactive["header"] {
  return header.type === "text"
    ? { type: "text", text: header.value }
    : { type: header.type, [header.type]: mediaObject(header) };
}

function mediaObject(header: { type: string; value: string }): MediaObject {
  return {
    link: header.value,
    ...(header.type === "document" ? { filename: fileNameOf(header.value) } : {}),
  };
}

/** The last part of an address, as a file name that is shown to recipients. */
export function fileNameOf(url: string): string {
  const name = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  return /^[\w.%-]{1,240}$/.test(name) ? name : "document";
}
