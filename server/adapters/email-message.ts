/**
 * What an e-mail may consist of, and the bytes that SMTP carries. Nothing that comes from a template variable, an
 * address book or an application can add a header, a recipient or a line of its own, whichever protocol carries it.
 */
import { domainToASCII } from "node:url";
import DKIM from "nodemailer/lib/dkim";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Attachment, FailureCode, OutboundMessage } from "./adapter.ts";

export type Mailbox = { name: string; address: string };

/** An e-mail of which every part is fit to be handed over: one recipient, single lines, no header that is not ours to set. */
export type CheckedEmail = {
  from: Mailbox;
  to: string;
  replyTo: Mailbox | null;
  subject: string;
  /** At least one of the two is there. */
  text?: string;
  html?: string;
  headers: { key: string; value: string }[];
  attachments: Attachment[];
};

export type ComposedEmail = {
  from: string;
  to: string;
  /** With angle brackets; the same for every attempt, so that a mail store recognises a repetition. */
  messageId: string;
  raw: Buffer;
};

/** Why a message cannot be composed, in the vocabulary of SendOutcome. */
export type EmailProblem = { retry: "never" | "failover"; code: FailureCode; detail: string; unasked: true };

export type DkimKey = { domain: string; selector: string; privateKey: string };

/** One mailbox without display name: no control characters, lists, groups, quotes, routes or comments. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,255}$/u;
const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,75}$/;
/** Fields that the message, the envelope or the signature own. */
const RESERVED_HEADERS =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|return-path|received|dkim-signature|resent-.*|authentication-results)$/i;

/** Every e-mail passes through here: its cleaned parts, or why it cannot be sent. */
export function checkEmail(message: OutboundMessage): CheckedEmail | EmailProblem {
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
  return {
    from,
    to: asciiAddress(message.to),
    replyTo,
    subject: oneLine(message.subject ?? ""),
    ...(message.text ? { text: message.text } : {}),
    ...(message.html ? { html: message.html } : {}),
    headers,
    attachments: (message.attachments ?? []).map((attachment) => ({
      filename: oneLine(attachment.filename).replaceAll(/[/\\]/g, "_"),
      contentType: /^[\w.+-]+\/[\w.+-]+$/.test(attachment.contentType)
        ? attachment.contentType
        : "application/octet-stream",
      content: attachment.content,
    })),
  };
}

/** The message as MIME, signed when a key is given. */
export async function composeEmail(
  message: OutboundMessage,
  dkim?: DkimKey,
): Promise<ComposedEmail | EmailProblem> {
  const email = checkEmail(message);
  if (!("from" in email)) return email;
  const messageId = `<${message.notificationId}@${domainOf(email.from.address)}>`;
  const node = new MailComposer({
    from: email.from,
    to: { name: "", address: email.to },
    ...(email.replyTo ? { replyTo: email.replyTo } : {}),
    subject: email.subject,
    ...(email.text === undefined ? {} : { text: email.text }),
    ...(email.html === undefined ? {} : { html: email.html }),
    headers: email.headers,
    messageId,
    attachments: email.attachments,
    newline: "\r\n",
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const raw = await node.build();
  const signed = dkim ? await sign(raw, dkim) : raw;
  return { from: email.from.address, to: email.to, messageId, raw: signed };
}

/**
 * `address`, `Name <address>` or `"Name" <address>`, the quoted name as RFC 5322 escapes it; null when it is anything
 * else, several addresses included.
 */
export function parseMailbox(text: string): Mailbox | null {
  // Trimmed here and not in the patterns: those would try every way to share out a long run of spaces.
  const said = text.trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*<([^<>]*)>$/su.exec(said);
  const plain = quoted ? null : /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/u.exec(said);
  const address = (quoted?.[2] ?? plain?.[2] ?? plain?.[3] ?? "").trim();
  if (!ADDRESS.test(address)) return null;
  const name = quoted?.[1]?.replace(/\\(.)/gsu, "$1") ?? plain?.[1] ?? "";
  return { name: oneLine(name), address: asciiAddress(address) };
}

/** A mailbox as one text, for providers that take no other form: the name always quoted (RFC 5322, 3.2.4). */
export function formatMailbox({ name, address }: Mailbox): string {
  return name === "" ? address : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;
}

/** @param bytes what is sent to the provider; @param most what it takes, both in bytes */
export function sizeProblem(bytes: number, most: number, provider: string): EmailProblem | null {
  if (bytes <= most) return null;
  const has = (Math.ceil(bytes / 100_000) / 10).toFixed(1);
  const takes = (most / 1_000_000).toFixed(0);
  const detail = `The message with its attachments has ${has} MB encoded, and ${provider} takes ${takes} MB`;
  return problem("failover", "message_too_large", detail);
}

function problem(retry: EmailProblem["retry"], code: FailureCode, detail: string): EmailProblem {
  return { retry, code, detail, unasked: true };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function extraHeaders(given: Record<string, string>): { key: string; value: string }[] | null {
  const headers = Object.entries(given).map(([key, value]) => ({ key, value: oneLine(value) }));
  return headers.every(({ key }) => HEADER_NAME.test(key) && !RESERVED_HEADERS.test(key)) ? headers : null;
}

/** With the domain in the form that DNS knows: not every provider converts it. */
function asciiAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const ascii = /[^\x21-\x7e]/.test(domain) ? domainToASCII(domain) : "";
  return ascii === "" ? address : `${address.slice(0, at)}@${ascii}`;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/**
 * What a signature covers: what RFC 6376 (5.4.1) and RFC 8058 (4) name. Mailboxes show their button for one click only when
 * both List-Unsubscribe fields are signed. A field that is not there is not named.
 */
const SIGNED_FIELDS = [
  "from:sender:reply-to:subject:date:message-id:to:cc",
  "mime-version:content-type:content-transfer-encoding:content-id:content-description",
  "resent-date:resent-from:resent-sender:resent-to:resent-cc:resent-message-id:in-reply-to:references",
  "list-id:list-help:list-unsubscribe:list-unsubscribe-post:list-subscribe:list-post:list-owner:list-archive",
].join(":");

async function sign(raw: Buffer, { domain, selector, privateKey }: DkimKey): Promise<Buffer> {
  const signer = new DKIM({
    domainName: domain,
    keySelector: selector,
    privateKey,
    headerFieldNames: SIGNED_FIELDS,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of signer.sign(raw)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
