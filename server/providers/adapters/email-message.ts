/**
 * Turns a message into the bytes that SMTP carries. Nothing that comes from a template variable, an
 * address book or an application can add a header, a recipient or a line of its own.
 */
import { domainToASCII } from "node:url";
import DKIM from "nodemailer/lib/dkim";
import MailComposer from "nodemailer/lib/mail-composer";
import type { OutboundMessage } from "./adapter.ts";
import type { SmtpCredentials, SmtpSettings } from "./smtp/schemas.ts";

export type ComposedEmail = {
  from: string;
  to: string;
  /** With angle brackets; the same for every attempt, so that a mail store can tell a repetition. */
  messageId: string;
  raw: Buffer;
};

/** Why a message cannot be composed, in the vocabulary of SendOutcome. */
export type EmailProblem = { retry: "never" | "failover"; code: string; detail: string };

type Mailbox = { name: string; address: string };

/** One mailbox without display name: no control characters, lists, groups, quotes, routes or comments. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,255}$/u;
const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,75}$/;
/** Fields that the message, the envelope or the signature own. */
const RESERVED_HEADERS =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|return-path|received|dkim-signature|resent-.*|authentication-results)$/i;

export async function composeEmail(
  message: OutboundMessage,
  settings: SmtpSettings,
  credentials: SmtpCredentials,
): Promise<ComposedEmail | EmailProblem> {
  if (!ADDRESS.test(message.to)) return problem("never", "invalid_recipient", "Not one e-mail address");
  const from = parseMailbox(message.senderId ?? "");
  if (!from) return problem("failover", "sender_rejected", "The connection has no valid e-mail sender");
  const replyTo = message.replyTo === undefined ? null : parseMailbox(message.replyTo);
  if (message.replyTo !== undefined && !replyTo) {
    return problem("never", "invalid_message", "The reply-to is not one e-mail address");
  }
  if (!message.text && !message.html) {
    return problem("never", "invalid_message", "The message has neither a text nor an HTML part");
  }
  const headers = extraHeaders(message.headers ?? {});
  if (!headers) return problem("never", "invalid_message", "An extra header field is not allowed");

  const messageId = `<${message.notificationId}@${asciiDomain(from.address)}>`;
  const node = new MailComposer({
    from,
    to: { name: "", address: message.to },
    ...(replyTo ? { replyTo } : {}),
    subject: oneLine(message.subject ?? ""),
    ...(message.text ? { text: message.text } : {}),
    ...(message.html ? { html: message.html } : {}),
    headers,
    messageId,
    attachments: (message.attachments ?? []).map((attachment) => ({
      filename: oneLine(attachment.filename).replaceAll(/[/\\]/g, "_"),
      contentType: /^[\w.+-]+\/[\w.+-]+$/.test(attachment.contentType)
        ? attachment.contentType
        : "application/octet-stream",
      content: attachment.content,
    })),
    newline: "\r\n",
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const raw = await node.build();
  const signed =
    settings.dkim && credentials.dkimPrivateKey
      ? await sign(raw, settings.dkim, credentials.dkimPrivateKey)
      : raw;
  return { from: from.address, to: message.to, messageId, raw: signed };
}

/** `address` or `Name <address>`; null when it is anything else, several addresses included. */
export function parseMailbox(text: string): Mailbox | null {
  const match = /^\s*(?:(.*?)\s*<([^<>]*)>|([^<>]*?))\s*$/su.exec(text);
  const address = (match?.[2] ?? match?.[3] ?? "").trim();
  if (!ADDRESS.test(address)) return null;
  const name = oneLine(match?.[1] ?? "").replace(/^"(.*)"$/u, "$1");
  return { name, address };
}

function problem(retry: EmailProblem["retry"], code: string, detail: string): EmailProblem {
  return { retry, code, detail };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function extraHeaders(given: Record<string, string>): { key: string; value: string }[] | null {
  const headers = Object.entries(given).map(([key, value]) => ({ key, value: oneLine(value) }));
  return headers.every(({ key }) => HEADER_NAME.test(key) && !RESERVED_HEADERS.test(key)) ? headers : null;
}

function asciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return domainToASCII(domain) || "localhost";
}

async function sign(
  raw: Buffer,
  dkim: { domain: string; selector: string },
  privateKey: string,
): Promise<Buffer> {
  const signer = new DKIM({ domainName: dkim.domain, keySelector: dkim.selector, privateKey });
  const chunks: Buffer[] = [];
  for await (const chunk of signer.sign(raw)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
