import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { deployPointers } from "./deploy-pointers.ts";
import { loadGateFacts } from "./gate-facts.ts";
import { lockForDecision } from "./lock-promotion.ts";
import { presentAgain } from "./present-promotion.ts";
import { mayAsRequester, refuseAgentAlone, requirePromotion, standingOf } from "./promotion-access.ts";
import { notifyRequester, settleRequest } from "./promotion-notices.ts";
import { selectItems } from "./promotion-queries.ts";
import type { Promotion } from "./schemas.ts";

/**
 * Deploys a promotion whose gates have all passed. Needs promotions:approve in the target; the requester needs only
 * promotions:request, because others have approved. Throws `conflict` with the gates' results while one of them has not
 * passed, `promotion_conflict` when the stage has changed since the request, and `agent_limit` for an agent where production
 * needs no approval.
 */
export async function deployPromotion(ctx: Ctx, input: { id: string }): Promise<Promotion> {
  const row = await requirePromotion(ctx, "promotions:approve", input.id, async (found) =>
    mayAsRequester(ctx, found, await standingOf(ctx, found)),
  );
  const standing = await standingOf(ctx, row);
  const facts = await loadGateFacts(ctx, row.toEnvironmentId, await selectItems(ctx, row.id));
  refuseAgentAlone(ctx, row.gates, facts);
  await inTenant(ctx, async (tx) => {
    const promotion = await lockForDecision(ctx, tx, row);
    const gates = await promotion.gates(facts);
    const missing = gates.filter(({ state }) => state !== "passed");
    if (missing.length > 0) {
      throw new DomainError(
        "conflict",
        `Not all gates have passed. ${missing.map(({ detail }) => detail).join(" ")}`,
        { extra: { gates } },
      );
    }
    await deployPointers(ctx, tx, row);
    await settleRequest(ctx, tx, row.id);
    await notifyRequester(ctx, tx, "promotion.deployed", row, standing);
  });
  forgetLiveTemplates();
  return presentAgain(ctx, row.id);
}
