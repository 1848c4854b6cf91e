import type { Tx } from "../kernel/db.ts";
import { unsent } from "./delivery-policy.ts";
import type { NotificationChange } from "./notification-change.ts";
import { advanceInTransaction, selectOpenOf } from "./queries.ts";

/**
 * Ends what is still to be sent to addresses that are being erased, in the caller's transaction: what no provider has is
 * canceled, and what is in doubt is not tried again. Returns how many are with a provider at this moment, which is for a
 * minute at most: those end by themselves.
 */
export async function endForErasure(
  tx: Tx,
  tenantId: string,
  addresses: readonly string[],
  limit: number,
): Promise<{ ended: number; underWay: number }> {
  const open = await selectOpenOf(tx, tenantId, addresses, limit);
  const free = open.filter(({ openAttempt }) => openAttempt === null);
  const detail = "The recipient was erased.";
  const changes = free.map(({ id, unknownOutcomes }): NotificationChange => {
    const ending = unsent(unknownOutcomes, { canceled: detail, inDoubt: detail });
    return { tenantId, id, kind: "transition", ...ending };
  });
  const ended = changes.length > 0 ? await advanceInTransaction(tx, tenantId, changes) : 0;
  return { ended, underWay: open.length - free.length };
}
