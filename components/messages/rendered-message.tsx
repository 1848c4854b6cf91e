"use client";

import { MailFrame } from "./frames/mail-frame.tsx";
import { SmsFrame } from "./frames/sms-frame.tsx";
import { WhatsappFrame } from "./frames/whatsapp-frame.tsx";

export type Rendered = {
  channel: string;
  /** When it was sent, ISO 8601; now without it. */
  at?: string | null;
  /** Sender as the recipient sees it: number, name or address. */
  from?: string | null;
  /** E-mail: the name beside the address. */
  fromName?: string | null;
  replyTo?: string | null;
  subject?: string | null;
  /** Plain text of an SMS or WhatsApp message, or the text part of a mail. */
  text?: string | null;
  html?: string | null;
  /** SMS: the text in pieces, those that another version does not have marked. */
  compared?: { pieces: readonly { text: string; changed: boolean }[]; tone: "added" | "removed" };
  attachments?: readonly { url: string; filename: string }[] | null;
  /** WhatsApp: what stands around the text. */
  header?: { type: "text" | "image" | "video" | "document"; value: string } | null;
  footer?: string | null;
  buttons?: readonly { type: "quick_reply" | "url" | "phone"; text: string; value?: string }[] | null;
};

/** A message as its recipient sees it: a mail in its window, or a phone with a text or WhatsApp message. */
export function RenderedMessage({ message, className }: { message: Rendered; className?: string }) {
  if (message.channel === "email") return <MailFrame message={message} className={className} />;
  if (message.channel === "whatsapp") return <WhatsappFrame message={message} className={className} />;
  return <SmsFrame message={message} className={className} />;
}
