import { LRUCache } from "lru-cache";
import { findHolders } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { withoutOpenNotice, writeNotices } from "../notices/write-notices.ts";
import { lockLimits } from "./queries.ts";

export const unreadable = "recipient_limits.unreadable";

/** Beyond this nobody feels responsible. */
const maxTold = 200;

/** Organisations that were told of in the last hour by this process; their notices stay until they are read. */
const told = new LRUCache<string, true>({ max: 2_000, ttl: 3_600_000 });

/** Tells those who can set limits anew that theirs cannot be read and hold marketing back. Never rejects. */
export async function tellUnreadable(db: Db, tenantId: string): Promise<void> {
  if (told.has(tenantId)) return;
  told.set(tenantId, true);
  const ctx = systemCtx(db, tenantId, "Delivery");
  const about = { kind: unreadable, targetType: "tenant", targetId: tenantId } as const;
  try {
    await inTenant(ctx, async (tx) => {
      // One process at a time, so that nobody is told twice.
      await lockLimits(tx, tenantId);
      const holders = await findHolders(tx, tenantId, {
        permission: "settings:manage",
        unitId: null,
        limit: maxTold,
      });
      await writeNotices(ctx, tx, await withoutOpenNotice(ctx, tx, holders, about), { ...about, data: {} });
    });
  } catch (error) {
    told.delete(tenantId);
    logger().warn({ err: error, tenantId }, "nobody could be told of limits that cannot be read");
  }
}

/** Told again the next time. */
export function forgetTold(tenantId: string): void {
  told.delete(tenantId);
}
