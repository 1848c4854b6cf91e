/** Messages from recipients, from the provider's report to the stored form. Pure. */
import type { InboundMessage } from "../adapters/adapter.ts";
import { presentNumber } from "../kernel/address.ts";

/** The longest text that is stored, UTF-8 bytes; providers' own limits are far below. */
export const maxInboundTextBytes = 65_536;
const maxIdLength = 255;
const maxAddressLength = 320;
const maxKindLength = 64;
const maxButtonLength = 1_024;

export interface CleanInbound {
  providerMessageId: string;
  channel: InboundMessage["channel"];
  /** The recipient's address. */
  address: string;
  /** Our sender that it was sent to. */
  ownAddress: string;
  text: string;
  kind: string | null;
  button: { payload: string; text: string } | null;
  optOut: "stop" | "start" | "help" | null;
  /** The provider's id of the message that it answers. */
  repliesTo: string | null;
  at: Date;
}

/** Null for what cannot be a message: without an id or without an address. */
export function cleanInbound(message: InboundMessage, now: Date): CleanInbound | null {
  const providerMessageId = cut(storable(message.providerMessageId), maxIdLength);
  const address = senderAddress(message);
  if (providerMessageId === "" || address === "") return null;
  const at = message.at?.getTime() ?? NaN;
  return {
    providerMessageId,
    channel: message.channel,
    address,
    ownAddress: cleanAddress(message.channel, message.to),
    text: cutToBytes(storable(message.text), maxInboundTextBytes),
    kind: message.kind === undefined ? null : cut(storable(message.kind), maxKindLength),
    button: message.button
      ? {
          payload: cut(storable(message.button.payload), maxButtonLength),
          text: cut(storable(message.button.text), maxButtonLength),
        }
      : null,
    optOut: message.optOut ?? null,
    repliesTo: message.repliesTo === undefined ? null : cut(storable(message.repliesTo), maxIdLength),
    // A provider's clock may be wrong; no message is dated in the future.
    at: new Date(Math.min(Number.isNaN(at) ? Infinity : at, now.getTime())),
  };
}

/** Who wrote: the address that our messages to them go to. */
export const senderAddress = ({ channel, from }: Pick<InboundMessage, "channel" | "from">): string =>
  presentNumber(cleanAddress(channel, from));

/** E-mail in lower case, numbers as E.164 with "+"; short codes and names as they are. */
export function cleanAddress(channel: InboundMessage["channel"], address: string): string {
  const text = cut(storable(address).trim(), maxAddressLength);
  if (channel === "email") return text.toLowerCase();
  const digits = text.replace(/^whatsapp:/i, "").replaceAll(/[\s().-]/g, "");
  // E.164 numbers have 7 to 15 digits; a short code has fewer.
  if (/^\+?[1-9]\d{6,14}$/.test(digits)) return digits.startsWith("+") ? digits : `+${digits}`;
  return text;
}

/** Postgres stores no NUL, and half a surrogate pair is not UTF-8. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** At most `length` UTF-16 units, never half a pair. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes;
  // A byte of the form 10xxxxxx continues a character.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--;
  return encoded.subarray(0, end).toString();
}
