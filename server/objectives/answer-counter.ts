import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { perDb } from "../kernel/per-db.ts";
import { noteAnswers } from "./queries.ts";

interface MinuteCount {
  tenantId: string;
  minute: number;
  good: number;
  missed: number;
  /** Something was counted that the database has not. */
  fresh: boolean;
}

const minuteMs = 60_000;
/** How long a minute is kept that could not be written; the database takes none older than an hour. */
const keptMs = 59 * minuteMs;
const exchangeMs = 5_000;
/** Organisations and minutes that are kept at most. More do not fit in a process that answers a few thousand requests a second. */
const most = 50_000;

/**
 * Counts answers to send requests by organisation and minute. A process writes its own count of a minute, as far as it has come, every
 * few seconds, for all organisations in one statement, and says with it that it is there. A call that fails, or whose outcome nobody
 * knows, is made again with what there is by then: nothing is lost and nothing counted twice. A process that dies takes with it what
 * it counted since its last exchange; one without the database for an hour loses what is older.
 */
export class AnswerCounter {
  private readonly counts = new Map<string, MinuteCount>();
  private readonly processId = newId();
  private readonly db: Db;
  private timer: NodeJS.Timeout | undefined;
  private exchanging: Promise<void> | undefined;

  constructor(db: Db) {
    this.db = db;
  }

  /** Counts an answer by its status: what was accepted, and what was refused by our fault. Other refusals are the caller's. */
  count(tenantId: string, status: number, now: number = Date.now()): void {
    if (status >= 400 && status < 500) return;
    const minute = Math.floor(now / minuteMs) * minuteMs;
    const key = `${tenantId} ${String(minute)}`;
    let count = this.counts.get(key);
    if (!count) {
      if (this.counts.size >= most) return;
      count = { tenantId, minute, good: 0, missed: 0, fresh: true };
      this.counts.set(key, count);
    }
    if (status < 400) count.good++;
    else count.missed++;
    count.fresh = true;
  }

  /** Begins to write, and to say that the process is there. */
  start(): void {
    if (this.timer) return;
    this.schedule(0);
  }

  private schedule(after: number): void {
    this.timer = setTimeout(() => {
      this.exchange()
        .catch((error: unknown) => {
          if (!this.db.pool.ended) logger().warn({ err: error }, "counts of answers were not written");
        })
        .finally(() => {
          if (!this.db.pool.ended) this.schedule(exchangeMs);
        });
    }, after);
    this.timer.unref();
  }

  /** Writes what the database has not. Throws when it cannot be asked; then everything is kept. */
  exchange(now: number = Date.now()): Promise<void> {
    this.exchanging ??= this.run(now).finally(() => {
      this.exchanging = undefined;
    });
    return this.exchanging;
  }

  private async run(now: number): Promise<void> {
    const rows: MinuteCount[] = [];
    for (const [key, count] of this.counts) {
      const old = now - count.minute > keptMs;
      // A minute that is over gets no more, but an answer may still be on its way to be counted.
      const over = !count.fresh && now - count.minute > 2 * minuteMs;
      if (old || over) this.counts.delete(key);
      else if (count.fresh) rows.push({ ...count });
    }
    await noteAnswers(this.db, this.processId, rows);
    for (const { tenantId, minute, good, missed } of rows) {
      const count = this.counts.get(`${tenantId} ${String(minute)}`);
      if (count?.good === good && count.missed === missed) count.fresh = false;
    }
  }
}

export const answerCounter = perDb("answer-counters", (db) => new AnswerCounter(db));
