/** Small readers of what providers answer, shared by the adapters. */

const MAX_LENGTH = 500;

/**
 * A provider's own words, fit to be stored and shown: one line, bounded, without addresses (an error text
 * often repeats the recipient, and that copy would survive an erasure).
 */
export function providerText(text: string): string {
  return text
    .slice(0, 4 * MAX_LENGTH)
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .replace(/(?<![^\s<>"'(),:;])[^\s<>"'(),:;@]+@[^\s<>"'(),:;]+/g, "[address]")
    .replace(/\+?\d[\d ()/-]{5,}\d/g, (match) => (match.replace(/\D/g, "").length < 7 ? match : "[number]"))
    .trim()
    .slice(0, MAX_LENGTH)
    .toWellFormed();
}

/** `Retry-After` as milliseconds, at most one hour: seconds or an HTTP date; undefined when unreadable. */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, 3_600_000) : undefined;
}

/** An object out of a JSON answer; null for anything else. */
export function jsonObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
