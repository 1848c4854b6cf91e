interface Bucket {
  /** Messages that may be sent now. */
  tokens: number;
  filledAt: number;
}

interface LaneState {
  inFlight: number;
  /** Until when messages already put off will keep the connection busy, ms since the epoch. */
  busyUntil: number;
  /** When the last of those who wait for the connection to come back is to come back, ms since the epoch. */
  lineEndsAt: number;
  /** Mean duration of a call, ms. */
  duration: number;
  /** When a call last came to an end, ms since the epoch. */
  releasedAt: number;
  /** Who waits for a slot, first come first served. */
  waiting: ((permit: Permit) => void)[];
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

  /** How many worker processes there are now; each takes its part of a rate. */
  setWorkers(count: number): void {
    this.workers = Math.max(1, count);
  }

  /**
   * A lane's view. `maxShare`: how many of its slots one connection may hold. `urgent` lanes may use what is reserved of
   * a rate. `patienceMs`: how long a message may wait in its slot for a connection that is busy but flowing, default 0.
   */
  lane(options: { maxShare: number; urgent?: boolean; patienceMs?: number }): LaneLimiter {
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

  rateOf(connection: ConnectionLimits): number {
    return connection.ratePerSecond === null ? Infinity : connection.ratePerSecond / this.workers;
  }
}

export class LaneLimiter {
  private readonly states = new Map<string, LaneState>();
  private readonly limiter: ConnectionLimiter;
  private readonly maxShare: number;
  private readonly urgent: boolean;
  private readonly patienceMs: number;

  constructor(
    limiter: ConnectionLimiter,
    options: { maxShare: number; urgent?: boolean; patienceMs?: number },
  ) {
    this.limiter = limiter;
    this.maxShare = options.maxShare;
    this.urgent = options.urgent ?? false;
    this.patienceMs = options.patienceMs ?? 0;
  }

  /** `now` in ms since the epoch. */
  acquire(connection: ConnectionLimits, now: number): Permit {
    const state = this.stateOf(connection);
    if (state.inFlight >= this.slotsOf(connection) || !this.limiter.takeToken(connection, this.urgent, now)) {
      return this.putOff(state, connection, now);
    }
    return this.grant(state, now);
  }

  /**
   * As `acquire`, but waits for a slot when one is to be expected within the lane's patience: putting a message off costs
   * the database as much as sending it. Over a connection whose calls do not come to an end, nobody waits.
   */
  async acquireSoon(connection: ConnectionLimits, now: number): Promise<Permit> {
    const state = this.stateOf(connection);
    const slots = this.slotsOf(connection);
    const expected = ((state.waiting.length + 1) * state.duration) / slots;
    const flowing = now - state.releasedAt < this.patienceMs;
    if (
      state.inFlight < slots ||
      connection.ratePerSecond !== null ||
      !flowing ||
      expected > this.patienceMs
    ) {
      return this.acquire(connection, now);
    }
    return new Promise((resolve) => {
      const waiter = (permit: Permit) => {
        clearTimeout(timer);
        resolve(permit);
      };
      const timer = setTimeout(() => {
        state.waiting.splice(state.waiting.indexOf(waiter), 1);
        resolve(this.putOff(state, connection, Date.now()));
      }, this.patienceMs);
      state.waiting.push(waiter);
    });
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

  private stateOf(connection: ConnectionLimits): LaneState {
    let state = this.states.get(connection.id);
    if (!state) {
      state = { inFlight: 0, busyUntil: 0, lineEndsAt: 0, duration: 200, releasedAt: 0, waiting: [] };
      this.states.set(connection.id, state);
    }
    return state;
  }

  private slotsOf(connection: ConnectionLimits): number {
    return Math.min(connection.maxConcurrency, this.maxShare);
  }

  private grant(state: LaneState, now: number): Permit {
    state.inFlight++;
    let released = false;
    return {
      granted: true,
      release: () => {
        if (released) return;
        released = true;
        const end = Date.now();
        state.inFlight--;
        state.duration = Math.max(1, state.duration * 0.9 + (end - now) * 0.1);
        state.releasedAt = end;
        state.waiting.shift()?.(this.grant(state, end));
      },
    };
  }

  private putOff(state: LaneState, connection: ConnectionLimits, now: number): Permit {
    const perSecond = Math.max(
      0.2,
      Math.min(this.limiter.rateOf(connection), (this.slotsOf(connection) * 1_000) / state.duration),
    );
    state.busyUntil = Math.max(state.busyUntil, now + 50) + 1_000 / perSecond;
    return { granted: false, retryAt: state.busyUntil };
  }
}
