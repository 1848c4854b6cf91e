interface Bucket {
  /** Messages that may be sent now. */
  tokens: number;
  filledAt: number;
}

interface LaneState {
  /** When each call in flight began, ms since the epoch; the oldest first. */
  calls: Set<{ since: number }>;
  /** Until when messages already put off will keep the connection busy, ms since the epoch. */
  busyUntil: number;
  /** When the last of those who wait for the connection to come back is to come back, ms since the epoch. */
  lineEndsAt: number;
  /** Mean duration of a call, ms. */
  duration: number;
  /** When a call last came to an end, ms since the epoch. */
  releasedAt: number;
  /** Who waits for a slot, first come first served. */
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

/** How many of those who waited come back in a second, in one lane of one process. */
const linedUpPerSecond = 100;

/** So long after a message a connection counts as used, ms: longer than it takes to tell the other processes. */
const usedFor = 5_000;

/** Of a connection's rate, what is kept for lanes that may not be kept waiting. */
const reservedShare = 0.1;

/**
 * Keeps one connection from holding more than its share of a worker. Who gets no permit is told when to come back, spaced
 * by what the connection can carry, so that no slot ever waits and a hanging provider holds up nobody else. One for a
 * process: the lanes share a connection's rate, and the processes divide it among themselves.
 */
export class ConnectionLimiter {
  private readonly buckets = new Map<string, Bucket>();
  private workers = 1;
  private sharers: ReadonlyMap<string, number> = new Map();

  /** How many worker processes there are now, and how many of them used each connection that has a rate lately. */
  setWorkers(count: number, sharers: ReadonlyMap<string, number> = new Map()): void {
    this.workers = Math.max(1, count);
    this.sharers = sharers;
  }

  /** The connections with a rate that this process used lately; forgets the others. `now` in ms since the epoch. */
  inUse(now: number): string[] {
    for (const [id, bucket] of this.buckets) {
      if (now - bucket.filledAt > usedFor) this.buckets.delete(id);
    }
    return [...this.buckets.keys()];
  }

  /**
   * A lane's view of `slots` and their reserve (see laneConcurrency). `urgent` lanes may use what is reserved of a rate.
   * `patienceMs`: how long a message may wait in its slot for a connection that is busy but flowing, default 0.
   */
  lane(options: { slots: number; urgent?: boolean; patienceMs?: number }): LaneLimiter {
    return new LaneLimiter(this, options);
  }

  /** Takes one message from a connection's rate; `now` in ms since the epoch. */
  takeToken(connection: ConnectionLimits, urgent: boolean, now: number): boolean {
    if (connection.ratePerSecond === null) return true;
    const rate = this.rateOf(connection);
    // A second's worth may be sent at once, but at least one message.
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

  /** This process's part: of those that use the connection, or of all while nobody knows yet that this one does. */
  rateOf(connection: ConnectionLimits): number {
    if (connection.ratePerSecond === null) return Infinity;
    // A connection that nobody used until now is taken for one that all begin to use.
    return connection.ratePerSecond / (this.sharers.get(connection.id) ?? this.workers);
  }
}

/** No call has come to an end, and one has been under way, for so long: the connection is stuck, ms. */
const stuckAfter = 2_000;

/** How long a message waits in its slot when its lane is full, ms. */
const laneWait = 500;

function isStuck(state: LaneState, now: number): boolean {
  const [oldest] = state.calls;
  return oldest !== undefined && now - oldest.since > stuckAfter && now - state.releasedAt > stuckAfter;
}

/** How many messages a lane of `slots` works on at once: a quarter more, which is kept for connections that hold little. */
export function laneConcurrency(slots: number): number {
  return slots + Math.ceil(slots / 4);
}

/**
 * One connection holds half of the slots at most, so two that hang may hold them all. The reserve is for those that hold
 * few and are not stuck: however many connections hang, those whose calls come to an end flow. One that is stuck gets no
 * more than a few slots.
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
  /** Who waits because the lane is full, first come first served. */
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
   * As `acquire`, but waits for a slot when one is to be expected soon: putting a message off costs the database as much as
   * sending it. For its connection's next slot within the lane's patience; over one whose calls do not come to an end,
   * nobody waits. For the lane's next slot, when only the lane is full, a moment in any case.
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

  /** A slot is free: for who waits for its connection, or else for the first in the lane that may have it. */
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
   * When a message that waits for a connection is to come back, ms since the epoch: from `from` on one after the other, so
   * that those who waited do not all come at once.
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
    // Of the reserve, the second half is for connections whose calls are known to come to an end.
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
    // A call that is still under way has taken that long already: who is put off must not come back over and over.
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
