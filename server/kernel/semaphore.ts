import PQueue from "p-queue";

/** Gives a slot back; calling it twice is harmless. */
export type Release = () => void;

/** How many callers may wait for a slot; `refusal` is what the next one gets. */
export interface WaitingBounds {
  max: number;
  refusal: () => Error;
}

/** So many calls at once; the others wait, first come first served. */
export class Semaphore {
  private readonly queue: PQueue;
  private readonly waiting: WaitingBounds | undefined;

  constructor(slots: number, waiting?: WaitingBounds) {
    this.queue = new PQueue({ concurrency: slots });
    this.waiting = waiting;
  }

  /**
   * Waits for a slot and resolves with what gives it back. Rejects with the signal's reason when it fires first, and
   * with the bounds' refusal when too many wait already.
   */
  acquire(signal: AbortSignal): Promise<Release> {
    const { queue, waiting } = this;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (waiting && queue.pending >= queue.concurrency && queue.size >= waiting.max) throw waiting.refusal();
      // The queue would give away the slot of a call whose signal fires, so it is told only while the call waits.
      const leftLine = new AbortController();
      const leaveLine = () => leftLine.abort(signal.reason);
      signal.addEventListener("abort", leaveLine, { once: true });
      const use = () => {
        signal.removeEventListener("abort", leaveLine);
        // The slot is held until the caller releases it.
        return new Promise<void>((release) => {
          resolve(release);
        });
      };
      queue.add(use, { signal: leftLine.signal }).catch(reject);
    });
  }
}
