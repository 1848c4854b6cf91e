import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { perDb } from "../kernel/per-db.ts";
import type { ApiKeyCtx } from "./authenticate-api-key.ts";
import { addRequests, purgeRateWindows } from "./queries.ts";

/** The state of one key in the current minute, after this request. */
export interface RateLimit {
  /** Requests a minute. */
  limit: number;
  /** Requests left until the window ends. */
  remaining: number;
  /** Seconds until then, at least 1. */
  resetSeconds: number;
  /** False: the request is over the limit, and was not counted. */
  allowed: boolean;
}

interface Window {
  tenantId: string;
  start: number;
  /** Requests of all processes, as of the last exchange. */
  counted: number;
  /** Requests of this process since then; negative when reported ones were given back. */
  fresh: number;
}

const windowMs = 60_000;
const exchangeMs = 1_000;
const purgeMs = 5 * 60_000;

/**
 * Counts the requests of each key in fixed minutes. Every process counts in memory and reports to the others once a
 * second through `rate_windows`, so that no request waits for the database; between two exchanges a key can exceed its
 * limit by what the other processes accept in that second.
 */
export class RateLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly db: Db;
  private timer: NodeJS.Timeout | undefined;
  private exchanging: Promise<void> | undefined;
  private purgedAt = 0;

  constructor(db: Db) {
    this.db = db;
  }

  /** Counts `cost` for a key: one request, or that many messages. Never waits. */
  take(
    key: { id: string; tenantId: string; rateLimitPerMinute: number },
    now: number = Date.now(),
    cost = 1,
  ): RateLimit {
    const start = now - (now % windowMs);
    let window = this.windows.get(key.id);
    if (window?.start !== start) {
      // Counts of a past minute are of no use to anybody.
      window = { tenantId: key.tenantId, start, counted: 0, fresh: 0 };
      this.windows.set(key.id, window);
    }
    const limit = key.rateLimitPerMinute;
    const allowed = window.counted + window.fresh + cost <= limit;
    if (allowed) {
      window.fresh += cost;
      this.timer ??= this.schedule();
    }
    return {
      limit,
      remaining: Math.max(0, limit - window.counted - window.fresh),
      resetSeconds: Math.max(1, Math.ceil((start + windowMs - now) / 1_000)),
      allowed,
    };
  }

  /**
   * Gives back what was counted at `takenAt` and came to nothing; never more than there is. What was already reported
   * to other processes is set against this one's next counts.
   */
  giveBack(keyId: string, takenAt: number, cost: number): void {
    const window = this.windows.get(keyId);
    if (window?.start !== takenAt - (takenAt % windowMs)) return;
    window.fresh = Math.max(window.fresh - cost, -window.counted);
  }

  private schedule(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.timer = undefined;
      void this.exchange();
    }, exchangeMs);
    timer.unref();
    return timer;
  }

  /** Reports this process's counts and reads the sum over all, for all keys in one statement. */
  exchange(now: number = Date.now()): Promise<void> {
    this.exchanging ??= this.run(now).finally(() => {
      this.exchanging = undefined;
    });
    return this.exchanging;
  }

  private async run(now: number): Promise<void> {
    const current = now - (now % windowMs);
    const told: { id: string; window: Window; fresh: number }[] = [];
    for (const [id, window] of this.windows) {
      if (window.start < current) this.windows.delete(id);
      else if (window.fresh > 0) told.push({ id, window, fresh: window.fresh });
    }
    if (told.length === 0) return;
    try {
      const sums = await addRequests(
        this.db,
        told.map(({ id, window, fresh }) => ({
          tenantId: window.tenantId,
          apiKeyId: id,
          windowStart: new Date(window.start),
          used: fresh,
        })),
      );
      for (const { id, window, fresh } of told) {
        window.counted = sums.get(id) ?? window.counted + fresh;
        window.fresh -= fresh;
      }
      if (now - this.purgedAt > purgeMs) {
        this.purgedAt = now;
        await purgeRateWindows(this.db);
      }
    } catch (error) {
      // The database was closed; the process is ending.
      if (this.db.pool.ended) return;
      // The counts are kept and reported next time; until then each process limits by its own.
      logger().warn({ err: error }, "request counts were not exchanged");
      this.timer ??= this.schedule();
    }
  }
}

const limiterOf = perDb("rate-limiters", (db) => new RateLimiter(db));

/** Counts one request of the caller's key and returns whether it may go on. Does not wait and does not throw. */
export function takeRateLimit(caller: {
  db: Db;
  key: Pick<ApiKeyCtx["key"], "id" | "tenantId" | "rateLimitPerMinute">;
}): RateLimit {
  return limiterOf(caller.db).take(caller.key);
}

/** Gives back the request that was counted at `takenAt`, because whoever carries it out counts it again. */
export function giveBackRequest(caller: Parameters<typeof takeRateLimit>[0], takenAt: number): void {
  limiterOf(caller.db).giveBack(caller.key.id, takenAt, 1);
}

/** Throws `rate_limited` where a request is above its key's limit. */
export function refuseAboveLimit({ allowed, limit, resetSeconds }: RateLimit): void {
  if (allowed) return;
  throw new DomainError("rate_limited", `This key may make ${String(limit)} requests a minute.`, {
    retryAfter: resetSeconds,
  });
}

/**
 * Counts messages against an environment's quota a minute: requests alone say little, for one may name a thousand
 * recipients. Throws `rate_limited` without counting anything. Returns a function that gives them back, for when none
 * was accepted.
 */
export function takeMessageQuota(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environment: { id: string; kind: string },
  messages: number,
): () => void {
  const { live, sandbox } = env().messagesPerMinute;
  const limit = environment.kind === "sandbox" ? sandbox : live;
  const key = { id: environment.id, tenantId: ctx.tenantId, rateLimitPerMinute: limit };
  const limiter = limiterOf(ctx.db);
  const now = Date.now();
  const { allowed, resetSeconds } = limiter.take(key, now, messages);
  if (allowed) return () => limiter.giveBack(key.id, now, messages);
  throw new DomainError(
    "rate_limited",
    `${environment.kind === "sandbox" ? "A sandbox" : "This environment"} may send ${String(limit)} messages a minute.`,
    { retryAfter: resetSeconds },
  );
}
