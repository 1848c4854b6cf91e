import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { lockApproval, lockHeldMessages, selectOverdueApprovals, writeDecision } from "./approval-queries.ts";
import { advanceInTransaction } from "./queries.ts";

/** Requests that one run ends at most; the rest is the next minute's. */
const atOnce = 200;

const reason = { code: "approval_expired" as const, detail: "Nobody approved it in time." };

/** Ends what has waited too long for a person, of all tenants; returns how many requests. */
export async function expireApprovals(db: Db, now = new Date()): Promise<number> {
  const overdue = await selectOverdueApprovals(db, atOnce);
  for (const { tenantId, id } of overdue) {
    await inTenant({ db, tenantId }, async (tx) => {
      if ((await lockApproval(tx, tenantId, id))?.state !== "waiting") return;
      const held = await lockHeldMessages(tx, tenantId, id);
      await advanceInTransaction(
        tx,
        tenantId,
        held.map((message) => ({ tenantId, id: message.id, kind: "transition", to: "expired", reason })),
      );
      await writeDecision(tx, tenantId, id, { state: "expired", decidedAt: now });
    });
  }
  return overdue.length;
}
