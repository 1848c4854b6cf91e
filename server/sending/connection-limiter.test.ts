import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionLimiter, laneConcurrency } from "./connection-limiter.ts";
import type { ConnectionLimits } from "./connection-limiter.ts";

const start = new Date("2027-03-01T12:00:00Z").getTime();
const connection = (fields: Partial<ConnectionLimits> = {}): ConnectionLimits => ({
  id: "c",
  maxConcurrency: 1_000,
  ratePerSecond: null,
  ...fields,
});

// release() measures a call's duration by the clock, which the tests control.
beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a connection's share", () => {
  it("is never exceeded by a provider that hangs, and the others are served meanwhile", () => {
    const lane = new ConnectionLimiter().lane({ slots: 64 });
    const hanging = connection({ id: "hanging" });
    const healthy = connection({ id: "healthy" });
    let held = 0;
    for (let index = 0; index < 5_000; index++) {
      if (lane.acquire(hanging, start + index).granted) held++;
      const permit = lane.acquire(healthy, start + index);
      expect(permit.granted).toBe(true);
      if (permit.granted) permit.release();
    }
    expect(held).toBe(32);
  });

  it("is the connection's own limit where that is smaller", () => {
    const lane = new ConnectionLimiter().lane({ slots: 64 });
    const small = connection({ maxConcurrency: 3 });
    const granted = Array.from({ length: 10 }, () => lane.acquire(small, start).granted);
    expect(granted.filter(Boolean)).toHaveLength(3);
  });

  it("is free again after the release, once however often it is released", () => {
    const lane = new ConnectionLimiter().lane({ slots: 2 });
    const first = lane.acquire(connection(), start);
    expect(lane.acquire(connection(), start).granted).toBe(false);
    if (first.granted) {
      first.release();
      first.release();
    }
    expect(lane.acquire(connection(), start).granted).toBe(true);
    expect(lane.acquire(connection(), start).granted).toBe(false);
  });

  it("gives those who wait different times, spaced by what the connection can carry", () => {
    const lane = new ConnectionLimiter().lane({ slots: 20 });
    for (let index = 0; index < 10; index++) lane.acquire(connection(), start);
    const times = Array.from({ length: 100 }, () => {
      const permit = lane.acquire(connection(), start);
      return permit.granted ? Number.NaN : permit.retryAt;
    });
    times.forEach((time, index) => {
      expect(time).toBeGreaterThan(times[index - 1] ?? start);
    });
    // 10 slots of 200 ms: fifty a second.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeCloseTo(99 * 20, 0);
  });

  it("learns how long calls take", () => {
    const lane = new ConnectionLimiter().lane({ slots: 20 });
    for (let round = 0; round < 60; round++) {
      const permit = lane.acquire(connection(), Date.now());
      vi.setSystemTime(Date.now() + 2_000);
      if (permit.granted) permit.release();
    }
    const now = Date.now();
    for (let index = 0; index < 10; index++) lane.acquire(connection(), now);
    const times = Array.from({ length: 11 }, () => {
      const permit = lane.acquire(connection(), now);
      return permit.granted ? Number.NaN : permit.retryAt;
    });
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_900);
  });
});

