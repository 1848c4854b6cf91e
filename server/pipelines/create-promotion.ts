import { findPerson } from "../access/find-person.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { authorizeInEnvironment, requireApplication } from "../templates/template-access.ts";
import { auditPromotion, deployPointers } from "./deploy-pointers.ts";
import { loadGateFacts } from "./gate-facts.ts";
import { allPassed, evaluateGates } from "./gates.ts";
import { lockStages, selectStages } from "./pipeline-queries.ts";
import { neighbours, planItems } from "./plan-promotion.ts";
import { insertItems, selectHolding, selectMoved } from "./pointer-queries.ts";
import { presentAgain } from "./present-promotion.ts";
import { refuseAgentAlone } from "./promotion-access.ts";
import { heldByOther, movedConcurrently } from "./promotion-conflict.ts";
import { notifyApprovers } from "./promotion-notices.ts";
import type { Promotion, PromotionCreate } from "./schemas.ts";

/**
 * Requests that versions that are live in one stage go live in the next, all or none. With `automatic`, it is deployed
 * at once if all gates of the stage have passed. Needs promotions:request in the target: a key's own environment.
 * Throws `unknown_application`, `environment_mismatch`, `invalid_request` for what cannot be promoted,
 * `permission_denied` for a key without an owner where approvals are needed, `agent_limit` for an agent where production
 * needs none, and `promotion_conflict` when another promotion into the stage holds one of the templates.
 */
export async function createPromotion(ctx: Ctx, input: PromotionCreate): Promise<Promotion> {
  const { application } = await requireApplication(ctx, "promotions:request", input.application);
  const stages = (await selectStages(ctx, [application.id])).get(application.id) ?? [];
  const { from, to } = neighbours(stages, input.to);
  const place = { unitId: application.unitId, applicationId: application.id };
  authorizeInEnvironment(ctx, "promotions:request", { ...place, environmentId: to.environmentId });
  const items = await planItems(ctx, { applicationId: application.id, from, to }, input.templates);
  const facts = await loadGateFacts(ctx, to.environmentId, items);
  const requester = await findPerson(ctx, ctx.actor);

  const id = newId();
  const promotion = {
    id,
    unitId: application.unitId,
    application: application.name,
    fromEnvironment: from.environment,
    toEnvironment: to.environment,
    toEnvironmentId: to.environmentId,
    templates: items.length,
  };
  await inTenant(ctx, async (tx) => {
    const { tenantId } = ctx;
    const now = await lockStages(tx, tenantId, application.id, "to use");
    const position = now.findIndex(({ environmentId }) => environmentId === to.environmentId);
    const stage = now[position];
    if (!stage || now[position - 1]?.environmentId !== from.environmentId) {
      throw new DomainError("conflict", "The pipeline was changed at the same moment. Look at it again.");
    }
    if (stage.gates.approvals > 0) requireRequester(ctx, requester);
    refuseAgentAlone(ctx, stage.gates, facts);
    const gates = evaluateGates(stage.gates, 0, facts);
    const approved = gates.every(({ gate, state }) => gate !== "approvals" || state === "passed");
    await tx.promotion.create({
      data: {
        tenantId,
        id,
        applicationId: application.id,
        unitId: application.unitId,
        fromEnvironmentId: from.environmentId,
        toEnvironmentId: to.environmentId,
        state: approved ? "approved" : "pending",
        note: input.note || null,
        gates: stage.gates,
        automatic: input.automatic,
        requestedByType: ctx.actor.type,
        requestedById: ctx.actor.id,
        requestedByName: ctx.actor.name,
        requestedByPersonId: requester,
        requestedAt: ctx.now(),
        decidedAt: approved ? ctx.now() : null,
      },
    });
    const row = { tenantId, promotionId: id, toEnvironmentId: to.environmentId };
    if ((await insertItems(tx, row, items)) !== items.length) {
      const templateIds = items.map(({ templateId }) => templateId);
      throw heldByOther(await selectHolding(tx, tenantId, to.environmentId, templateIds, id));
    }
    // A deployment that committed while this request waited has changed what it was based on.
    const moved = await selectMoved(tx, tenantId, id, "deployment");
    if (moved.length > 0) throw movedConcurrently(moved, "request");
    await auditPromotion(ctx, tx, "promotion.requested", promotion, { automatic: input.automatic });
    if (input.automatic && allPassed(gates)) await deployPointers(ctx, tx, promotion);
    else if (!approved) await notifyApprovers(ctx, tx, promotion, requester);
  });
  forgetLiveTemplates();
  return presentAgain(ctx, id);
}

/** The approver might be behind a key without an owner: what needs an approval is requested by a person. */
function requireRequester(ctx: Ctx, requester: string | null): void {
  if (ctx.actor.type !== "apiKey" || requester !== null) return;
  throw new DomainError(
    "permission_denied",
    "A promotion that needs approvals is requested by a person. This API key is nobody's in particular, since it was made at set-up or several people have had it: use one that a member made, or rotate it.",
  );
}
