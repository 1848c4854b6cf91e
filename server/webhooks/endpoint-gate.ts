import { oldestCall, SlotGate } from "../kernel/slot-gate.ts";
import type { Traffic } from "../kernel/slot-gate.ts";

/** Calls open at once to an endpoint that answers well, and to one that is slow, failing or unknown. */
export const inFlightLimit = { proven: 10, unproven: 2 } as const;
/** An endpoint is slow from here on. */
const slowMs = 1_000;

/**
 * Decides, for this process, which endpoint may be called now. `maxOpen`: calls open at once to all endpoints together;
 * `maxWaiting`: how many deliveries may wait in their slots for an endpoint at once, each for `patienceMs`.
 */
export function endpointGate(options: {
  maxOpen: number;
  maxWaiting: number;
  patienceMs: number;
}): SlotGate<{ id: string }> {
  const { maxOpen, maxWaiting, patienceMs } = options;
  return new SlotGate({
    assumedDuration: 20,
    newestWeight: 0.3,
    limit: (_, traffic, now) => limitOf(traffic, now),
    hasSharedSlot: (_, traffic, inFlight) => inFlight < maxOpen,
    mayWait: (_, traffic, expectedMs, now) => !isSlow(traffic, now) && expectedMs <= patienceMs,
    maxWaiting,
    patienceMs,
    sharedPatienceMs: patienceMs,
    spacing: (_, traffic, now) => spacingOf(traffic, now),
    horizonMs: 120_000,
  });
}

/** What to expect of a call: an answer at once, a long wait, or no idea yet. */
export function paceOf(traffic: Traffic, now: number): "quick" | "slow" | "unknown" {
  if (isSlow(traffic, now)) return "slow";
  return traffic.succeeded === true ? "quick" : "unknown";
}

/** Slow on average, or right now: its oldest open call has been waiting for too long. */
function isSlow(traffic: Traffic, now: number): boolean {
  return traffic.duration >= slowMs || now - (oldestCall(traffic) ?? now) >= slowMs;
}

function limitOf(traffic: Traffic, now: number): number {
  return traffic.succeeded === true && !isSlow(traffic, now) ? inFlightLimit.proven : inFlightLimit.unproven;
}

function spacingOf(traffic: Traffic, now: number): number {
  const slow = isSlow(traffic, now);
  // An unknown endpoint is expected to answer well until its first answer.
  const limit = traffic.succeeded === undefined && !slow ? inFlightLimit.proven : limitOf(traffic, now);
  const expected = slow ? Math.max(slowMs, traffic.duration) : traffic.duration;
  // A little faster than it was, so that a slot that is free does not stay empty.
  return Math.max(1, (expected / limit) * 0.9);
}
