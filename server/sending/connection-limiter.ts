interface Bucket {
  /** Messages that may be sent now. */
  tokens: number;
  filledAt: number;
}

interface LaneState {
  /** When each call in flight began, ms since the epoch; the oldest first. */
  calls: Set<{ since: number }>;
  /** Until when the messages put off so far will keep the connection busy, ms since the epoch. */
  busyUntil: number;
  /** When the last message that waits for the connection to recover is due, ms since the epoch. */
  lineEndsAt: number;
  /** Mean duration of a call, ms. */
  duration: number;
  /** When a call last came to an end, ms since the epoch. */
  releasedAt: number;
  /** Messages that wait for a slot, first come first served. */
  waiting: Waiter[];
}

interface Waiter {
  connection: ConnectionLimits;
  wake: () => void;
}

export type Permit = { granted: true; release(): void } | { granted: false; retryAt: number };

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

function isStuck(state: LaneState, now: number): boolean {
  const [oldest] = state.calls;
  return oldest !== undefined && now - oldest.since > stuckAfter && now - state.releasedAt > stuckAfter;
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
export class LaneLimiter {
  private readonly states = new Map<string, LaneState>();
  private readonly limiter: ConnectionLimiter;
  private readonly slots: number;
  private readonly maxShare: number;
  private readonly fewSlots: number;
  private readonly urgent: boolean;
  private readonly patienceMs: number;
  private inFlight = 0;
  /** Messages that wait because the lane is full, first come first served. */
  private readonly waiting: Waiter[] = [];

  constructor(limiter: ConnectionLimiter, options: { slots: number; urgent?: boolean; patienceMs?: number }) {
    this.limiter = limiter;
    this.slots = options.slots;
    this.maxShare = Math.max(1, Math.ceil(options.slots / 2));
    this.fewSlots = Math.max(1, Math.ceil(options.slots / 8));
    this.urgent = options.urgent ?? false;
    this.patienceMs = options.patienceMs ?? 0;
  }

  /** `now` in ms since the epoch. */
  acquire(connection: ConnectionLimits, now: number): Permit {
    const state = this.stateOf(connection);
    if (!this.hasRoom(state, connection, now) || !this.limiter.takeToken(connection, this.urgent, now)) {
      return this.putOff(state, connection, now);
    }
    return this.grant(state, now);
  }

  /**
   * As `acquire`, but waits for a slot if one is expected soon: putting a message off costs the database as much as
   * sending it. It waits for its connection's next slot within the lane's patience, unless the connection is stuck, and
   * for a moment for the lane's next slot when only the lane is full.
   */
  async acquireSoon(connection: ConnectionLimits, now: number): Promise<Permit> {
    const state = this.stateOf(connection);
    if (this.hasRoom(state, connection, now)) return this.acquire(connection, now);
    if (state.calls.size < this.limitOf(state, connection, now)) {
      return this.wait(this.waiting, laneWait, connection, () => this.acquire(connection, Date.now()));
    }
    const expected = ((state.waiting.length + 1) * state.duration) / this.slotsOf(connection);
    const flowing = now - state.releasedAt < this.patienceMs;
    if (connection.ratePerSecond !== null || !flowing || expected > this.patienceMs) {
      return this.acquire(connection, now);
    }
    return this.wait(state.waiting, this.patienceMs, connection, () => this.grant(state, Date.now()));
  }

  private wait(
    line: Waiter[],
    patience: number,
    connection: ConnectionLimits,
    take: () => Permit,
  ): Promise<Permit> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        connection,
        wake: () => {
          clearTimeout(timer);
          resolve(take());
        },
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiter), 1);
        resolve(this.putOff(this.stateOf(connection), connection, Date.now()));
      }, patience);
      line.push(waiter);
    });
  }

  /**
   * Gives a free slot to a message that waits for the connection, otherwise to the first in the lane that may have it.
   */
  private passOn(state: LaneState): void {
    const own = state.waiting.shift();
    if (own) {
      own.wake();
      return;
    }
    const now = Date.now();
    const index = this.waiting.findIndex(({ connection }) =>
      this.hasRoom(this.stateOf(connection), connection, now),
    );
    if (index >= 0) this.waiting.splice(index, 1)[0]?.wake();
  }

  /**
   * When a message that waits for a connection is due again, ms since the epoch: from `from` on, one after the other, so
   * that they do not all come at once.
   */
  lineUp(connection: ConnectionLimits, from: number): number {
    const state = this.stateOf(connection);
    const perSecond = Math.min(linedUpPerSecond, this.limiter.rateOf(connection));
    state.lineEndsAt = Math.max(state.lineEndsAt + 1_000 / perSecond, from);
    return state.lineEndsAt;
  }

  private hasRoom(state: LaneState, connection: ConnectionLimits, now: number): boolean {
    const held = state.calls.size;
    if (held >= this.limitOf(state, connection, now)) return false;
    if (this.inFlight < this.slots) return true;
    // The second half of the reserve is for connections whose calls are known to end.
    const reserved = laneConcurrency(this.slots) - this.slots;
    const flowing = now - state.releasedAt < stuckAfter;
    const free = this.slots + (flowing ? reserved : Math.floor(reserved / 2)) - this.inFlight;
    return free > 0 && held < this.fewSlots && !isStuck(state, now);
  }

  private limitOf(state: LaneState, connection: ConnectionLimits, now: number): number {
    const share = this.slotsOf(connection);
    return isStuck(state, now) ? Math.min(share, this.fewSlots) : share;
  }

  private stateOf(connection: ConnectionLimits): LaneState {
    let state = this.states.get(connection.id);
    if (!state) {
      state = { calls: new Set(), busyUntil: 0, lineEndsAt: 0, duration: 200, releasedAt: 0, waiting: [] };
      this.states.set(connection.id, state);
    }
    return state;
  }

  private slotsOf(connection: ConnectionLimits): number {
    return Math.min(connection.maxConcurrency, this.maxShare);
  }

  private grant(state: LaneState, now: number): Permit {
    const call = { since: now };
    state.calls.add(call);
    this.inFlight++;
    return {
      granted: true,
      release: () => {
        if (!state.calls.delete(call)) return;
        this.inFlight--;
        const end = Date.now();
        state.duration = Math.max(1, state.duration * 0.9 + (end - now) * 0.1);
        state.releasedAt = end;
        this.passOn(state);
      },
    };
  }

  private putOff(state: LaneState, connection: ConnectionLimits, now: number): Permit {
    // A call that is still under way counts with its time so far: what is put off must not come back over and over.
    const [oldest] = state.calls;
    const duration = Math.max(state.duration, oldest === undefined ? 0 : now - oldest.since);
    const perSecond = Math.max(
      0.2,
      Math.min(this.limiter.rateOf(connection), (this.slotsOf(connection) * 1_000) / duration),
    );
    state.busyUntil = Math.max(state.busyUntil, now + 50) + 1_000 / perSecond;
    return { granted: false, retryAt: state.busyUntil };
  }
}
