import { takeRateLimit } from "../access/rate-limit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { perDb } from "../kernel/per-db.ts";
import { endOf } from "./periods.ts";
import { QuotaCounter } from "./quota-counter.ts";
import type { Refusal } from "./quota-counter.ts";

const counterOf = perDb("quota-counters", (db) => new QuotaCounter(db));

/**
 * Counts messages against what the operator lets the organisation have accepted a day and a month: all of them or none. Returns a
 * function that gives back so many. Throws `quota_exceeded`, with the seconds until counting begins anew.
 */
export async function takeQuota(
  ctx: Pick<Ctx, "db" | "tenantId">,
  messages: number,
): Promise<(messages: number) => void> {
  const counter = counterOf(ctx.db);
  const now = Date.now();
  const refusal = await counter.take(ctx.tenantId, messages, now);
  if (refusal) throw exceeded(refusal, messages, now);
  return (back) => {
    if (back > 0) counter.giveBack(ctx.tenantId, now, back);
  };
}

function exceeded({ period, allowed, used, day }: Refusal, messages: number, now: number): DomainError {
  const resetsAt = endOf(period, day);
  const which = period === "day" ? "a day" : "a month";
  const wanted = messages === 1 ? "this one does" : `these ${String(messages)} do`;
  return new DomainError(
    "quota_exceeded",
    `This organisation may send ${String(allowed)} messages ${which}. ${String(used)} were accepted, and ${wanted} not fit. The count resets at ${resetsAt.toISOString().slice(0, 16)}Z.`,
    { retryAfter: Math.max(1, Math.ceil((resetsAt.getTime() - now) / 1_000)) },
  );
}

/**
 * Counts one request against what the operator lets all keys of the organisation make a minute together. Throws `quota_exceeded`.
 */
export async function takeRequestQuota(ctx: Pick<Ctx, "db" | "tenantId">): Promise<void> {
  const { requestsPerMinute } = await counterOf(ctx.db).quotaOf(ctx.tenantId);
  if (requestsPerMinute === null) return;
  const { tenantId } = ctx;
  const { allowed, resetSeconds } = takeRateLimit({
    db: ctx.db,
    key: { id: tenantId, tenantId, rateLimitPerMinute: requestsPerMinute },
  });
  if (allowed) return;
  throw new DomainError(
    "quota_exceeded",
    `All keys of this organisation together may make ${String(requestsPerMinute)} requests a minute.`,
    { retryAfter: resetSeconds },
  );
}
