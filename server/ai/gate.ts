import { AiError } from "./ai-error.ts";

/** So many calls at once; the others wait their turn, and beyond `waiting` they are sent away. */
export class Gate {
  private readonly slots: number;
  private readonly waiting: number;
  private taken = 0;
  private readonly queue: (() => void)[] = [];

  constructor(slots: number, waiting: number) {
    this.slots = slots;
    this.waiting = waiting;
  }

  /**
   * Resolves with a function that leaves again; calling it twice is harmless. Throws AiError: `unavailable` when too many
   * wait already, and the signal's reason when it fires first.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.taken >= this.slots) {
      if (this.queue.length >= this.waiting) throw new AiError("unavailable");
      // Whoever leaves hands the slot over, so that nobody can come in between.
      await this.turn(signal);
    } else {
      this.taken += 1;
    }
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const next = this.queue.shift();
      if (next) next();
      else this.taken -= 1;
    };
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((go, fail) => {
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        go();
      };
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(enter), 1);
        fail(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.queue.push(enter);
    });
  }
}
