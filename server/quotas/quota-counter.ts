import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { dateOf, dayOf, monthStart } from "./periods.ts";
import type { Period } from "./periods.ts";
import { addQuotaUse, purgeQuotaDays } from "./queries.ts";
import type { QuotaState } from "./queries.ts";
import { noQuota } from "./schemas.ts";
import type { Quota } from "./schemas.ts";
import { tellOfQuota } from "./tell-of-quota.ts";
import type { QuotaLevel } from "./tell-of-quota.ts";

interface Count {
  readonly tenantId: string;
  quota: Quota;
  /** The day that `used` is of, and the first one of its month. */
  day: number;
  month: number;
  /** What all processes had accepted when it was last read. */
  used: Record<Period, number>;
  /** What this process has accepted since, by day; negative when reported ones were given back. */
  readonly fresh: Map<number, number>;
  /** Something was refused because it did not fit. */
  readonly refused: Set<Period>;
  /** What was told last, e.g. "19723 1000 80". */
  readonly told: Partial<Record<Period, string>>;
  askedAt: number;
  readAt: number;
}

/** What does not fit. */
export interface Refusal {
  period: Period;
  allowed: number;
  used: number;
  day: number;
}

const periods = [
  { period: "day", limit: "messagesPerDay" },
  { period: "month", limit: "messagesPerMonth" },
] as const;
const exchangeMs = 1_000;
/** Whoever asks after this long without an exchange waits for one: the process had nothing to do, or the database is slow. */
const staleMs = 3_000;
/** An organisation that nobody asked for is left out of the exchange. */
const idleMs = 60_000;
const purgeMs = 3_600_000;

/**
 * Counts the messages of each organisation by day and month (UTC). Every process counts in memory and reports to the others once a
 * second, for all organisations in one statement that answers with what everybody has accepted and what is allowed: no request waits
 * for the database but the first one after a rest, and no row is locked while one is accepted. So an organisation can exceed its
 * quota by what the other processes accept between two exchanges: a second, at most three. All of that is counted; a process that
 * dies without a word takes with it what it accepted since its last exchange.
 */
export class QuotaCounter {
  private readonly counts = new Map<string, Count>();
  private readonly db: Db;
  private timer: NodeJS.Timeout | undefined;
  private exchanging: Promise<void> | undefined;
  private telling = false;
  private purgedAt = performance.now();

  constructor(db: Db) {
    this.db = db;
  }

  /** What an organisation may do, known at most three seconds. */
  async quotaOf(tenantId: string, now: number = Date.now()): Promise<Quota> {
    return (await this.current(tenantId, now)).quota;
  }

  /** Counts messages, all or none: returns what does not fit. */
  async take(tenantId: string, messages: number, now: number = Date.now()): Promise<Refusal | undefined> {
    const count = await this.current(tenantId, now);
    const { quota, day } = count;
    const { messagesPerDay, messagesPerMonth } = quota;
    if (messagesPerMonth !== null && usedIn(count, "month") + messages > messagesPerMonth) {
      return refuse(count, "month", messagesPerMonth);
    }
    if (messagesPerDay !== null && usedIn(count, "day") + messages > messagesPerDay) {
      return refuse(count, "day", messagesPerDay);
    }
    count.fresh.set(day, (count.fresh.get(day) ?? 0) + messages);
    return undefined;
  }

  /** Gives back what was counted at `takenAt` and came to nothing. */
  giveBack(tenantId: string, takenAt: number, messages: number): void {
    const day = dayOf(takenAt);
    const count = this.counts.get(tenantId) ?? this.add(tenantId, day);
    count.fresh.set(day, (count.fresh.get(day) ?? 0) - messages);
    this.timer ??= this.schedule();
  }

  private async current(tenantId: string, now: number): Promise<Count> {
    const day = dayOf(now);
    const count = this.counts.get(tenantId) ?? this.add(tenantId, day);
    if (count.day !== day) turnTo(count, day);
    const asked = performance.now();
    count.askedAt = asked;
    this.timer ??= this.schedule();
    // One that is under way may have begun without this organisation.
    for (let i = 0; i < 2 && asked - count.readAt > staleMs; i++) await this.exchange();
    return count;
  }

  private add(tenantId: string, day: number): Count {
    const count: Count = {
      tenantId,
      quota: noQuota,
      day,
      month: monthStart(day),
      used: { day: 0, month: 0 },
      fresh: new Map(),
      refused: new Set(),
      told: {},
      askedAt: performance.now(),
      readAt: -Infinity,
    };
    this.counts.set(tenantId, count);
    return count;
  }

