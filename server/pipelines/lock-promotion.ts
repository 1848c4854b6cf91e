import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { lockPipeline } from "../tenancy/pipeline-stages.ts";
import { evaluateGates } from "./gates.ts";
import type { GateFacts } from "./gates.ts";
import { isOpen } from "./present-promotion.ts";
import { countApprovals, lockPromotion } from "./promotion-queries.ts";
import type { PromotionRow } from "./promotion-queries.ts";
import type { GateResult, PromotionState } from "./schemas.ts";

const ends: Record<PromotionState, string> = {
  pending: "is in progress",
  approved: "is in progress",
  deployed: "is deployed",
  rejected: "was rejected",
  withdrawn: "was withdrawn",
  rolled_back: "was rolled back",
};

/** The error for what a promotion's state does not allow. */
export function refuseState(state: PromotionState): DomainError {
  return new DomainError("conflict", `The promotion ${ends[state]} already.`, { extra: { state } });
}

/** An open promotion, locked until the transaction ends. */
export interface LockedPromotion {
  state: PromotionState;
  automatic: boolean;
  /** The present results of the gates as of the request, with the decisions that this transaction sees. */
  gates: (facts: GateFacts) => Promise<GateResult[]>;
}

/** Locks an open promotion and the pipeline for the transaction. Throws `conflict` for one that has ended. */
export async function lockForDecision(ctx: Ctx, tx: Tx, row: PromotionRow): Promise<LockedPromotion> {
  await lockPipeline(tx, ctx.tenantId, row.applicationId, "to use");
  const { state, automatic } = await lockPromotion(tx, ctx.tenantId, row.id);
  if (!isOpen({ state })) throw refuseState(state);
  return {
    state,
    automatic,
    gates: async (facts) => evaluateGates(row.gates, await countApprovals(tx, ctx.tenantId, row.id), facts),
  };
}