describe("connections that hang", () => {
  const hanging = (index: number) => connection({ id: `hanging ${String(index)}` });
  /** Requests for slots at the same rate; calls over hanging connections do not end. */
  function flow(options: { slots: number; hanging: number; seconds: number }) {
    const lane = new ConnectionLimiter().lane({ slots: options.slots });
    const healthy = connection({ id: "healthy" });
    let held = 0;
    const served: boolean[] = [];
    const earlier = lane.acquire(healthy, start);
    if (earlier.granted) earlier.release();
    for (let step = 0; step < options.seconds * 100; step++) {
      const now = start + step * 10;
      vi.setSystemTime(now);
      for (let index = 0; index < options.hanging; index++)
        if (lane.acquire(hanging(index), now).granted) held++;
      const permit = lane.acquire(healthy, now);
      served.push(permit.granted);
      if (permit.granted) permit.release();
    }
    return { held, served };
  }

  it("leave room for one whose calls end, however many they are", () => {
    for (const count of [1, 2, 3, 10, 200]) {
      const { held, served } = flow({ slots: 40, hanging: count, seconds: 6 });
      expect(held, String(count)).toBeLessThan(laneConcurrency(40));
      expect(served.every(Boolean), String(count)).toBe(true);
    }
  });

  it("hold no more than the lane between them as long as each holds its share", () => {
    expect(flow({ slots: 40, hanging: 2, seconds: 6 }).held).toBe(40);
  });

  it("are tried less and less often by messages that are put off", () => {
    const lane = new ConnectionLimiter().lane({ slots: 40 });
    const waiting = Array.from({ length: 2_000 }, (_, index) => ({ at: start + index * 7 }));
    let asked = 0;
    for (let now = start; now < start + 15_000; now += 100) {
      vi.setSystemTime(now);
      for (const message of waiting) {
        if (message.at > now) continue;
        asked++;
        const permit = lane.acquire(connection(), now);
        message.at = permit.granted ? Infinity : permit.retryAt;
      }
    }
    // By how long calls took before, a hundred a second would come back.
    expect(asked).toBeLessThan(2_500);
  });

  it("get few slots back while they are stuck, until a call ends", () => {
    const lane = new ConnectionLimiter().lane({ slots: 40 });
    const permits = Array.from({ length: 20 }, () => lane.acquire(connection(), start));
    vi.setSystemTime(start + 3_000);
    const [first] = permits;
    for (const permit of permits.slice(0, 16)) if (permit.granted) permit.release();
    // It flows again.
    expect(lane.acquire(connection(), start + 3_000).granted).toBe(true);
    vi.setSystemTime(start + 6_000);
    expect(lane.acquire(connection(), start + 6_000).granted).toBe(false);
    expect(first?.granted).toBe(true);
  });
});

describe("a full lane", () => {
  beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ["Date", "setTimeout", "clearTimeout"] }));

  it("lets a message wait for any connection's next slot rather than putting it off", async () => {
    const lane = new ConnectionLimiter().lane({ slots: 16 });
    const of = (id: string) => lane.acquire(connection({ id }), Date.now());
    const held = ["a", "b"].flatMap((id) => Array.from({ length: 8 }, () => of(id)));
    // Two slots are from the reserve, for the third one it waits.
    expect([of("c"), of("c"), of("c")].map(({ granted }) => granted)).toEqual([true, true, false]);
    const waiting = lane.acquireSoon(connection({ id: "c" }), Date.now());
    for (const permit of held.slice(0, 3)) if (permit.granted) permit.release();
    expect((await waiting).granted).toBe(true);
    const late = lane.acquireSoon(connection({ id: "c" }), Date.now());
    await vi.advanceTimersByTimeAsync(500);
    expect((await late).granted).toBe(false);
  });
});

describe("messages that wait for a connection to come back", () => {
  it("come back one after the other, and not before it", () => {
    const lane = new ConnectionLimiter().lane({ slots: 4 });
    const times = Array.from({ length: 200 }, () => lane.lineUp(connection(), start + 5_000));
    expect(times[0]).toBe(start + 5_000);
    expect(times.at(-1)).toBe(start + 5_000 + 199 * 10);
    expect(lane.lineUp(connection(), start + 60_000)).toBe(start + 60_000);
    expect(lane.lineUp(connection({ id: "slow", ratePerSecond: 1 }), start)).toBe(start);
    expect(lane.lineUp(connection({ id: "slow", ratePerSecond: 1 }), start)).toBe(start + 1_000);
  });
});

