import { parseMailbox } from "../adapters/email-message.ts";
import type { SenderIdentity } from "./schemas.ts";

const e164 = /^\+[1-9]\d{6,14}$/;
const shortCode = /^\d{3,8}$/;
/** What networks accept as a sender: up to 11 characters of plain GSM 7-bit, at least one of them a letter. */
const alphanumeric = /^(?=.*[A-Za-z])[A-Za-z0-9 &._+-]{1,11}$/;

/** What is wrong with a sender, in words for the user; null: nothing. */
export function senderProblem({
  channel,
  sender,
}: Pick<SenderIdentity, "channel" | "sender">): string | null {
  switch (channel) {
    case "sms":
      return e164.test(sender) ||
        shortCode.test(sender) ||
        (alphanumeric.test(sender) && sender.trim() === sender)
        ? null
        : "A number with country code such as +4915112345678, a short code of 3 to 8 digits, or a name of at most 11 letters and digits";
    case "whatsapp":
      return e164.test(sender) ? null : "The number with its country code, such as +4915112345678";
    case "email":
      return parseMailbox(sender.startsWith("*@") ? sender.slice(1).replace("@", "any@") : sender)
        ? null
        : "An address such as shop@example.com, a name and an address such as Shop <shop@example.com>, or *@example.com for every address of a domain";
  }
}
