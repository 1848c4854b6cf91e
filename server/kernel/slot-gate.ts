import { LRUCache } from "lru-cache";

/** The calls to one destination. Times in ms since the epoch. */
export interface Traffic {
  /** The calls under way, the oldest first. */
  readonly calls: ReadonlySet<{ since: number }>;
  /** Moving average of how long a call takes, ms. */
  readonly duration: number;
  /** When a call last ended; 0 before the first. */
  readonly endedAt: number;
  /** Whether the last call succeeded; undefined before the first. */
  readonly succeeded: boolean | undefined;
}

/** A slot, or when to ask for one again. */
export type Permit = Slot | { granted: false; retryAt: number };

/** `release` must be called when the call has ended; more calls of it do nothing. */
export interface Slot {
  granted: true;
  release: (call?: { succeeded?: boolean; endedAt?: number }) => void;
  traffic: Traffic;
}

/** What a gate allows. `now` is in ms since the epoch. */
export interface GateRules<Destination> {
  /** The duration of a call that is assumed before the first has ended, ms. */
  assumedDuration: number;
  /** How much the newest call counts in the average, in (0, 1]. */
  newestWeight: number;
  /** How many calls may be under way to this destination. */
  limit: (destination: Destination, traffic: Traffic, now: number) => number;
  /** Whether what all destinations share has a slot left for this one. `inFlight`: calls under way to all of them. */
  hasSharedSlot: (destination: Destination, traffic: Traffic, inFlight: number, now: number) => boolean;
  /** Takes from a rate what a call uses of it; false when nothing is left. */
  spend?: (destination: Destination, now: number) => boolean;
  /** Whether a caller may wait for the destination's next slot, which is expected in `expectedMs`. */
  mayWait: (destination: Destination, traffic: Traffic, expectedMs: number, now: number) => boolean;
  /** How long a caller waits for its destination's next slot, and for one that all share, ms. */
  patienceMs: number;
  sharedPatienceMs: number;
  /** How many callers may wait at once; default: no limit. */
  maxWaiting?: number;
  /** The time between two calls that are put off, ms. */
  spacing: (destination: Destination, traffic: Traffic, now: number) => number;
  /** Put off by at least so much, ms; default 0. */
  soonestMs?: number;
  /** Put off by at most so much, ms; default: no limit. */
  horizonMs?: number;
}

interface State<Destination> extends Traffic {
  calls: Set<{ since: number }>;
  duration: number;
  endedAt: number;
  succeeded: boolean | undefined;
  /** The time given to the last caller that was put off. */
  putOffUntil: number;
  line: Waiter<Destination>[];
}

interface Waiter<Destination> {
  destination: Destination;
  resume: (now: number) => void;
}

/** Destinations whose traffic is remembered: the most recently used. */
const maxDestinations = 20_000;

/**
 * Limits the calls of a process to each of many destinations, and to all together. A caller whose turn comes in a moment
 * waits for it in its slot; the others learn when to try again, spaced by what the destination can carry, so that no
 * worker waits and a destination that hangs delays no other.
 */
export class SlotGate<Destination extends { id: string }> {
  private readonly states = new LRUCache<string, State<Destination>>({ max: maxDestinations });
  private readonly rules: GateRules<Destination>;
  /** Callers that wait because the shared slots are taken, first come first served. */
  private readonly sharedLine: Waiter<Destination>[] = [];
  private inFlight = 0;
  private waiting = 0;

  constructor(rules: GateRules<Destination>) {
    this.rules = rules;
  }

  /** A slot at once, or the time to try again. */
  acquire(destination: Destination, now: number): Permit {
    const state = this.stateOf(destination);
    const free = this.hasSlot(state, destination, now) && this.hasSharedSlot(state, destination, now);
    return free ? this.take(state, destination, now) : this.putOff(state, destination, now);
  }

