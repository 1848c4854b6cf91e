import { LRUCache } from "lru-cache";

/** Calls open at once to an endpoint that answers well, and to one that is slow, failing or not yet known. */
export const inFlightLimit = { proven: 10, unproven: 2 } as const;
/** From here on an endpoint is slow. */
const slowMs = 1_000;
/** How far ahead deliveries are put off; whoever is put off this long asks again. */
const horizonMs = 120_000;
const minSpacingMs = 1;
const weightOfNewest = 0.3;
const firstGuessMs = 20;

interface EndpointState {
  /** Start times of the open calls, in ms, oldest first. */
  open: Map<symbol, number>;
  line: Waiting[];
  /** Moving average of how long a call takes, ms. */
  duration: number;
  /** Whether the last answer was a success; undefined before the first. */
  succeeded: boolean | undefined;
  /** The moment given to the last delivery that was put off. */
  cursor: number;
}

interface Waiting {
  resolve(entry: Entry): void;
  timer: NodeJS.Timeout;
}

/** An opened place. `leave` must be called when the call has ended; more calls of it do nothing. */
export interface Admission {
  /** What to expect: an answer at once, nobody knows, or a long wait. */
  pace: "quick" | "unknown" | "slow";
  leave(succeeded: boolean, now: number): void;
}

/** A place, or when to ask again. */
export type Entry = Admission | { retryAt: number };

export interface GateOptions {
  /** Calls open at once to all endpoints together. */
  maxOpen: number;
  /** Deliveries that may wait in line at once, for all endpoints together. */
  maxWaiting: number;
  /** How long one may wait, ms. */
  patienceMs: number;
}

/**
 * Decides, for this process, which endpoint may be called now. A delivery whose turn comes in a moment waits for it; what an
 * endpoint cannot take so soon is put off, one after the other at the pace the endpoint keeps, so that nothing
 * occupies for long what others need. All times are in ms since the epoch.
 */
export class EndpointGate {
  private readonly states = new LRUCache<string, EndpointState>({ max: 20_000 });
  private readonly options: GateOptions;
  private openCalls = 0;
  private waiting = 0;

  constructor(options: GateOptions) {
    this.options = options;
  }

  enter(endpointId: string, now: number): Entry | Promise<Entry> {
    let state = this.states.get(endpointId);
    if (!state) {
      state = { open: new Map(), line: [], duration: firstGuessMs, succeeded: undefined, cursor: 0 };
      this.states.set(endpointId, state);
    }
    if (state.line.length === 0 && this.hasPlace(state, now)) return this.open(state, now);
    if (this.mayWait(state, now)) return this.wait(state);
    return { retryAt: putOff(state, now) };
  }

  private hasPlace(state: EndpointState, now: number): boolean {
    return state.open.size < limitOf(state, now) && this.openCalls < this.options.maxOpen;
  }

  private mayWait(state: EndpointState, now: number): boolean {
    if (isSlow(state, now) || this.waiting >= this.options.maxWaiting) return false;
    const expected = ((state.line.length + 1) * state.duration) / limitOf(state, now);
    return expected <= this.options.patienceMs;
  }

  private wait(state: EndpointState): Promise<Entry> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        resolve,
        timer: setTimeout(() => {
          state.line.splice(state.line.indexOf(waiting), 1);
          this.waiting--;
          resolve({ retryAt: putOff(state, Date.now()) });
        }, this.options.patienceMs),
      };
      state.line.push(waiting);
      this.waiting++;
    });
  }

  private open(state: EndpointState, now: number): Admission {
    const call = Symbol("call");
    const pace = isSlow(state, now) ? "slow" : state.succeeded === true ? "quick" : "unknown";
    state.open.set(call, now);
    this.openCalls++;
    return {
      pace,
      leave: (succeeded, end) => {
        if (!state.open.delete(call)) return;
        this.openCalls--;
        state.duration += weightOfNewest * (end - now - state.duration);
        state.succeeded = succeeded;
        this.admitWaiting(state, end);
      },
    };
  }

  private admitWaiting(state: EndpointState, now: number): void {
    while (state.line.length > 0 && this.hasPlace(state, now)) {
      const next = state.line.shift();
      if (!next) return;
      clearTimeout(next.timer);
      this.waiting--;
      next.resolve(this.open(state, now));
    }
  }
}

/** Slow on average, or right now: its oldest open call has been waiting too long. */
function isSlow(state: EndpointState, now: number): boolean {
  if (state.duration >= slowMs) return true;
  const oldest = state.open.values().next();
  return !oldest.done && now - oldest.value >= slowMs;
}

function limitOf(state: EndpointState, now: number): number {
  return state.succeeded === true && !isSlow(state, now) ? inFlightLimit.proven : inFlightLimit.unproven;
}

function putOff(state: EndpointState, now: number): number {
  // Of an endpoint that nobody knows the best is expected: it is the first answer that tells.
  const limit =
    state.succeeded === undefined && !isSlow(state, now) ? inFlightLimit.proven : limitOf(state, now);
  const expected = isSlow(state, now) ? Math.max(slowMs, state.duration) : state.duration;
  // A little faster than it was, so that a place that is free does not stay empty.
  const spacing = Math.max(minSpacingMs, (expected / limit) * 0.9);
  state.cursor = Math.max(state.cursor, now) + spacing;
  if (state.cursor > now + horizonMs) state.cursor = now + horizonMs / 2;
  return Math.ceil(state.cursor);
}
