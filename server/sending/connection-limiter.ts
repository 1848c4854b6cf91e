import { LRUCache } from "lru-cache";
import { oldestCall, SlotGate } from "../kernel/slot-gate.ts";
import type { GateRules, Traffic } from "../kernel/slot-gate.ts";

interface Bucket {
  /** Messages that may be sent now. */
  tokens: number;
  filledAt: number;
}

/** What a connection allows. */
export interface ConnectionLimits {
  id: string;
  /** Calls in flight in one lane of one worker. */
  maxConcurrency: number;
  /** Messages a second over all workers and lanes; null: no limit. */
  ratePerSecond: number | null;
}

/** How many waiting messages come back per second, in one lane of one process. */
const linedUpPerSecond = 100;

/** How long a connection counts as used after a message, ms: longer than other processes take to notice. */
const usedFor = 5_000;

/** The share of a connection's rate that is reserved for urgent lanes. */
const reservedShare = 0.1;

/**
 * Keeps a connection from taking more than its share of a worker. A message without a permit learns when to try again,
 * spaced by what the connection can carry, so that no slot waits and a hanging provider delays no other connection. There
 * is one limiter for each process: its lanes share a connection's rate, and processes divide it among themselves.
 */
export class ConnectionLimiter {
  private readonly buckets = new Map<string, Bucket>();
  private workers = 1;
  private sharers: ReadonlyMap<string, number> = new Map();

  /** How many worker processes there are, and how many of them used each rate-limited connection recently. */
  setWorkers(count: number, sharers: ReadonlyMap<string, number> = new Map()): void {
    this.workers = Math.max(1, count);
    this.sharers = sharers;
  }

  /** The rate-limited connections that this process used recently; forgets the others. `now` in ms since the epoch. */
  inUse(now: number): string[] {
    for (const [id, bucket] of this.buckets) {
      if (now - bucket.filledAt > usedFor) this.buckets.delete(id);
    }
    return [...this.buckets.keys()];
  }

  /**
   * The limiter of a lane with `slots` and their reserve (see laneConcurrency). `urgent` lanes may use the reserved
   * share of a rate. `patienceMs`: how long a message may wait in its slot for a connection that is busy but not stuck,
   * default 0.
   */
  lane(options: { slots: number; urgent?: boolean; patienceMs?: number }): LaneLimiter {
    return new LaneLimiter(this, options);
  }

  /** Takes one message from a connection's rate; `now` in ms since the epoch. */
  takeToken(connection: ConnectionLimits, urgent: boolean, now: number): boolean {
    if (connection.ratePerSecond === null) return true;
    const rate = this.rateOf(connection);
    // Up to a second's worth may be sent at once, and always one message.
    const capacity = Math.max(rate, 1);
    let bucket = this.buckets.get(connection.id);
    if (!bucket) this.buckets.set(connection.id, (bucket = { tokens: capacity, filledAt: now }));
    bucket.tokens = Math.min(capacity, bucket.tokens + (Math.max(0, now - bucket.filledAt) / 1_000) * rate);
    bucket.filledAt = now;
    const floor = urgent || capacity < 10 ? 1 : 1 + capacity * reservedShare;
    if (bucket.tokens < floor) return false;
    bucket.tokens--;
    return true;
  }

  /** The part of this process: divided by those that use the connection, or by all until its use is known. */
  rateOf(connection: ConnectionLimits): number {
    if (connection.ratePerSecond === null) return Infinity;
    // A connection that was not used until now may be used by all processes at once.
    return connection.ratePerSecond / (this.sharers.get(connection.id) ?? this.workers);
  }
}

/** A connection is stuck when no call has ended, and one has been under way, for so long, ms. */
const stuckAfter = 2_000;

/** How long a message waits in its slot when its lane is full, ms. */
const laneWait = 500;

function isStuck(traffic: Traffic, now: number): boolean {
  const oldest = oldestCall(traffic);
  return oldest !== undefined && now - oldest > stuckAfter && now - traffic.endedAt > stuckAfter;
}

/** How many messages a lane of `slots` works on at once: a quarter more, reserved for connections with few calls. */
export function laneConcurrency(slots: number): number {
  return slots + Math.ceil(slots / 4);
}

/**
 * Limits the calls of one lane. A connection holds at most half of the slots, so two that hang may hold them all. The
 * reserve is for connections that hold few and are not stuck: however many hang, the others go on. A stuck connection
 * gets only a few slots.
 */
export class LaneLimiter extends SlotGate<ConnectionLimits> {
  private readonly limiter: ConnectionLimiter;
  /** When the last message that waits for a connection to recover is due, ms since the epoch. */
  private readonly lineEnds = new LRUCache<string, number>({ max: 20_000 });

  constructor(limiter: ConnectionLimiter, options: { slots: number; urgent?: boolean; patienceMs?: number }) {
    super(laneRules(limiter, options));
    this.limiter = limiter;
  }

  /**
   * When a message that waits for a connection is due again, ms since the epoch: from `from` on, one after the other, so
   * that they do not all come at once.
   */
  lineUp(connection: ConnectionLimits, from: number): number {
    const perSecond = Math.min(linedUpPerSecond, this.limiter.rateOf(connection));
    const end = Math.max((this.lineEnds.get(connection.id) ?? 0) + 1_000 / perSecond, from);
    this.lineEnds.set(connection.id, end);
    return end;
  }
}

function laneRules(
  limiter: ConnectionLimiter,
  options: { slots: number; urgent?: boolean; patienceMs?: number },
): GateRules<ConnectionLimits> {
  const { slots, urgent = false, patienceMs = 0 } = options;
  const maxShare = Math.max(1, Math.ceil(slots / 2));
  const fewSlots = Math.max(1, Math.ceil(slots / 8));
  const reserved = laneConcurrency(slots) - slots;
  const shareOf = ({ maxConcurrency }: ConnectionLimits) => Math.min(maxConcurrency, maxShare);
  return {
    assumedDuration: 200,
    newestWeight: 0.1,
    limit: (connection, traffic, now) =>
      isStuck(traffic, now) ? Math.min(shareOf(connection), fewSlots) : shareOf(connection),
    hasSharedSlot: (_, traffic, inFlight, now) => {
      if (inFlight < slots) return true;
      // The second half of the reserve is for connections whose calls are known to end.
      const flowing = now - traffic.endedAt < stuckAfter;
      const free = slots + (flowing ? reserved : Math.floor(reserved / 2)) - inFlight;
      return free > 0 && traffic.calls.size < fewSlots && !isStuck(traffic, now);
    },
    spend: (connection, now) => limiter.takeToken(connection, urgent, now),
    mayWait: ({ ratePerSecond }, traffic, expectedMs, now) =>
      ratePerSecond === null && now - traffic.endedAt < patienceMs && expectedMs <= patienceMs,
    patienceMs,
    sharedPatienceMs: laneWait,
    spacing: (connection, traffic, now) => {
      // A call that is still under way counts with its time so far: what is put off must not come back over and over.
      const duration = Math.max(1, traffic.duration, now - (oldestCall(traffic) ?? now));
      const perSecond = Math.min(limiter.rateOf(connection), (shareOf(connection) * 1_000) / duration);
      return 1_000 / Math.max(0.2, perSecond);
    },
    soonestMs: 50,
  };
}
