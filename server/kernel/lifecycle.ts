const key = Symbol.for("tidings.lifecycle");
const shared = globalThis as typeof globalThis & { [key]?: { draining: boolean } };
// On globalThis because Next may load a module once per bundle.
const state = (shared[key] ??= { draining: false });

/**
 * How long one call to a provider may take, ms. It determines how long a process that is asked to end may go on: time
 * for a call that has just begun and for its record, and a little more before it is ended by force.
 */
export const attemptLimitMs = 15_000;
/** How long running jobs may go on, ms. */
export const jobGraceMs = attemptLimitMs + 3_000;
/** When the supervisor may end it by force, ms. */
export const endGraceMs = jobGraceMs + 4_000;

/** Whether the process was asked to end: finish what is in flight, start nothing new. */
export function isDraining(): boolean {
  return state.draining;
}

export function startDraining(): void {
  state.draining = true;
}
