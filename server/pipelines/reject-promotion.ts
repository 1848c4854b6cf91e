import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { auditPromotion } from "./deploy-pointers.ts";
import { lockForDecision } from "./lock-promotion.ts";
import { presentAgain } from "./present-promotion.ts";
import {
  mayAsRequester,
  placeOf,
  requireOtherPerson,
  requirePromotion,
  standingOf,
} from "./promotion-access.ts";
import { notifyRequester, settleRequest } from "./promotion-notices.ts";
import { closeItems, insertDecision, writePromotion } from "./promotion-queries.ts";
import type { Promotion, PromotionDecision } from "./schemas.ts";

/**
 * Ends an open promotion: one person's rejection is enough. Needs promotions:approve in the target; the requester may
 * withdraw it with promotions:request. Throws `conflict` when it has ended already.
 */
export async function rejectPromotion(
  ctx: Ctx,
  input: PromotionDecision & { id: string },
): Promise<Promotion> {
  const row = await requirePromotion(ctx, "promotions:approve", input.id, async (found) =>
    mayAsRequester(ctx, found, await standingOf(ctx, found)),
  );
  const standing = await standingOf(ctx, row);
  const withdrawn = mayAsRequester(ctx, row, standing);
  if (!withdrawn) authorize(ctx, "promotions:approve", placeOf(row));
  // A key without an owner withdraws what it requested: its own id stands in the history, which is no person's.
  const personId = withdrawn ? (standing.person ?? ctx.actor.id) : requireOtherPerson(standing);
  await inTenant(ctx, async (tx) => {
    await lockForDecision(ctx, tx, row);
    const comment = input.comment || null;
    if (personId !== null)
      await insertDecision(ctx, tx, { promotionId: row.id, personId, decision: "reject", comment });
    await closeItems(tx, ctx.tenantId, row.id);
    const state = withdrawn ? "withdrawn" : "rejected";
    await writePromotion(tx, ctx.tenantId, row.id, { state, decidedAt: ctx.now() });
    await auditPromotion(ctx, tx, `promotion.${state}`, row);
    await settleRequest(ctx, tx, row.id);
    await notifyRequester(ctx, tx, "promotion.rejected", row, standing);
  });
  return presentAgain(ctx, row.id);
}
