import { probeRules } from "../health/health-rules.ts";
import { Batcher } from "../kernel/batcher.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import { deliveryLanes, resumeOrder } from "./lanes.ts";
import type { DeliveryLane } from "./lanes.ts";
import { callAdvance } from "./queries.ts";
import {
  claimDueConnections,
  deleteNoLongerWaiting,
  scheduleNextCheck,
  insertWaiting,
  markResumed,
  settleResumed,
  selectNextWaiting,
} from "./waiting-queries.ts";
import type { DueConnection, WaitingMessage } from "./waiting-queries.ts";

/**
 * How fast messages resume when their connection works again, in messages under way at once over all processes: `first`
 * to begin with, twice as many each time half of them have arrived, up to `most`; half as many when more fail than
 * arrive.
 */
export const resumeRules = {
  first: 50,
  most: 2_000,
  /** Messages in one statement. */
  chunk: 400,
  /** How often a connection is checked while messages wait for it, and while it is out, ms. */
  every: 250,
  everyWhileOut: 10_000,
  /** For how long a process claims a connection, ms. */
  lease: 10_000,
  /** After this long a resumed message no longer counts as under way, ms: something else delays it. */
  late: 10_000,
  /** Connections that a process checks at once. */
  connections: 20,
  /** How many messages of each lane are checked for still waiting while a connection is out. */
  tidied: 1_000,
} as const;

/** The most unwritten records of a process; further messages come back at the time they were put off to. */
const mostUnwritten = 20_000;

/**
 * Messages that were put off because no connection could take them: recorded while theirs is out, and resumed when it
 * is tried or works again. The database holds the waiting messages and their pace, so that all processes share it and a
 * restart loses nothing; a message that is not recorded comes back at the time it was put off to.
 */
export class WaitingMessages {
  private readonly deps: { db: Db; log: Logger };
  private readonly notes: Batcher<WaitingMessage, undefined>;
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(deps: { db: Db; log: Logger }) {
    this.deps = deps;
    this.notes = new Batcher(
      async (messages) => {
        await insertWaiting(deps.db, messages);
        return messages.map(() => undefined);
      },
      { delayMs: 5, maxItems: resumeRules.chunk, maxParallel: 1 },
    );
  }

  /**
   * Records that a message was put off to `dueAt` because a connection is out. Never rejects.
   * @param message.whileOut not if the connection works, as far as is recorded: the message was put off for its own failure
   */
  async note(message: {
    tenantId: string;
    connectionId: string;
    notificationId: string;
    lane: DeliveryLane;
    dueAt: Date;
    whileOut: boolean;
  }): Promise<void> {
    if (this.notes.size >= mostUnwritten) return;
    const { lane, ...rest } = message;
    try {
      await this.notes.add({ ...rest, priority: resumeOrder[lane] });
    } catch (error) {
      this.deps.log.warn({ err: error }, "a waiting message was not recorded; it comes back later");
    }
  }

  /** Starts checking connections, several times a second while messages wait. */
  start(): void {
    const look = (): void => {
      this.underWay = this.tick()
        .catch((error: unknown) => {
          this.deps.log.warn({ err: error }, "checking waiting messages failed");
          return 0;
        })
        .then((found) => {
          if (!this.closed)
            this.timer = setTimeout(look, found > 0 ? resumeRules.every : 4 * resumeRules.every);
        });
    };
    look();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.underWay;
  }

  /** Checks the connections that are due; one that fails is checked again when its claim is over. Returns how many. */
  async tick(): Promise<number> {
    const due = await claimDueConnections(this.deps.db, {
      limit: resumeRules.connections,
      leaseMs: resumeRules.lease,
    });
    for (const wake of due) {
      try {
        await this.check(wake);
      } catch (error) {
        const { tenantId, connectionId } = wake;
        this.deps.log.warn({ err: error, tenantId, connectionId }, "checking waiting messages failed");
      }
    }
    return due.length;
  }

  private async check(wake: DueConnection): Promise<void> {
    const { db } = this.deps;
    if (wake.breaker === "open") {
      await deleteNoLongerWaiting(db, wake, resumeRules.tidied);
      const inMs = resumeRules.everyWhileOut;
      await scheduleNextCheck(db, wake, { inMs, idleInMs: inMs, size: 0 });
      return;
    }
    const resumed = await settleResumed(db, wake, resumeRules.late);
    const size =
      wake.breaker === "closed"
        ? nextSize(wake.size, resumed)
        : probeRules.trials[wake.trial ?? "full"].slots;
    await this.wake(wake, size - resumed.underWay);
    await scheduleNextCheck(db, wake, { inMs: resumeRules.every, idleInMs: 4 * resumeRules.every, size });
  }

  private async wake(wake: DueConnection, count: number): Promise<void> {
    const { db } = this.deps;
    for (let left = count; left > 0;) {
      const { looked, waiting } = await selectNextWaiting(db, wake, Math.min(left, resumeRules.chunk));
      if (looked === 0) return;
      if (waiting.length === 0) continue;
      await callAdvance(
        db,
        null,
        waiting.map(({ notificationId, priority, now }) => ({
          tenantId: wake.tenantId,
          id: notificationId,
          kind: "reschedule",
          dueAt: now,
          task: taskOf(priority),
        })),
      );
      await markResumed(db, wake, waiting);
      left -= waiting.length;
    }
  }
}

/** How many messages may be under way next, by how the previous ones fared. */
export function nextSize(
  size: number,
  resumed: { arrived: number; failed: number; underWay: number },
): number {
  if (size === 0) return resumeRules.first;
  if (resumed.failed > resumed.arrived) return Math.max(resumeRules.first, Math.floor(size / 2));
  if (resumed.arrived === 0 || resumed.underWay > size / 2) return size;
  return Math.min(resumeRules.most, size * 2);
}

function taskOf(priority: number): string {
  const lanes = Object.keys(deliveryLanes) as DeliveryLane[];
  return deliveryLanes[lanes.find((lane) => resumeOrder[lane] === priority) ?? "bulk"].name;
}
