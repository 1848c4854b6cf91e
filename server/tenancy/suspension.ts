import { ttlCache } from "../kernel/cache.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { selectResumed, selectSuspended } from "./suspension-queries.ts";

export { clearResumed, markResumed, markSuspended } from "./suspension-queries.ts";

// An organisation that is stopped must be refused everywhere within 5 s: this long, plus the look.
const cache = ttlCache<ReadonlySet<string>>({
  name: "suspended organisations",
  ttlMs: 2_000,
  max: 1,
  ahead: true,
});

/** Whether the operator has stopped an organisation: one short list for a whole process, at most two seconds old. */
export async function isSuspended(db: Pick<Db, "pool">, tenantId: string): Promise<boolean> {
  const all = await cache.get("all", async () => new Set(await selectSuspended(db)));
  return all?.has(tenantId) ?? false;
}

/** Throws `organisation_suspended`. */
export async function refuseSuspended(db: Pick<Db, "pool">, tenantId: string): Promise<void> {
  if (!(await isSuspended(db, tenantId))) return;
  throw new DomainError("organisation_suspended", "This organisation is suspended. Contact your operator.");
}

/**
 * Organisations that were set going again and of which messages are still held back, once every process has seen it. For the
 * worker.
 */
export function listResumed(db: Pick<Db, "pool">): Promise<{ id: string; resumedAt: Date }[]> {
  return selectResumed(db, 5);
}

/** After a change: this process looks again. */
export function forgetSuspended(): void {
  cache.forget();
}
