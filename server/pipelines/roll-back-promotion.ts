import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { lockPointers, restorePointers } from "../templates/move-pointers.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { auditPromotion } from "./deploy-pointers.ts";
import { refuseState } from "./lock-promotion.ts";
import { selectMoved } from "./pointer-queries.ts";
import { presentAgain } from "./present-promotion.ts";
import { requirePromotion, standingOf } from "./promotion-access.ts";
import { movedConcurrently } from "./promotion-conflict.ts";
import { notifyRequester } from "./promotion-notices.ts";
import { lockPromotion, writePromotion } from "./promotion-queries.ts";
import type { Promotion, PromotionRollback } from "./schemas.ts";

/**
 * Restores exactly the pointers that a deployed promotion replaced, all or none; what was not live before is removed
 * from the stage again. Needs promotions:approve in the target. Throws `promotion_conflict`, naming the templates, when
 * something later has moved one of them, unless `force`: then these are restored as well.
 */
export async function rollBackPromotion(
  ctx: Ctx,
  input: PromotionRollback & { id: string },
): Promise<Promotion> {
  const row = await requirePromotion(ctx, "promotions:approve", input.id);
  const standing = await standingOf(ctx, row);
  await inTenant(ctx, async (tx) => {
    const { tenantId } = ctx;
    const { state } = await lockPromotion(tx, tenantId, row.id);
    if (state === "rolled_back") throw refuseState(state);
    if (state !== "deployed") {
      throw new DomainError("conflict", "The promotion is not deployed: there is nothing to roll back.", {
        extra: { state },
      });
    }
    await lockPointers(tx, tenantId, row.id);
    const moved = await selectMoved(tx, tenantId, row.id, "rollback");
    if (moved.length > 0 && !input.force) throw movedConcurrently(moved, "rollback");
    const now = ctx.now();
    await restorePointers(tx, tenantId, row.id, now);
    await writePromotion(tx, tenantId, row.id, {
      state: "rolled_back",
      rolledBackAt: now,
      rolledBackByName: ctx.actor.name,
      rollbackNote: input.note || null,
    });
    await auditPromotion(ctx, tx, "promotion.rolled_back", row, {
      forced: moved.map(({ templateId, version }) => ({ templateId, version })),
    });
    await notifyRequester(ctx, tx, "promotion.rolled_back", row, standing);
  });
  forgetLiveTemplates();
  return presentAgain(ctx, row.id);
}
