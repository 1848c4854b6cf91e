import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextDelay, parseRetryAfter } from "./retry-schedule.ts";
import { defaultRetrySchedule } from "./schemas.ts";

describe("the retry schedule", () => {
  it("is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h after the first attempt unless the endpoint has its own", () => {
    const delays = Array.from({ length: 10 }, (_, index) => nextDelay([], index + 1, null, 0.5));
    const [minute, hour] = [60_000, 3_600_000];
    expect(delays).toEqual([
      5_000,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      null,
    ]);
    expect(nextDelay([0, 7], 1, null, 0.5)).toBe(7_000);
    expect(nextDelay([0, 7], 2, null, 0.5)).toBeNull();
    expect(nextDelay([0], 1, null, 0.5)).toBeNull();
  });

  it("varies every delay by at most 20 % and follows a Retry-After between one and two times the delay", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 1_000_000_000 }),
        (made, random, asked) => {
          const delay = (defaultRetrySchedule[made] ?? 0) * 1_000;
          const jittered = nextDelay([], made, null, random) ?? -1;
          expect(jittered).toBeGreaterThanOrEqual(Math.floor(delay * 0.8));
          expect(jittered).toBeLessThanOrEqual(Math.ceil(delay * 1.2));
          const followed = nextDelay([], made, asked, random) ?? -1;
          expect(followed).toBe(Math.min(Math.max(asked, delay), 2 * delay));
        },
      ),
    );
  });

  it("reads Retry-After as seconds or as a date, and nothing else", () => {
    const now = new Date("2026-11-20T10:00:00Z");
    expect(parseRetryAfter("120", now)).toBe(120_000);
    expect(parseRetryAfter("Fri, 20 Nov 2026 10:01:00 GMT", now)).toBe(60_000);
    expect(parseRetryAfter("Fri, 20 Nov 2026 09:00:00 GMT", now)).toBe(0);
    for (const text of ["", "-5", "1.5", "soon", "2026-11-20", "99999999999999"]) {
      expect(parseRetryAfter(text, now), text).toBeNull();
    }
    expect(parseRetryAfter(undefined, now)).toBeNull();
  });
});
