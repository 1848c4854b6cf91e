import type { Db } from "../server/kernel/db.ts";
import type { Logger } from "../server/kernel/log.ts";

const everyMs = 250;
/** Jobs of a task at once: more than a lane carries in that time. */
const limit = 1_000;

/**
 * Gives jobs that have become due (scheduled, put off, failed) their turn among the waiting ones; see give_turns().
 * Does nothing in a lane without waiting jobs.
 */
export class TurnScheduler {
  private readonly deps: { db: Db; log: Logger; tasks: string[] };
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(deps: { db: Db; log: Logger; tasks: string[] }) {
    this.deps = deps;
  }

  start(): void {
    const { db, log, tasks } = this.deps;
    db.pool
      .query("SELECT give_turns($1, $2)", [tasks, limit])
      .catch((error: unknown) => {
        log.warn({ err: error }, "giving turns to what became due failed");
      })
      .finally(() => {
        if (!this.closed) this.timer = setTimeout(() => this.start(), everyMs);
      });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
