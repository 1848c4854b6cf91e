import { domainToASCII, domainToUnicode } from "node:url";
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { Channel } from "./channel.ts";
import { erasedText } from "./erased.ts";
import { isUserId } from "./user-id.ts";

const e164 = /^\+[1-9]\d{6,14}$/;
// The addresses that mail servers accept in practice: RFC 5321 dot-string or quoted-free local part, and a host name.
const email =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// RFC 6531: letters, marks and digits of every script besides.
const localPart =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\p{L}\p{M}\p{N}-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\p{L}\p{M}\p{N}-]+)*$/u;
const domainLetters = /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]{1,253}$/u;
const beyondAscii = /[^\p{ASCII}]/u;

/**
 * A number (E.164) as it is dialled now: mobile numbers of Mexico have had no 1 behind the country code since 2019, but WhatsApp still
 * writes it there, and somebody is to be the same person with and without.
 */
export const presentNumber = (number: string): string => number.replace(/^\+521(?=\d{10}$)/, "+52");

/** A number and how it may have been kept before presentNumber() was applied to who writes. */
export const withFormer = (address: string): string[] =>
  /^\+52\d{10}$/.test(address) ? [address, address.replace("+52", "+521")] : [address];

/**
 * The address in the form in which it is stored and compared (E.164; e-mail in lower case, its domain as DNS has it, `xn--…`; on
 * WhatsApp also a business-scoped user id, as it is), or null when nothing can be delivered to it. Mail servers may distinguish local parts by case (RFC 5321 §2.4), but hardly any does, and a
 * suppressed or opted-out person must not be reached by another spelling.
 */
export function normalizeAddress(channel: Channel, address: string): string | null {
  return locateAddress(channel, address)?.address ?? null;
}

/** As normalizeAddress, with the ISO 3166-1 country that phoneCountry() gives; null for an e-mail address. */
export function locateAddress(
  channel: Channel,
  address: string,
): { address: string; country: string | null } | null {
  if (channel === "email") {
    const at = address.lastIndexOf("@");
    if (at < 1 || at > 64 || address.length > 254) return null;
    if (email.test(address)) return { address: address.toLowerCase(), country: null };
    const international = beyondAscii.test(address) ? internationalMail(address, at) : null;
    return international === null ? null : { address: international, country: null };
  }
  if (channel === "whatsapp" && isUserId(address)) return { address, country: phoneCountry(address) };
  if (!e164.test(address)) return null;
  const present = presentNumber(address);
  const number = parsePhoneNumberFromString(present);
  return number?.isPossible() ? { address: present, country: number.country ?? null } : null;
}

/** An e-mail address with letters beyond ASCII, in small letters, its domain as DNS has it; null when it is none. */
function internationalMail(address: string, at: number): string | null {
  const local = address.slice(0, at).normalize("NFC").toLowerCase().normalize("NFC");
  const typed = address.slice(at + 1);
  const domain = domainLetters.test(typed) ? domainToASCII(typed).toLowerCase() : "";
  const labels = domainToUnicode(domain).split(".");
  if (labels.some((label) => label.startsWith("-") || label.endsWith("-"))) return null;
  // Numbers in other scripts would become an IP address.
  if (!hostName.test(domain) || !/[a-z]/.test(domain) || !localPart.test(local)) return null;
  const whole = `${local}@${domain}`;
  return Buffer.byteLength(local) <= 64 && Buffer.byteLength(whole) <= 254 ? whole : null;
}

/** Whether only mail servers with SMTPUTF8 (RFC 6531) take it: there are letters beyond ASCII before the @. */
export function needsUtf8(address: string): boolean {
  return beyondAscii.test(address.slice(0, address.lastIndexOf("@")));
}

/** An address as people write it: the domain of an e-mail address in its own letters. */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0 || !address.includes("xn--", at)) return address;
  const domain = domainToUnicode(address.slice(at + 1));
  return domain === "" ? address : `${address.slice(0, at)}@${domain}`;
}

/** As normalizeAddress, of what somebody typed without saying on which channel. */
export function readAddress(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.includes("@")) return normalizeAddress("email", trimmed);
  if (!trimmed.startsWith("+")) return normalizeAddress("whatsapp", trimmed.replaceAll(/[\s()-]/g, ""));
  return numberForms(trimmed)[0] ?? null;
}

