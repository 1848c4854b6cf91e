interface State {
  inFlight: number;
  /** Token bucket, for connections with a rate. */
  tokens: number;
  filledAt: number;
  /** Until when messages already put off will keep the connection busy, ms since the epoch. */
  busyUntil: number;
  /** Mean duration of a call, ms. */
  duration: number;
}

export type Permit = { granted: true; release(): void } | { granted: false; retryAt: number };

/**
 * Keeps one connection from holding more than its share of a worker: at most `maxConcurrency` calls in flight and, when
 * set, `ratePerSecond`. Who gets no permit is told when to come back, spaced by what the connection can carry, so that no
 * slot ever waits and a hanging provider holds up nobody else.
 */
export class ConnectionLimiter {
  private readonly states = new Map<string, State>();
  /** A lane's share: one connection never takes all the slots of a runner. */
  private readonly maxShare: number;

  constructor(maxShare: number) {
    this.maxShare = maxShare;
  }

  /** `now` in ms since the epoch. */
  acquire(
    connection: { id: string; maxConcurrency: number; ratePerSecond: number | null },
    now: number,
  ): Permit {
    let state = this.states.get(connection.id);
    if (!state) {
      state = {
        inFlight: 0,
        tokens: connection.ratePerSecond ?? 0,
        filledAt: now,
        busyUntil: 0,
        duration: 200,
      };
      this.states.set(connection.id, state);
    }
    const rate = connection.ratePerSecond;
    if (rate !== null) {
      // A bucket of one second's worth, but at least one.
      state.tokens = Math.min(Math.max(rate, 1), state.tokens + ((now - state.filledAt) / 1_000) * rate);
      state.filledAt = now;
    }
    const slots = Math.min(connection.maxConcurrency, this.maxShare);
    if (state.inFlight >= slots || (rate !== null && state.tokens < 1)) {
      const perSecond = Math.max(
        0.2,
        Math.min(rate ?? Infinity, (slots * 1_000) / Math.max(state.duration, 1)),
      );
      state.busyUntil = Math.max(state.busyUntil, now + 50) + 1_000 / perSecond;
      return { granted: false, retryAt: state.busyUntil };
    }
    state.inFlight++;
    if (rate !== null) state.tokens--;
    const taken = state;
    let released = false;
    return {
      granted: true,
      release: () => {
        if (released) return;
        released = true;
        taken.inFlight--;
        taken.duration = taken.duration * 0.9 + (Date.now() - now) * 0.1;
      },
    };
  }

  /** Calls in flight over each connection, for metrics. */
  inFlight(): ReadonlyMap<string, number> {
    return new Map([...this.states].map(([id, state]) => [id, state.inFlight]));
  }
}
