import { defaultRetrySchedule } from "./schemas.ts";

/**
 * Milliseconds until the next attempt, or null when the schedule is used up.
 * @param schedule seconds before each attempt, including the first; empty: the default
 * @param made attempts made under this schedule, including the failed one
 * @param retryAfter the receiver's Retry-After, in ms; followed between one and two times the scheduled delay, so that
 * no receiver can rush us or postpone us for ever
 * @param random a number in [0, 1): the jitter, ±20%
 */
export function nextDelay(
  schedule: readonly number[],
  made: number,
  retryAfter: number | null,
  random: number,
): number | null {
  const seconds = (schedule.length > 0 ? schedule : defaultRetrySchedule)[made];
  if (seconds === undefined) return null;
  const delay = seconds * 1_000;
  if (retryAfter !== null) return Math.round(Math.min(Math.max(retryAfter, delay), 2 * delay));
  return Math.round(delay * (0.8 + 0.4 * random));
}

/** A `Retry-After` header in ms from `now`: seconds or an HTTP date (RFC 9110 §10.2.3); null when it is neither. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
