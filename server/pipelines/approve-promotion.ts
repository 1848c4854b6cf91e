import { refuseAgents } from "../access/refuse-agents.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { auditPromotion, deployPointers } from "./deploy-pointers.ts";
import { loadGateFacts } from "./gate-facts.ts";
import { allPassed } from "./gates.ts";
import { lockForDecision } from "./lock-promotion.ts";
import { presentAgain } from "./present-promotion.ts";
import { requireOtherPerson, requirePromotion, standingOf } from "./promotion-access.ts";
import { notifyRequester, settleRequest } from "./promotion-notices.ts";
import { insertDecision, selectItems, writePromotion } from "./promotion-queries.ts";
import type { Promotion, PromotionDecision } from "./schemas.ts";

/**
 * Approves a promotion, once per person. If that was the last open gate of an automatic one, it is deployed in the same
 * transaction. Needs promotions:approve in the target. Throws `permission_denied` for the requester, `conflict` when it
 * is decided or the person has approved before, and `promotion_conflict` when it can no longer be deployed; the
 * approval is then not stored.
 */
export async function approvePromotion(
  ctx: Ctx,
  input: PromotionDecision & { id: string },
): Promise<Promotion> {
  refuseAgents(ctx);
  const row = await requirePromotion(ctx, "promotions:approve", input.id);
  const standing = await standingOf(ctx, row);
  const personId = requireOtherPerson(standing);
  const facts = await loadGateFacts(ctx, row.toEnvironmentId, await selectItems(ctx, row.id));
  await inTenant(ctx, async (tx) => {
    const promotion = await lockForDecision(ctx, tx, row);
    const comment = input.comment || null;
    if (!(await insertDecision(ctx, tx, { promotionId: row.id, personId, decision: "approve", comment }))) {
      throw new DomainError("conflict", "You have already decided on this promotion.");
    }
    const gates = await promotion.gates(facts);
    const approved = gates.every(({ gate, state }) => gate !== "approvals" || state === "passed");
    if (approved && promotion.state === "pending") {
      await writePromotion(tx, ctx.tenantId, row.id, { state: "approved", decidedAt: ctx.now() });
      await settleRequest(ctx, tx, row.id);
    }
    await auditPromotion(ctx, tx, "promotion.approved", row);
    const deploys = promotion.automatic && allPassed(gates);
    if (deploys) await deployPointers(ctx, tx, row);
    await notifyRequester(ctx, tx, deploys ? "promotion.deployed" : "promotion.approved", row, standing);
  });
  forgetLiveTemplates();
  return presentAgain(ctx, row.id);
}
