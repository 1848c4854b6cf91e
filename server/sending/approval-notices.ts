import { findHolders } from "../access/find-holders.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { settleNotices, withoutOpenNotice, writeNotices } from "../notices/write-notices.ts";
import { isWaiting } from "./approval-queries.ts";

/** Beyond this nobody feels responsible. */
const maxNotified = 200;
const kind = "send.approval_requested";

/**
 * Notifies everybody who may decide that an agent waits for them: once for each agent's key until they have read it, however much
 * it asks for. The request stands also when nobody can be notified.
 */
export async function notifyDeciders(ctx: Ctx, unitId: string, application: string): Promise<void> {
  const { id, name } = ctx.actor;
  if (id === null) return;
  try {
    await inTenant(ctx, async (tx) => {
      const holders = await findHolders(tx, ctx.tenantId, {
        permission: "notifications:send",
        unitId,
        limit: maxNotified,
      });
      await writeNotices(ctx, tx, await withoutOpenNotice(ctx, tx, holders, { kind, targetId: id }), {
        kind,
        targetType: "api_key",
        targetId: id,
        data: { by: name, application },
      });
    });
  } catch (error) {
    logger().warn(
      { err: error, tenantId: ctx.tenantId, apiKeyId: id },
      "nobody was told that an agent waits",
    );
  }
}

/** After a decision, in its transaction: once nothing of the key waits any more, its notices are settled. */
export async function settleDecided(ctx: Ctx, tx: Tx, apiKeyId: string): Promise<void> {
  if (!(await isWaiting(tx, ctx.tenantId, apiKeyId)))
    await settleNotices(ctx, tx, { kind, targetId: apiKeyId });
}