  /** As `acquire`, but waits for a slot that is expected soon: putting off costs the database as much as the call. */
  acquireSoon(destination: Destination, now: number): Permit | Promise<Permit> {
    const { rules } = this;
    const state = this.stateOf(destination);
    const mayWait = this.waiting < (rules.maxWaiting ?? Infinity);
    if (state.line.length === 0 && this.hasSlot(state, destination, now)) {
      if (this.hasSharedSlot(state, destination, now)) return this.take(state, destination, now);
      if (mayWait) return this.wait(this.sharedLine, state, destination, rules.sharedPatienceMs);
    } else {
      const limit = rules.limit(destination, state, now);
      const expectedMs = ((state.line.length + 1) * state.duration) / limit;
      if (mayWait && rules.mayWait(destination, state, expectedMs, now))
        return this.wait(state.line, state, destination, rules.patienceMs);
    }
    return this.putOff(state, destination, now);
  }

  private hasSlot(state: State<Destination>, destination: Destination, now: number): boolean {
    return state.calls.size < this.rules.limit(destination, state, now);
  }

  private hasSharedSlot(state: State<Destination>, destination: Destination, now: number): boolean {
    return this.rules.hasSharedSlot(destination, state, this.inFlight, now);
  }

  private wait(
    line: Waiter<Destination>[],
    state: State<Destination>,
    destination: Destination,
    patienceMs: number,
  ): Promise<Permit> {
    this.waiting++;
    return new Promise((resolve) => {
      const waiter: Waiter<Destination> = {
        destination,
        resume: (resumedAt) => {
          clearTimeout(timer);
          this.waiting--;
          resolve(this.take(state, destination, resumedAt));
        },
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiter), 1);
        this.waiting--;
        resolve(this.putOff(state, destination, Date.now()));
      }, patienceMs);
      line.push(waiter);
    });
  }

  private take(state: State<Destination>, destination: Destination, now: number): Permit {
    if (this.rules.spend?.(destination, now) === false) return this.putOff(state, destination, now);
    const call = { since: now };
    state.calls.add(call);
    this.inFlight++;
    return {
      granted: true,
      traffic: state,
      release: ({ succeeded = true, endedAt = Date.now() } = {}) => {
        if (!state.calls.delete(call)) return;
        this.inFlight--;
        state.duration += this.rules.newestWeight * (endedAt - now - state.duration);
        state.endedAt = endedAt;
        state.succeeded = succeeded;
        this.passOn(state, endedAt);
      },
    };
  }

  /** Gives the slot to those who wait for its destination, otherwise to the first who waits for any slot. */
  private passOn(state: State<Destination>, now: number): void {
    let passed = false;
    for (;;) {
      const [next] = state.line;
      if (!next || !this.hasSlot(state, next.destination, now)) break;
      // The shared slot is the one that was released; more need more.
      if (passed && !this.hasSharedSlot(state, next.destination, now)) break;
      passed = true;
      state.line.shift();
      next.resume(now);
    }
    if (passed) return;
    const index = this.sharedLine.findIndex(({ destination }) => {
      const other = this.stateOf(destination);
      return this.hasSlot(other, destination, now) && this.hasSharedSlot(other, destination, now);
    });
    if (index >= 0) this.sharedLine.splice(index, 1)[0]?.resume(now);
  }

  private putOff(state: State<Destination>, destination: Destination, now: number): Permit {
    const { soonestMs = 0, horizonMs = Infinity } = this.rules;
    const from = Math.max(state.putOffUntil, now + soonestMs);
    state.putOffUntil = from + this.rules.spacing(destination, state, now);
    // Beyond the horizon it starts again from the middle: whoever is put off that long asks again.
    if (state.putOffUntil > now + horizonMs) state.putOffUntil = now + horizonMs / 2;
    return { granted: false, retryAt: state.putOffUntil };
  }

  private stateOf(destination: Destination): State<Destination> {
    let state = this.states.get(destination.id);
    if (!state) {
      const duration = this.rules.assumedDuration;
      state = { calls: new Set(), duration, endedAt: 0, succeeded: undefined, putOffUntil: 0, line: [] };
      this.states.set(destination.id, state);
    }
    return state;
  }
}

/** When the oldest call that is under way began; undefined when none is. */
export function oldestCall({ calls }: Traffic): number | undefined {
  for (const { since } of calls) return since;
  return undefined;
}
