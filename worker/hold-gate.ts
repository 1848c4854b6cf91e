import type { Logger } from "../server/kernel/log.ts";
import type { Db } from "../server/kernel/db.ts";
import { gauge } from "../server/kernel/metrics.ts";
import { selectHold } from "../server/platform/sending-hold.ts";

const everyMs = 1_000;

const held = gauge("tidings_sending_held", "1 while sending is on hold in the whole installation");

/**
 * Keeps a worker process from its work while sending is on hold. It looks once a second, so that no message costs a round trip more.
 *
 * A process that cannot read whether there is a hold does not begin: it might send what must not go out. One that works goes on
 * when it cannot look: without the database it can take no job either, and a database that was replaced under it ends its session,
 * and with it the process.
 */
export class HoldGate {
  private readonly db: Pick<Db, "pool">;
  private readonly log: Logger;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private wake: (() => void) | undefined;

  constructor(deps: { db: Pick<Db, "pool">; log: Logger }) {
    this.db = deps.db;
    this.log = deps.log;
  }

  /**
   * Resolves when nothing is held: true; false when the gate was closed before.
   * @param onWaiting called once, when it has to be waited for
   */
  async released(onWaiting: () => Promise<unknown>): Promise<boolean> {
    let said: string | undefined;
    while (!this.isClosed()) {
      let problem: string;
      try {
        const hold = await selectHold(this.db.pool);
        held.set(hold ? 1 : 0);
        if (this.isClosed()) return false;
        if (!hold) {
          if (said !== undefined) this.log.info("sending is released");
          return true;
        }
        problem =
          "sending is on hold: this process takes no jobs until it is released (npm run hold -- release)";
        if (said !== problem) this.log.warn({ since: hold.heldAt, reason: hold.reason }, problem);
      } catch (error) {
        problem = "whether sending is on hold could not be read; this process takes no jobs before it knows";
        if (said !== problem) this.log.error({ err: error }, problem);
      }
      if (said === undefined) await onWaiting();
      said = problem;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        this.timer = setTimeout(resolve, everyMs);
      });
    }
    return false;
  }

  /** Calls `onHold` once when a hold begins. */
  watch(onHold: () => void): void {
    const look = () => {
      selectHold(this.db.pool)
        .then((hold) => {
          held.set(hold ? 1 : 0);
          if (!hold || this.closed) return;
          this.close();
          this.log.warn({ reason: hold.reason }, "sending is put on hold");
          onHold();
        })
        .catch((error: unknown) => this.log.warn({ err: error }, "looking for a hold of sending failed"))
        .finally(() => {
          if (!this.closed) this.timer = setTimeout(look, everyMs);
        });
    };
    this.timer = setTimeout(look, everyMs);
  }

  /** Asked anew after whatever was waited for. */
  private isClosed(): boolean {
    return this.closed;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.wake?.();
  }
}
