import { LRUCache } from "lru-cache";

/** Calls open at once to an endpoint that answers well (DECISIONS §9), and to one that is slow, failing or not yet known. */
export const inFlightLimit = { proven: 10, unproven: 2 } as const;
/** From here on an endpoint is slow. */
const slowMs = 1_000;
/** How far ahead waiting deliveries are spread; whoever is put off this long asks again. */
const horizonMs = 120_000;
const minSpacingMs = 2;
const weightOfNewest = 0.3;

interface EndpointState {
  /** Start times of the open calls, in ms, oldest first. */
  open: Map<symbol, number>;
  /** Moving average of how long a call takes, ms. */
  duration: number;
  /** Whether the last answer was a success; undefined before the first. */
  succeeded: boolean | undefined;
  /** The moment given to the last delivery that was put off. */
  cursor: number;
}

/** An opened place: `slow` endpoints are not waited for; `leave` must be called exactly once. */
export interface Admission {
  slow: boolean;
  leave(succeeded: boolean, now: number): void;
}

/**
 * Decides, for this process, which endpoint may be called now. What an endpoint cannot take at the moment is put off, one
 * delivery after the other at the pace the endpoint keeps, so that nothing waits in a slot that others need. All times are
 * in ms since the epoch.
 */
export class EndpointGate {
  private readonly states = new LRUCache<string, EndpointState>({ max: 20_000 });
  private openCalls = 0;
  private readonly maxOpen: number;

  /** @param maxOpen calls open at once to all endpoints together, slow ones outside their slots included */
  constructor(maxOpen: number) {
    this.maxOpen = maxOpen;
  }

  /** A place for one call, or when to ask again. */
  enter(endpointId: string, now: number): Admission | { retryAt: number } {
    let state = this.states.get(endpointId);
    if (!state) {
      state = { open: new Map(), duration: 100, succeeded: undefined, cursor: 0 };
      this.states.set(endpointId, state);
    }
    const slow = isSlow(state, now);
    const limit = slow || state.succeeded !== true ? inFlightLimit.unproven : inFlightLimit.proven;
    if (state.open.size >= limit || this.openCalls >= this.maxOpen) {
      return { retryAt: this.putOff(state, limit, now) };
    }
    return this.open(state, slow, now);
  }

  private open(state: EndpointState, slow: boolean, now: number): Admission {
    const call = Symbol("call");
    state.open.set(call, now);
    this.openCalls++;
    return {
      slow,
      leave: (succeeded, end) => {
        if (!state.open.delete(call)) return;
        this.openCalls--;
        const wasSlow = state.duration >= slowMs;
        state.duration += weightOfNewest * (end - now - state.duration);
        state.succeeded = succeeded;
        // It answers again: those that come now need not queue behind the pace of before.
        if (wasSlow && state.duration < slowMs) state.cursor = 0;
      },
    };
  }

  private putOff(state: EndpointState, limit: number, now: number): number {
    // A little faster than it was, so that a place that is free does not stay empty.
    const spacing = Math.max(minSpacingMs, (state.duration / limit) * 0.9);
    state.cursor = Math.max(state.cursor, now) + spacing;
    if (state.cursor > now + horizonMs) state.cursor = now + horizonMs / 2;
    return Math.ceil(state.cursor);
  }
}

/** Slow on average, or right now: its oldest open call has been waiting too long. */
function isSlow(state: EndpointState, now: number): boolean {
  if (state.duration >= slowMs) return true;
  const oldest = state.open.values().next();
  return !oldest.done && now - oldest.value >= slowMs;
}
