/**
 * When a connection counts as unavailable or slow, and how it is tried again. docs/failover.md explains them to users.
 */

const second = 1_000;
const minute = 60 * second;

export const breakerRules = {
  /** This many faults in a row open it … */
  consecutive: 5,
  /** … and this many over at least `sparseOver`, where little is sent. */
  sparse: 3,
  sparseOver: 10 * second,
  /** So does this share of the calls of the last minute, from a minimum on. */
  share: 0.5,
  window: minute,
  minCalls: 20,
} as const;

export const slowRules = {
  window: 5 * minute,
  minCalls: 20,
  /** The share of slow calls from which a connection is slow, and the one below which it no longer is. */
  enter: 0.2,
  leave: 0.05,
  /** How long it stays slow at least: two processes that see different calls must not alternate. */
  dwell: 5 * minute,
} as const;

export const probeRules = {
  /** The pause before the first probe; it doubles with each failure. */
  firstPause: 5 * second,
  longestPause: 5 * minute,
  /** The same while messages have no other connection: they wait, so it is asked again soon. */
  longestPauseAlone: 10 * second,
  /**
   * After this many failed probes a message is tried all the same: the probe may fail for reasons that do not affect
   * sending.
   */
  failuresBeforeTrial: 2,
  /** Opening again this soon after closing counts as the same outage. */
  relapse: 10 * minute,
  /** How long a probe's call may take, and for how long one process claims it. */
  timeout: 5 * second,
  lease: 30 * second,
  /** How long a connection is on trial, longer than any call may take; without a fault it then works. */
  trial: 20 * second,
  /**
   * Concurrent messages of one process on trial, and how many that were sent end the trial early, by the result of the
   * probe: it passed; the provider only answered; it did not answer. Where nothing shows that messages will arrive, one
   * goes first.
   */
  trials: {
    full: { slots: 3, successes: 3 },
    careful: { slots: 1, successes: 1 },
    blind: { slots: 1, successes: 1 },
  },
  /** How long a connection that asked to slow down rests at most, whatever the provider says. */
  longestRest: 5 * minute,
  /** How soon after a fault the connection is probed instead of waiting for the next message. */
  suspicion: 5 * second,
} as const;

/**
 * The pause before the next probe after `openings` failures in a row, ms; `random` in [0, 1) spreads it by ±20 %. `alone`:
 * there are messages that no other connection can take.
 */
export function probePause(openings: number, random: number, alone: boolean): number {
  const longest = alone ? probeRules.longestPauseAlone : probeRules.longestPause;
  const pause = Math.min(longest, probeRules.firstPause * 2 ** Math.min(openings - 1, 20));
  return Math.min(longest, Math.round(pause * (0.8 + 0.4 * random)));
}

/**
 * How long calls over a connection rest after the `inARow`-th "too many requests", unless the provider says how long,
 * ms.
 */
export function restAfterBusy(inARow: number): number {
  return Math.min(30 * second, second * 2 ** Math.min(inARow - 1, 10));
}
