import { alone } from "../kernel/alone.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { lockApproval, lockHeldMessages, selectOverdueApprovals, writeDecision } from "./approval-queries.ts";
import { advanceInTransaction } from "./queries.ts";

/** Requests that one run ends at most; the rest is the next minute's. */
const atOnce = 200;
/** After so long, ms, a run begins no more: what else is swept must not wait. */
const runMs = 20_000;

const reason = { code: "approval_expired" as const, detail: "Nobody approved it in time." };

/**
 * Ends what has waited too long for a person, of all tenants; one that cannot be ended is left for a later run. Returns how many
 * requests ended.
 */
export async function expireApprovals(db: Db, now = new Date()): Promise<number> {
  const until = performance.now() + runMs;
  let ended = 0;
  for (const { tenantId, id } of await selectOverdueApprovals(db, atOnce)) {
    if (performance.now() > until) break;
    await alone(tenantId, "a request that nobody approved could not be ended", async () => {
      if (await expire(db, tenantId, id, now)) ended++;
    });
  }
  return ended;
}

function expire(db: Db, tenantId: string, id: string, now: Date): Promise<boolean> {
  return inTenant({ db, tenantId }, async (tx) => {
    if ((await lockApproval(tx, tenantId, id))?.state !== "waiting") return false;
    const held = await lockHeldMessages(tx, tenantId, id);
    await advanceInTransaction(
      tx,
      tenantId,
      held.map((message) => ({ tenantId, id: message.id, kind: "transition", to: "expired", reason })),
    );
    await writeDecision(tx, tenantId, id, { state: "expired", decidedAt: now });
    return true;
  });
}
