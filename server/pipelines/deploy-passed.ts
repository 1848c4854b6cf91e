import { systemCtx } from "../access/system-ctx.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { auditPromotion, deployPointers } from "./deploy-pointers.ts";
import { loadGateFacts } from "./gate-facts.ts";
import { allPassed, evaluateGates } from "./gates.ts";
import { lockForDecision } from "./lock-promotion.ts";
import { standingOf } from "./promotion-access.ts";
import { notifyBlocked, notifyRequester, settleRequest } from "./promotion-notices.ts";
import { selectApproved, selectItems, selectPromotion, writePromotion } from "./promotion-queries.ts";
import type { PromotionRow } from "./promotion-queries.ts";

/** Promotions of one run. */
const perRun = 200;
/** After so long, ms, a run begins no more: the next one comes in a minute. */
const runMs = 30_000;

/**
 * Deploys automatic promotions of all organisations (worker's role) that have their approvals and whose last other gate has passed
 * since. One that can't be deployed, because its stage has changed, waits for a person from then on, and somebody is told. Returns how
 * many were deployed.
 */
export async function deployPassed({ db, log }: { db: Db; log: Logger }): Promise<number> {
  const until = performance.now() + runMs;
  let deployed = 0;
  for (const { tenantId, id } of await selectApproved(db, perRun)) {
    if (performance.now() > until) break;
    try {
      if (await deployIfPassed(systemCtx(db, tenantId, "Automatic deployment"), id)) deployed += 1;
    } catch (error) {
      log.error({ err: error, tenantId, promotionId: id }, "an automatic promotion was not deployed");
    }
  }
  if (deployed > 0) forgetLiveTemplates();
  return deployed;
}

async function deployIfPassed(ctx: Ctx, id: string): Promise<boolean> {
  const row = await selectPromotion(ctx, id);
  if (!row) return false;
  const facts = await loadGateFacts(ctx, row.toEnvironmentId, await selectItems(ctx, id));
  // Most wait for long: nothing is locked for them. Approvals are counted under the lock.
  if (!allPassed(evaluateGates({ ...row.gates, approvals: 0 }, 0, facts))) return false;
  const standing = await standingOf(ctx, row);
  try {
    return await inTenant(ctx, async (tx) => {
      const promotion = await lockForDecision(ctx, tx, row);
      if (!promotion.automatic || !allPassed(await promotion.gates(facts))) return false;
      await deployPointers(ctx, tx, row);
      await settleRequest(ctx, tx, id);
      await notifyRequester(ctx, tx, "promotion.deployed", row, standing);
      return true;
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "promotion_conflict") await leaveToPeople(ctx, row);
    // Otherwise somebody has ended it in the meantime.
    return false;
  }
}

/** From now on somebody has to deploy it, or to request it again. */
async function leaveToPeople(ctx: Ctx, row: PromotionRow): Promise<void> {
  await inTenant(ctx, async (tx) => {
    const { state, automatic } = await lockForDecision(ctx, tx, row);
    if (!automatic) return;
    await writePromotion(tx, ctx.tenantId, row.id, { state, automatic: false });
    await auditPromotion(ctx, tx, "promotion.blocked", row);
    await notifyBlocked(ctx, tx, row);
  });
}
