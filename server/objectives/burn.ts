import { burnRules } from "./schemas.ts";

/** What a time came to. */
export interface Measured {
  good: number;
  missed: number;
  /** Milliseconds without any web process, of the `lengthMs` of the time. */
  downMs: number;
  lengthMs: number;
}

/**
 * The share that was good; null: nothing was measured. Nobody knows what would have been asked while no process was there: that time
 * counts as if it had had its part of the requests, all of them missed.
 */
export function shareOf({ good, missed, downMs, lengthMs }: Measured): number | null {
  const all = good + missed;
  if (all === 0 && downMs === 0) return null;
  const up = lengthMs > 0 ? 1 - Math.min(downMs, lengthMs) / lengthMs : 1;
  return (all === 0 ? 1 : good / all) * up;
}

/** How many times faster than a target (percent) allows the budget was used; null: nothing was measured. */
export function burnOf(measured: Measured, target: number): number | null {
  const share = shareOf(measured);
  return share === null ? null : (1 - share) / (1 - target / 100);
}

export type Minutes = 5 | 30 | 60 | 360;
export type Windows = Record<Minutes, Measured>;

/** How fast the budget burns now; null: not too fast, or too little was measured to say so. */
export function burningNow(
  windows: Windows,
  target: number,
): { speed: "fast" | "slow"; burn: number } | null {
  for (const speed of ["fast", "slow"] as const) {
    const { times, long, short } = burnRules[speed];
    const { good, missed, downMs } = windows[long];
    const burn = burnOf(windows[long], target) ?? 0;
    const means =
      (missed >= burnRules.leastMissed && good + missed >= burnRules.leastEvents) ||
      downMs >= burnRules.leastDownMs;
    if (means && burn >= times && (burnOf(windows[short], target) ?? 0) >= times) return { speed, burn };
  }
  return null;
}

/**
 * Whether half an hour has passed in which the budget burned no faster than it may. Not merely whether it burns too fast no more: where
 * few requests are made, minutes without a miss come and go while nothing is better.
 */
export function hasRecovered(windows: Windows, target: number): boolean {
  return burningNow(windows, target) === null && (burnOf(windows[30], target) ?? 0) <= 1;
}
