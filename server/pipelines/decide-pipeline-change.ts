import { findPerson } from "../access/find-person.ts";
import { refuseAgents } from "../access/refuse-agents.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { settleNotices } from "../notices/write-notices.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { replaceStages } from "../tenancy/pipeline-stages.ts";
import { lockStages, readProposal, replaceProposal, selectOpenPromotions } from "./pipeline-queries.ts";
import { refuseForeignChange, refuseStranding, requirePipeline } from "./pipeline-rules.ts";
import { presentPipelines } from "./present-pipeline.ts";
import type { Pipeline, PipelineDecision } from "./schemas.ts";

/**
 * Makes a change that loosens a pipeline, as a second person with pipelines:manage there. Throws `not_found` when no
 * such change waits, `permission_denied` for its proposer and for a key without an owner, and `conflict` when the
 * pipeline has changed since or an open promotion would lose its stages.
 */
export async function confirmPipelineChange(ctx: Ctx, input: PipelineDecision): Promise<Pipeline> {
  refuseAgents(ctx);
  return decide(ctx, input, "confirm");
}

/** Drops a waiting change: anybody with pipelines:manage there may, including its proposer. Throws `not_found`. */
export async function withdrawPipelineChange(ctx: Ctx, input: PipelineDecision): Promise<Pipeline> {
  return decide(ctx, input, "withdraw");
}

async function decide(
  ctx: Ctx,
  input: PipelineDecision,
  decision: "confirm" | "withdraw",
): Promise<Pipeline> {
  const { catalogue, application } = await requirePipeline(ctx, input.application);
  const person = await findPerson(ctx, ctx.actor);
  await inTenant(ctx, async (tx) => {
    const { tenantId } = ctx;
    const before = await lockStages(tx, tenantId, application.id, "to change");
    const proposal = await readProposal(tx, tenantId, application.id);
    if (proposal?.id !== input.id.toLowerCase()) throw notFound();
    if (decision === "confirm") {
      if (person === null || person === proposal.personId) {
        throw new DomainError(
          "permission_denied",
          "Loosening a pipeline takes two people. The proposer can't confirm it, nor can an API key without an owner.",
        );
      }
      const now = before.map(({ environmentId, gates }) => ({ environmentId, gates }));
      if (jsonHash(now) !== jsonHash(proposal.before)) {
        throw new DomainError(
          "conflict",
          "The pipeline has changed since this was proposed. Propose it again.",
        );
      }
      refuseForeignChange(ctx, before, proposal.stages);
      refuseStranding(await selectOpenPromotions(tx, tenantId, application.id), proposal.stages, catalogue);
      await replaceStages(tx, tenantId, application.id, proposal.stages);
    }
    await replaceProposal(tx, tenantId, application.id, null);
    await settleNotices(ctx, tx, { kind: "pipeline.proposed", targetId: application.id });
    await recordAudit(ctx, tx, {
      action: decision === "confirm" ? "pipeline.updated" : "pipeline.loosening_withdrawn",
      targetType: "application",
      targetId: application.id,
      unitId: application.unitId,
      data: {
        application: application.name,
        before: proposal.before,
        after: proposal.stages,
        loosens: proposal.loosens,
        proposedBy: proposal.personId,
      },
    });
  });
  forgetCatalogue(ctx.tenantId);
  const [pipeline] = await presentPipelines(ctx, catalogue.environments, [application]);
  if (!pipeline) throw new Error("the application was there");
  return pipeline;
}
