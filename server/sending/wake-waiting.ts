import { probeRules } from "../health/health-rules.ts";
import { Batcher } from "../kernel/batcher.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import { deliveryLanes, wakeOrder } from "./lanes.ts";
import type { DeliveryLane } from "./lanes.ts";
import { callAdvance } from "./queries.ts";
import {
  claimWakes,
  deleteGone,
  finishWake,
  insertWaiting,
  markWoken,
  settleWoken,
  takeWaiting,
} from "./waiting-queries.ts";
import type { DueWake, WaitingMessage } from "./waiting-queries.ts";

/**
 * How what waited for a connection comes back, in messages on their way at once over all processes: as many as `first`, twice
 * as many each time half of them have arrived, `most` at the end. Half as many when more fail than arrive.
 */
export const wakeRules = {
  first: 50,
  most: 2_000,
  /** Messages in one statement. */
  chunk: 400,
  /** How often a connection is looked after while messages wait for it, and while it is out, ms. */
  every: 250,
  everyWhileOut: 10_000,
  /** For how long one process has a connection to itself, ms. */
  lease: 10_000,
  /** After so long a message counts as on its way no more, ms: something else holds it up. */
  late: 10_000,
  /** Connections looked after at once by one process. */
  connections: 20,
  /** While a connection is out, so many messages of each lane are looked at, whether they still wait. */
  tidied: 1_000,
} as const;

/** A process that is behind notes no more than so many; others come back when they were put off to. */
const mostUnwritten = 20_000;

/**
 * Messages that were put off because no connection could take them: noted while theirs is out, brought forward when it is
 * tried or works again. The database holds who waits and how fast they may come, so that all processes share one pace and a
 * restart loses nothing; who is not noted comes back later, by itself.
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
      { delayMs: 5, maxItems: wakeRules.chunk, maxParallel: 1 },
    );
  }

  /** Notes that a message was put off to `dueAt` because a connection is out. Never rejects. */
  async note(message: {
    tenantId: string;
    connectionId: string;
    notificationId: string;
    lane: DeliveryLane;
    dueAt: Date;
  }): Promise<void> {
    if (this.notes.size >= mostUnwritten) return;
    const { lane, ...rest } = message;
    try {
      await this.notes.add({ ...rest, priority: wakeOrder[lane] });
    } catch (error) {
      this.deps.log.warn({ err: error }, "a message that waits was not noted; it comes back later");
    }
  }

  /** Begins to look after those who wait, several times a second while there are any. */
  start(): void {
    const look = (): void => {
      this.underWay = this.tick()
        .catch((error: unknown) => {
          this.deps.log.warn({ err: error }, "looking after waiting messages failed");
          return 0;
        })
        .then((found) => {
          if (!this.closed) this.timer = setTimeout(look, found > 0 ? wakeRules.every : 4 * wakeRules.every);
        });
    };
    look();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.underWay;
  }

  /** Does what is due; answers for how many connections. */
  async tick(): Promise<number> {
    const due = await claimWakes(this.deps.db, { limit: wakeRules.connections, leaseMs: wakeRules.lease });
    for (const wake of due) await this.lookAfter(wake);
    return due.length;
  }

  private async lookAfter(wake: DueWake): Promise<void> {
    const { db } = this.deps;
    if (wake.breaker === "open") {
      await deleteGone(db, wake, wakeRules.tidied);
      const inMs = wakeRules.everyWhileOut;
      await finishWake(db, wake, { inMs, idleInMs: inMs, size: 0 });
      return;
    }
    const woken = await settleWoken(db, wake, wakeRules.late);
    const size =
      wake.breaker === "closed" ? nextSize(wake.size, woken) : probeRules.trials[wake.trial ?? "full"].slots;
    await this.wake(wake, size - woken.underWay);
    await finishWake(db, wake, { inMs: wakeRules.every, idleInMs: 4 * wakeRules.every, size });
  }

  private async wake(wake: DueWake, count: number): Promise<void> {
    const { db } = this.deps;
    for (let left = count; left > 0;) {
      const { looked, waiting } = await takeWaiting(db, wake, Math.min(left, wakeRules.chunk));
      if (looked === 0) return;
      if (waiting.length === 0) continue;
      await callAdvance(
        db,
        null,
        waiting.map(({ notificationId, priority, now }) => ({
          tenantId: wake.tenantId,
          id: notificationId,
          dueAt: now.toISOString(),
          task: taskOf(priority),
        })),
      );
      await markWoken(db, wake, waiting);
      left -= waiting.length;
    }
  }
}

/** How many messages may be on their way next, from how those before them fared. */
export function nextSize(size: number, woken: { arrived: number; failed: number; underWay: number }): number {
  if (size === 0) return wakeRules.first;
  if (woken.failed > woken.arrived) return Math.max(wakeRules.first, Math.floor(size / 2));
  if (woken.arrived === 0 || woken.underWay > size / 2) return size;
  return Math.min(wakeRules.most, size * 2);
}

function taskOf(priority: number): string {
  const lanes = Object.keys(deliveryLanes) as DeliveryLane[];
  return deliveryLanes[lanes.find((lane) => wakeOrder[lane] === priority) ?? "bulk"].name;
}
