import { isPossiblePhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { Channel } from "./channel.ts";
import { erasedText } from "./erased.ts";

const e164 = /^\+[1-9]\d{6,14}$/;
// The addresses that mail servers accept in practice: RFC 5321 dot-string or quoted-free local part, and a host name.
const email =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * The address in the form in which it is stored and compared (E.164; e-mail in lower case), or null when nothing can be
 * delivered to it. Mail servers may distinguish local parts by case (RFC 5321 §2.4), but hardly any does, and a
 * suppressed or opted-out person must not be reached by another spelling.
 */
export function normalizeAddress(channel: Channel, address: string): string | null {
  if (channel === "email") {
    const at = address.lastIndexOf("@");
    if (at < 1 || at > 64 || address.length > 254 || !email.test(address)) return null;
    return address.toLowerCase();
  }
  return e164.test(address) && isPossiblePhoneNumber(address) ? address : null;
}

/** Normalises a search term: addresses are stored normalised. */
export function normalizeSearch(text: string): string {
  const trimmed = text.trim();
  return (
    normalizeAddress(
      trimmed.includes("@") ? "email" : "sms",
      trimmed.includes("@") ? trimmed : trimmed.replaceAll(/[\s()-]/g, ""),
    ) ?? trimmed
  );
}

/** ISO 3166-1 country of a phone number; null when it has none or is not known. */
export function phoneCountry(address: string): string | null {
  return parsePhoneNumberFromString(address)?.country ?? null;
}

/** An address as Spellings takes it. */
export function spelled(address: string): { address: string; callingCode?: number } {
  const code = address.includes("@") ? undefined : parsePhoneNumberFromString(address)?.countryCallingCode;
  return code === undefined ? { address } : { address, callingCode: code.length };
}

/** An address with its middle hidden, for callers that may not see it. */
export function maskAddress(address: string): string {
  if (address === erasedText) return address;
  const at = address.indexOf("@");
  if (at > 0) return `${address.slice(0, 1)}•••${address.slice(at)}`;
  return address.length > 6 ? `${address.slice(0, 3)}•••${address.slice(-2)}` : "•••";
}