/** A number as people write and copy it: digits with what is put between them. */
const written = /^\+?[\d\s()./\u2010-\u2013-]{1,60}$/;

/** The digits of a text that is written like a phone number, or null when it is none. */
export function digitsOf(text: string): string | null {
  return written.test(text) ? text.replaceAll(/\D/g, "") : null;
}

/**
 * The numbers (E.164) that a text may mean: with +, 00 or nothing before the country code, or as it is dialled in one of these
 * regions (ISO 3166-1; others are left out), with anything between the digits that people put there. Without + or 00 it is a guess,
 * and only numbers that are given out in that country are among them.
 */
export function numberForms(text: string, regions: readonly string[] = []): string[] {
  const trimmed = text.trim();
  const digits = digitsOf(trimmed);
  if (digits === null || digits.length < 4 || digits.length > 20) return [];
  const found = new Set<string>();
  const international = trimmed.startsWith("+") ? digits : digits.startsWith("00") ? digits.slice(2) : null;
  if (international !== null) {
    const number = parsePhoneNumberFromString(presentNumber(`+${international}`));
    if (number?.isPossible() && e164.test(number.number)) found.add(number.number);
    return [...found];
  }
  const guesses = [parsePhoneNumberFromString(presentNumber(`+${digits}`))];
  for (const region of new Set(regions)) {
    if (isSupportedCountry(region)) guesses.push(parsePhoneNumberFromString(digits, region));
  }
  for (const guess of guesses) if (guess?.isValid() && e164.test(guess.number)) found.add(guess.number);
  return [...found];
}

/** What is wrong with an address that is none, for whoever wrote it. */
export function addressHint(channel?: Channel): string {
  if (channel === "email") return "This is not an e-mail address.";
  const number = "a phone number in international form, like +4915112345678";
  if (channel === "sms") return `This is not ${number}.`;
  if (channel === "whatsapp")
    return `This is neither ${number}, nor a WhatsApp user id, like US.13491208655302741918.`;
  return "An e-mail address, a number with its country code, e.g. +4915112345678, or a WhatsApp user id";
}

/** What addresses are compared with in a search for one, as they are stored: numbers as numberForms() reads them. At least one. */
export function addressForms(text: string, regions: readonly string[] = []): string[] {
  const trimmed = text.trim();
  const whole = readAddress(trimmed);
  if (whole !== null) return [whole];
  const numbers = numberForms(trimmed, regions);
  return numbers.length > 0 ? numbers : [trimmed];
}

/** What a number begins with, as numbers are stored, or null for a text that is no beginning of one. */
export function numberBeginning(text: string, regions: readonly string[] = []): string | null {
  const [whole] = numberForms(text, regions);
  if (whole !== undefined) return whole;
  const trimmed = text.trim();
  const digits = digitsOf(trimmed);
  if (digits === null) return null;
  if (trimmed.startsWith("+")) return `+${digits}`;
  return digits.startsWith("00") ? `+${digits.slice(2)}` : null;
}

/** The likeliest of addressForms(). */
export function normalizeSearch(text: string, regions: readonly string[] = []): string {
  return addressForms(text, regions)[0] ?? text.trim();
}

/** ISO 3166-1 country of a phone number or a user id, which begins with its person's; null when it has none or is not known. */
export function phoneCountry(address: string): string | null {
  if (isUserId(address)) return address.slice(0, 2);
  return parsePhoneNumberFromString(address)?.country ?? null;
}

/** An address as Spellings takes it. */
export function spelled(address: string): { address: string; callingCode?: number } {
  const code =
    address.includes("@") || isUserId(address)
      ? undefined
      : parsePhoneNumberFromString(address)?.countryCallingCode;
  return code === undefined ? { address } : { address, callingCode: code.length };
}

/** An address with its middle hidden, for callers that may not see it. */
export function maskAddress(address: string): string {
  if (address === erasedText) return address;
  const at = address.indexOf("@");
  if (at > 0)
    return `${String.fromCodePoint(address.codePointAt(0) ?? 0)}•••${shownAddress(address).slice(at)}`;
  return address.length > 6 ? `${address.slice(0, 3)}•••${address.slice(-2)}` : "•••";
}
