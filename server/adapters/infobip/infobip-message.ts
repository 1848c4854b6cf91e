/** A message as one of Infobip's endpoints takes it. */
import type { OutboundMessage, SendOutcome } from "../adapter.ts";
import { notTried } from "../http-call.ts";
import { digitsOf } from "../phone-number.ts";
import { fileNameOf, sessionLayout } from "../whatsapp-content.ts";
import { bodyParameters, fillTemplate } from "../whatsapp-template.ts";
import type { TemplateWording } from "../whatsapp-template.ts";

/** Infobip keeps no message longer. */
const MAX_VALIDITY_S = 172_800;

export type InfobipRequest = { path: string; body: object };

/** @param reportUrl where reports about this message go; null when Infobip could not reach it */
export function smsRequest(message: OutboundMessage, reportUrl: string | null): InfobipRequest | SendOutcome {
  if (!message.text) return notTried("never", "invalid_message", "The message has no text");
  const validity = validitySeconds(message.expiresAt);
  const sms = {
    ...(message.senderId === undefined ? {} : { sender: digitsOf(message.senderId) }),
    destinations: [{ to: digitsOf(message.to), messageId: message.idempotencyKey }],
    content: { text: message.text },
    ...(validity === null ? {} : { options: { validityPeriod: { amount: validity, timeUnit: "SECONDS" } } }),
    ...(reportUrl === null
      ? {}
      : { webhooks: { delivery: { url: reportUrl }, contentType: "application/json" } }),
  };
  return {
    path: "/sms/3/messages",
    body: { messages: [sms], options: { includeSmsCountInResponse: true } },
  };
}

function validitySeconds(expiresAt: Date | undefined): number | null {
  if (!expiresAt) return null;
  const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1_000);
  return seconds >= MAX_VALIDITY_S ? null : Math.max(1, seconds);
}

export function templateRequest(
  message: OutboundMessage,
  whatsapp: NonNullable<OutboundMessage["whatsapp"]>,
  wording: TemplateWording | null,
  reportUrl: string | null,
): InfobipRequest | SendOutcome {
  const filled = fillTemplate(message, whatsapp, wording);
  if ("kind" in filled) return filled;
  const envelope = envelopeOf(message, reportUrl);
  if ("kind" in envelope) return envelope;
  const { header } = message;
  // Infobip wants a payload for every quick reply; WhatsApp's own is the button's text.
  const replies = (message.buttons ?? []).flatMap((button, index) =>
    button.type === "quick_reply" ? [{ index, type: button.type, value: button.value ?? button.text }] : [],
  );
  const links = filled.buttons.filter(({ type }) => type === "url");
  const buttons = [...replies, ...links]
    .sort((one, other) => one.index - other.index)
    .map(({ type, value }) => ({ type: type === "url" ? "URL" : "QUICK_REPLY", parameter: value }));
  const templateData = {
    body: { placeholders: bodyParameters(whatsapp.variables) },
    ...(header && header.type !== "text" ? { header: mediaHeader(header) } : {}),
    ...(filled.headerText === undefined ? {} : { header: { type: "TEXT", placeholder: filled.headerText } }),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
  const content = { templateName: filled.name, templateData, language: filled.language };
  return { path: "/whatsapp/1/message/template", body: { messages: [{ ...envelope, content }] } };
}

export function sessionRequest(
  message: OutboundMessage,
  reportUrl: string | null,
): InfobipRequest | SendOutcome {
  const layout = sessionLayout(message);
  if ("kind" in layout) return layout;
  const envelope = envelopeOf(message, reportUrl);
  if ("kind" in envelope) return envelope;
  const { body, replies, link } = layout;
  const { header } = message;
  const request = (kind: string, content: object): InfobipRequest => ({
    path: `/whatsapp/1/message/${kind}`,
    body: { ...envelope, content },
  });
  if (replies.length === 0 && !link) {
    if (!header || header.type === "text") return request("text", { text: body });
    const filename = header.type === "document" ? { filename: fileNameOf(header.value) } : {};
    return request(header.type, { mediaUrl: header.value, caption: body, ...filename });
  }
  const around = {
    ...(header
      ? { header: header.type === "text" ? { type: "TEXT", text: header.value } : mediaHeader(header) }
      : {}),
    body: { text: body },
    ...(message.footer ? { footer: { text: message.footer } } : {}),
  };
  return link
    ? request("interactive/url-button", { ...around, action: { displayText: link.text, url: link.value } })
    : request("interactive/buttons", {
        ...around,
        action: { buttons: replies.map((reply) => ({ type: "REPLY", ...reply })) },
      });
}

function mediaHeader(header: { type: string; value: string }): object {
  return {
    type: header.type.toUpperCase(),
    mediaUrl: header.value,
    ...(header.type === "document" ? { filename: fileNameOf(header.value) } : {}),
  };
}

function envelopeOf(message: OutboundMessage, reportUrl: string | null): object | SendOutcome {
  if (message.senderId === undefined) {
    return notTried("failover", "sender_rejected", "The connection has no sender for this region");
  }
  return {
    from: digitsOf(message.senderId),
    to: digitsOf(message.to),
    messageId: message.idempotencyKey,
    ...(reportUrl === null ? {} : { notifyUrl: reportUrl }),
  };
}
