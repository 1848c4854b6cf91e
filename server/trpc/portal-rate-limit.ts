import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "../kernel/errors.ts";

/** Calls of one person a minute, in each web process: twenty a second, more than any page makes. */
export const portalCallsPerMinute = 1_200;

const limiter = new RateLimiterMemory({ keyPrefix: "portal", points: portalCallsPerMinute, duration: 60 });

/**
 * Counts calls of a person over all of their sessions. Throws `rate_limited` with the seconds to wait. The counts of
 * the last minute are in memory, so each further process allows as many again.
 */
export async function countPortalCalls(userId: string, calls: number): Promise<void> {
  try {
    await limiter.consume(userId, calls);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new DomainError("rate_limited", "You are asking for more than this service answers a minute.", {
      retryAfter,
    });
  }
}
