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

/** A sender as a provider wrote it: a number becomes E.164, a short code or a name stays; empty when it is no text. */
export function senderOf(value: unknown): string {
  return e164Of(value) ?? (typeof value === "string" ? value.slice(0, 40) : "");
}