describe("a connection's rate", () => {
  /** Grants over simulated seconds, when every refused message comes back at the given time. */
  function simulate(options: {
    rate: number;
    messages: number;
    lanes: number;
    workers: number;
    seconds: number;
  }) {
    const lanes = Array.from({ length: options.workers }, () => {
      const limiter = new ConnectionLimiter();
      limiter.setWorkers(options.workers);
      return Array.from({ length: options.lanes }, (_, index) =>
        limiter.lane({ slots: 100, urgent: index === 0 }),
      );
    }).flat();
    const queue = Array.from({ length: options.messages }, (_, index) => ({
      at: start,
      lane: lanes[index % lanes.length],
    }));
    const granted: number[] = [];
    for (let now = start; now < start + options.seconds * 1_000; now += 10) {
      vi.setSystemTime(now);
      for (let index = 0; index < queue.length; index++) {
        const entry = queue[index];
        if (!entry?.lane || entry.at > now) continue;
        const permit = entry.lane.acquire(connection({ ratePerSecond: options.rate }), now);
        if (permit.granted) {
          permit.release();
          granted.push(now);
          queue.splice(index--, 1);
        } else {
          entry.at = permit.retryAt;
        }
      }
    }
    return granted;
  }

  it("is divided among the processes that use the connection, not among those that do not", () => {
    const limiter = new ConnectionLimiter();
    const connection = { id: "c", maxConcurrency: 50, ratePerSecond: 12 };
    limiter.setWorkers(4);
    expect(limiter.rateOf(connection)).toBe(3);
    limiter.takeToken(connection, false, 1_000);
    expect(limiter.inUse(2_000)).toEqual([connection.id]);
    limiter.setWorkers(4, new Map([[connection.id, 2]]));
    expect(limiter.rateOf(connection)).toBe(6);
    expect(limiter.inUse(7_000)).toEqual([]);
  });

  it("holds in every window over all lanes and workers", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 2 }),
        (rate, lanes, workers) => {
          const granted = simulate({ rate, lanes, workers, messages: 300, seconds: 5 });
          for (const from of granted) {
            const within = granted.filter((at) => at >= from && at < from + 1_000).length;
            // A burst of a second's worth and what flows in during the second.
            expect(within).toBeLessThanOrEqual(2 * Math.max(rate, workers) + workers);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it("is used up: nobody waits longer than the rate demands", () => {
    const granted = simulate({ rate: 20, lanes: 1, workers: 1, messages: 100, seconds: 6 });
    expect(granted).toHaveLength(100);
  });

  it("keeps a tenth for one-time codes", () => {
    const limiter = new ConnectionLimiter();
    const bulk = limiter.lane({ slots: 2_000 });
    const otp = limiter.lane({ slots: 2_000, urgent: true });
    const limited = connection({ ratePerSecond: 100 });
    const bulkGrants = Array.from({ length: 200 }, () => bulk.acquire(limited, start).granted).filter(
      Boolean,
    ).length;
    const otpGrants = Array.from({ length: 20 }, () => otp.acquire(limited, start).granted).filter(
      Boolean,
    ).length;
    expect(bulkGrants).toBe(90);
    expect(otpGrants).toBe(10);
  });
});

describe("a message that may wait a moment", () => {
  beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ["Date", "setTimeout", "clearTimeout"] }));

  /** A lane with two slots, both taken, whose last call ended just now. */
  function busyLane() {
    const lane = new ConnectionLimiter().lane({ slots: 4, patienceMs: 250 });
    const earlier = lane.acquire(connection(), Date.now());
    vi.advanceTimersByTime(100);
    if (earlier.granted) earlier.release();
    const held = [lane.acquire(connection(), Date.now()), lane.acquire(connection(), Date.now())];
    const releaseAll = () => {
      for (const permit of held) if (permit.granted) permit.release();
    };
    return { lane, releaseAll };
  }

  it("gets the slot of a call that ends, first come first served", async () => {
    const { lane, releaseAll } = busyLane();
    const order: number[] = [];
    const waiting = [1, 2].map(async (name) => {
      const permit = await lane.acquireSoon(connection(), Date.now());
      if (permit.granted) order.push(name);
    });
    releaseAll();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  it("is put off when no call ends in time", async () => {
    const { lane } = busyLane();
    const waiting = lane.acquireSoon(connection(), Date.now());
    await vi.advanceTimersByTimeAsync(250);
    expect((await waiting).granted).toBe(false);
  });

  it("does not wait for a connection whose calls do not end", async () => {
    const { lane } = busyLane();
    vi.advanceTimersByTime(1_000);
    expect((await lane.acquireSoon(connection(), Date.now())).granted).toBe(false);
  });

  it("does not wait where more wait already than the connection can carry by then", async () => {
    const { lane } = busyLane();
    const outcomes = Array.from({ length: 50 }, async () => lane.acquireSoon(connection(), Date.now()));
    const putOff = await Promise.race([...outcomes].reverse());
    expect(putOff.granted).toBe(false);
  });

  it("does not wait in a lane without patience", async () => {
    const lane = new ConnectionLimiter().lane({ slots: 2 });
    lane.acquire(connection(), Date.now());
    expect((await lane.acquireSoon(connection(), Date.now())).granted).toBe(false);
  });
});
