import { buildChains } from "../server/audit/build-chains.ts";
import type { Db } from "../server/kernel/db.ts";
import type { Logger } from "../server/kernel/log.ts";

const everyMs = 5_000;

/** Puts new audit events into their chains every few seconds. Of several processes one does it at a time. */
export class AuditChainer {
  private readonly deps: { db: Db; log: Logger };
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(deps: { db: Db; log: Logger }) {
    this.deps = deps;
  }

  start(): void {
    const { db, log } = this.deps;
    this.running = buildChains(db)
      .then(() => undefined)
      .catch((error: unknown) => {
        log.warn({ err: error }, "chaining audit events failed");
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
