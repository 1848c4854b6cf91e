import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { lockPointers, movePointers } from "../templates/move-pointers.ts";
import { selectMoved } from "./pointer-queries.ts";
import { movedConcurrently } from "./promotion-conflict.ts";
import { closeItems, selectItemVersions, writePromotion } from "./promotion-queries.ts";
import type { PromotionRow } from "./promotion-queries.ts";

/** How many templates an audit event lists; the promotion itself has them all. */
const auditedTemplates = 200;

export type Deployed = Pick<
  PromotionRow,
  "id" | "unitId" | "application" | "fromEnvironment" | "toEnvironment" | "toEnvironmentId" | "templates"
>;

/**
 * Makes a locked promotion's versions live, all or none, in the caller's transaction. Throws `promotion_conflict` when the
 * stage has changed since the request, or a template was archived. Call `forgetLiveTemplates` after the commit.
 */
export async function deployPointers(ctx: Ctx, tx: Tx, promotion: Deployed): Promise<void> {
  const { tenantId } = ctx;
  await lockPointers(tx, tenantId, promotion.id);
  const moved = await selectMoved(tx, tenantId, promotion.id, "deployment");
  if (moved.length > 0) throw movedConcurrently(moved, "deployment");
  const now = ctx.now();
  if ((await movePointers(tx, tenantId, promotion.id, now)) !== promotion.templates) {
    throw movedConcurrently([], "deployment");
  }
  await closeItems(tx, tenantId, promotion.id);
  await writePromotion(tx, tenantId, promotion.id, {
    state: "deployed",
    deployedAt: now,
    deployedByName: ctx.actor.name,
  });
  await auditPromotion(ctx, tx, "promotion.deployed", promotion);
}

/** What each action changes of the promotion. */
const stateChange: Record<string, { before?: object; after: object }> = {
  "promotion.requested": { after: { state: "pending" } },
  "promotion.approved": { before: { state: "pending" }, after: { state: "approved" } },
  "promotion.rejected": { before: { state: "pending" }, after: { state: "rejected" } },
  "promotion.withdrawn": { before: { state: "pending" }, after: { state: "withdrawn" } },
  "promotion.deployed": { before: { state: "approved" }, after: { state: "deployed" } },
  "promotion.blocked": { before: { automatic: true }, after: { automatic: false } },
  "promotion.rolled_back": { before: { state: "deployed" }, after: { state: "rolled_back" } },
};

/** One audit event of a promotion, with its first templates and their versions before and after. */
export async function auditPromotion(
  ctx: Ctx,
  tx: Tx,
  action: string,
  promotion: Deployed,
  more: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(ctx, tx, {
    action,
    targetType: "promotion",
    targetId: promotion.id,
    unitId: promotion.unitId,
    environmentId: promotion.toEnvironmentId,
    ...stateChange[action],
    data: {
      application: promotion.application,
      from: promotion.fromEnvironment,
      to: promotion.toEnvironment,
      templates: promotion.templates,
      items: await selectItemVersions(tx, ctx.tenantId, promotion.id, auditedTemplates),
      ...more,
    },
  });
}
