/** A sender in the form in which two of them are compared; the database has the same in sender_kind and sender_address. Pure. */
import { parseMailbox } from "../adapters/email-message.ts";
import type { Channel } from "../kernel/channel.ts";

export type SenderKind = "numeric" | "alphanumeric" | "whatsapp" | "email" | "email_domain";

/** Of a number its digits, of a mailbox its address, of `*@example.com` the domain; names and mail in lower case. */
export function senderAddress(channel: Channel, sender: string): { kind: SenderKind; address: string } {
  switch (channel) {
    case "sms":
      return /^\+?\d+$/.test(sender)
        ? { kind: "numeric", address: sender.replace(/^\+/, "") }
        : { kind: "alphanumeric", address: sender.toLowerCase() };
    case "whatsapp":
      return { kind: "whatsapp", address: sender.replace(/^(whatsapp:)?\+?/i, "") };
    case "email":
      if (sender.startsWith("*@")) return { kind: "email_domain", address: sender.slice(2).toLowerCase() };
      return { kind: "email", address: (parseMailbox(sender)?.address ?? sender).toLowerCase() };
  }
}

/** Whether answers come to it, so that it can be one unit's only. */
export function isAnswered(kind: SenderKind): boolean {
  return kind === "numeric" || kind === "whatsapp";
}