  private schedule(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.timer = undefined;
      this.exchange().catch((error: unknown) => {
        // The database was closed; the process is ending.
        if (this.db.pool.ended) return;
        // The counts are kept and reported next time.
        logger().warn({ err: error }, "quota counts were not exchanged");
        this.timer ??= this.schedule();
      });
    }, exchangeMs);
    timer.unref();
    return timer;
  }

  /** Reports this process's counts and reads quotas and sums, in one statement. Throws when the database cannot be asked. */
  exchange(): Promise<void> {
    this.exchanging ??= this.run().finally(() => {
      this.exchanging = undefined;
    });
    return this.exchanging;
  }

  private async run(): Promise<void> {
    const told: { count: Count; day: number; used: number }[] = [];
    const begun = performance.now();
    for (const count of this.counts.values()) {
      const idle = begun - count.askedAt > idleMs;
      let owes = false;
      for (const [day, used] of count.fresh) {
        if (used !== 0) owes = true;
        else if (day !== count.day) count.fresh.delete(day);
        if (used !== 0 && day !== count.day) told.push({ count, day, used });
      }
      if (idle && !owes) this.counts.delete(count.tenantId);
      else told.push({ count, day: count.day, used: count.fresh.get(count.day) ?? 0 });
    }
    if (told.length === 0) return;
    const states = await addQuotaUse(
      this.db,
      told.map(({ count, day, used }) => ({ tenantId: count.tenantId, day: dateOf(day), used })),
    );
    const answers = new Map(states.map((state) => [`${state.tenantId} ${state.day}`, state]));
    for (const { count, day, used } of told) {
      count.fresh.set(day, (count.fresh.get(day) ?? 0) - used);
      note(count, day, answers.get(`${count.tenantId} ${dateOf(day)}`), used, begun);
    }
    this.timer ??= this.schedule();
    void this.follow();
  }

  /** Tells organisations that have used up a quota, or nearly, and purges; nobody waits for it. */
  private async follow(): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    try {
      for (const count of this.counts.values()) {
        for (const level of levelsOf(count)) {
          const key = `${level.startsOn} ${level.allowed} ${level.percent}`;
          if (count.told[level.period] === key) continue;
          await tellOfQuota(this.db, count.tenantId, level);
          count.told[level.period] = key;
        }
      }
      if (performance.now() - this.purgedAt > purgeMs) {
        this.purgedAt = performance.now();
        await purgeQuotaDays(this.db);
      }
    } catch (error) {
      if (!this.db.pool.ended)
        logger().warn({ err: error }, "nobody was told of a quota, or old counts were not purged");
    } finally {
      this.telling = false;
    }
  }
}

function usedIn(count: Count, period: Period): number {
  if (period === "day") return count.used.day + (count.fresh.get(count.day) ?? 0);
  let used = count.used.month;
  for (const [day, fresh] of count.fresh) if (day >= count.month && day <= count.day) used += fresh;
  return used;
}

function refuse(count: Count, period: Period, allowed: number): Refusal {
  count.refused.add(period);
  return { period, allowed, used: usedIn(count, period), day: count.day };
}

/** Another day has begun: nothing of it is used yet, as far as is known here, and of the month what was. */
function turnTo(count: Count, day: number): void {
  const month = monthStart(day);
  count.day = day;
  count.used.day = 0;
  count.refused.clear();
  if (month !== count.month) count.used.month = 0;
  count.month = month;
}

function note(count: Count, day: number, state: QuotaState | undefined, reported: number, at: number): void {
  if (day === count.day) {
    const quota = state ?? noQuota;
    // What did not fit another quota says nothing of this one.
    if (!periods.every(({ limit }) => quota[limit] === count.quota[limit])) count.refused.clear();
    count.quota = quota;
    count.used.day = state?.usedDay ?? 0;
    count.used.month = state?.usedMonth ?? 0;
    count.readAt = at;
  } else if (day >= count.month && day < count.day) {
    // A day that has ended: its messages are the month's, too. What is read of today comes after it and has them in it.
    count.used.month += reported;
  }
}

/** At which levels the quotas of an organisation are: from 80 %, and when all is used or something did not fit. */
function levelsOf(count: Count): QuotaLevel[] {
  return periods.flatMap(({ period, limit }): QuotaLevel[] => {
    const allowed = count.quota[limit];
    const used = usedIn(count, period);
    if (allowed === null || used < allowed * 0.8) return [];
    const percent = used >= allowed || count.refused.has(period) ? 100 : 80;
    return [{ period, startsOn: period === "day" ? count.day : count.month, allowed, used, percent }];
  });
}
