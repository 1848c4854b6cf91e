import { systemCtx } from "../access/system-ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { enqueue } from "../kernel/tasks.ts";
import { finishCounting, saveCount, selectCounting } from "./queries.ts";
import { groupPage } from "./read-groups.ts";
import { countContactGroup } from "./tasks.ts";

/** How long one job counts. */
const sliceMs = 5_000;
/** Contacts of one statement. */
const atOnce = 5_000;

/**
 * Goes on with counting a group that is a filter, and adds a job for the rest. What was counted is noted only if nobody else went on
 * from there, and if the filter is still the same: of two jobs for one group, one ends.
 */
export async function countGroup(
  deps: { db: Db },
  key: { tenantId: string; groupId: string },
  options: { sliceMs?: number; atOnce?: number } = {},
): Promise<void> {
  const { tenantId, groupId } = key;
  const limit = options.atOnce ?? atOnce;
  const deadline = Date.now() + (options.sliceMs ?? sliceMs);
  let state = await selectCounting(deps.db, tenantId, groupId);
  while (state) {
    const { after, soFar, filter } = state;
    const page = await groupPage(deps.db.pool, { tenantId, groupId, after, limit });
    const count = soFar + page.contactIds.length;
    if (page.next === null) {
      await finishCounting(deps.db, tenantId, groupId, { filter, after, size: count, at: new Date() });
      return;
    }
    if (!(await saveCount(deps.db, tenantId, groupId, { filter, after, next: page.next, soFar: count })))
      return;
    state = { filter, after: page.next, soFar: count };
    if (Date.now() > deadline) {
      const ctx = systemCtx(deps.db, tenantId, "Counting");
      await inTenant(ctx, (tx) => enqueue(tx, countContactGroup, key, { priority: 50 }));
      return;
    }
  }
}
