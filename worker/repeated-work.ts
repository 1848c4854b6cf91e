import type { Logger } from "../server/kernel/log.ts";

/** Work that is done again and again, so many milliseconds after it ended; a failure is logged and the next turn tries anew. */
export class RepeatedWork {
  private readonly work: () => Promise<unknown>;
  private readonly options: { everyMs: number; log: Logger; failed: string };
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(work: () => Promise<unknown>, options: { everyMs: number; log: Logger; failed: string }) {
    this.work = work;
    this.options = options;
  }

  start(): void {
    const { log, failed, everyMs } = this.options;
    this.running = this.work()
      .then(() => undefined)
      .catch((error: unknown) => {
        log.warn({ err: error }, failed);
      })
      .finally(() => {
        if (!this.closed) this.timer = setTimeout(() => this.start(), everyMs);
      });
  }

  /** Resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
