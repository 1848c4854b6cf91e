import { clearEnded, listEnded } from "../deliverability/holds.ts";
import { alone } from "../kernel/alone.ts";
import type { Db } from "../kernel/db.ts";
import { clearResumed, listResumed } from "../tenancy/suspension.ts";
import { deliveryTasks } from "./delivery-tasks.ts";
import { callAdvance, selectHeld, selectHeldMails } from "./queries.ts";
import type { HeldMessage } from "./queries.ts";

/** Messages in one statement, and the most of one organisation in one run; the next run goes on. */
const chunk = 500;
const mostOfOne = 50_000;
/** What is logged of an organisation whose messages could not be fetched back. */
const failed = "messages that were held could not be fetched back";

/**
 * Fetches back what was held while organisations were suspended, of those that are not any more: each message's job runs in its
 * lane, in turns with everybody's. Returns how many.
 */
export async function resumeHeldMessages(db: Db): Promise<number> {
  let all = 0;
  for (const { id: tenantId, resumedAt } of await listResumed(db))
    await alone(tenantId, failed, async () => {
      const fetched = await fetchBack(db, tenantId, (after) =>
        selectHeld(db, { tenantId, after, limit: chunk }),
      );
      all += fetched;
      if (fetched < mostOfOne) await clearResumed(db, tenantId, resumedAt);
    });
  return all;
}

/**
 * The same for marketing mails to mailboxes whose hold has ended. Those of a group that is held again meanwhile are put off once
 * more. Returns how many.
 */
export async function resumeHeldMails(db: Db): Promise<number> {
  let all = 0;
  for (const ended of await listEnded(db)) {
    const { tenantId, group } = ended;
    await alone(tenantId, failed, async () => {
      const fetched = await fetchBack(db, tenantId, (after) =>
        selectHeldMails(db, { tenantId, group, after, limit: chunk }),
      );
      all += fetched;
      // Looked at once more a minute later, for what was being put off just then.
      if (fetched < mostOfOne && ended.settled) await clearEnded(db, ended);
    });
  }
  return all;
}

async function fetchBack(
  db: Db,
  tenantId: string,
  next: (after: Date | null) => Promise<HeldMessage[]>,
): Promise<number> {
  let fetched = 0;
  let after: Date | null = null;
  for (;;) {
    const held = await next(after);
    if (held.length > 0) {
      const now = held[0]?.now ?? new Date();
      const messages = held.map((message) => ({ tenantId, ...message }));
      const taskOf = await deliveryTasks(db, messages);
      await callAdvance(
        db,
        tenantId,
        messages.map((message) => ({
          tenantId,
          id: message.id,
          kind: "reschedule",
          dueAt: now,
          task: taskOf(message),
        })),
      );
    }
    fetched += held.length;
    // Those of the same moment may be cut by the limit: they are looked at again, and what was fetched is due earlier by now.
    after = held.at(-1)?.dueAt ?? null;
    if (held.length < chunk || fetched >= mostOfOne) return fetched;
  }
}
