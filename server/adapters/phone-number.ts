import { isUserId } from "../kernel/user-id.ts";

/** Phone numbers between us (E.164 with "+") and providers that write them without it. */

/** An E.164 number as such providers want it. */
export function digitsOf(e164: string): string {
  return e164.startsWith("+") ? e164.slice(1) : e164;
}

/** The E.164 number that a provider wrote with or without "+" and separators; null when it is none. */
export function e164Of(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 40) return null;
  const digits = value.replace(/^\+/, "").replace(/[ ()./-]/g, "");
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null;
}

/** A business-scoped user id of WhatsApp as a provider wrote it; null when it is none. */
export function userIdOf(value: unknown): string | null {
  return typeof value === "string" && value.length <= 140 && isUserId(value) ? value : null;
}

/** Who a person on WhatsApp is: the address by which we know them, and what else the provider calls them. */
export function personOf(number: unknown, ...ids: unknown[]): { address: string; sameAs: string[] } | null {
  const named = [e164Of(number), userIdOf(number), ...ids.map(userIdOf)].filter((name) => name !== null);
  const [address, ...sameAs] = new Set(named);
  return address === undefined ? null : { address, sameAs };
}

/** What a receipt says of its recipient: their names, where there is more to them than a number. */
export function recipientNames(person: ReturnType<typeof personOf>): { sameAs?: string[] } {
  if (!person) return {};
  const sameAs = [person.address, ...person.sameAs];
  return sameAs.some(isUserId) ? { sameAs } : {};
}

/** A sender as a provider wrote it: a number becomes E.164, a short code or a name stays; empty when it is no text. */
export function senderOf(value: unknown): string {
  return e164Of(value) ?? (typeof value === "string" ? value.slice(0, 40) : "");
}
