const key = Symbol.for("tidings.lifecycle");
const shared = globalThis as typeof globalThis & { [key]?: { draining: boolean } };
// On globalThis because Next may load a module once per bundle.
const state = (shared[key] ??= { draining: false });

/** Whether the process was told to end: finish what is in flight, ask for nothing new. */
export function isDraining(): boolean {
  return state.draining;
}

export function startDraining(): void {
  state.draining = true;
}
