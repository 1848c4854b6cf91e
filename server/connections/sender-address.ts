/** The normal form in which senders are compared; sender_kind and sender_address do the same in the database. Pure. */
import { parseMailbox } from "../adapters/email-message.ts";
import type { Channel } from "../kernel/channel.ts";

export type SenderKind = "numeric" | "alphanumeric" | "whatsapp" | "email" | "email_domain";

/** The digits of a number, the address of a mailbox, the domain of `*@example.com`; names and mail in lower case. */
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

/** Whether recipients can answer to it, so that it can belong to only one unit. */
export function isAnswered(kind: SenderKind): boolean {
  return kind === "numeric" || kind === "whatsapp";
}
