import { isDeepStrictEqual } from "node:util";
import { findHolders } from "../access/find-holders.ts";
import { findPerson } from "../access/find-person.ts";
import { refuseOutdated } from "../access/revision.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { settleNotices, writeNotices } from "../notices/write-notices.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { replaceStages } from "../tenancy/pipeline-stages.ts";
import { defaultGates } from "../tenancy/vocabulary.ts";
import { looseningsOf } from "./loosening.ts";
import { lockStages, readProposal, replaceProposal, selectOpenPromotions } from "./pipeline-queries.ts";
import { refuseForeignChange, refuseStranding, requirePipeline, revisionOf } from "./pipeline-rules.ts";
import { presentPipelines } from "./present-pipeline.ts";
import type { Pipeline, PipelineUpdate, Stage } from "./schemas.ts";

/** How many people are notified of a change that waits for one of them. */
const maxNotified = 50;

/**
 * Replaces the stages and gates of an application's pipeline. Needs pipelines:manage in its unit; an API key may change
 * only what concerns its own environment. A change that loosens it is not made but waits in `proposal` until another
 * person who may make it confirms it; where nobody else could, it is made at once and the audit trail says so. What is
 * live in a removed stage stays live there. Throws `not_found`, `invalid_request` for invalid stages,
 * `environment_mismatch`, `permission_denied` when a key without an owner would loosen it, `conflict` when a promotion is
 * open between two stages that would no longer be neighbours, and `revision_conflict` when `revision` is given and
 * somebody has changed the pipeline, or proposed to, since.
 */
export async function updatePipeline(ctx: Ctx, input: PipelineUpdate): Promise<Pipeline> {
  const { catalogue, application } = await requirePipeline(ctx, input.application);
  const wanted = resolveStages(catalogue, input.stages);
  const person = await findPerson(ctx, ctx.actor);
  await inTenant(ctx, async (tx) => {
    const { tenantId } = ctx;
    const before = await lockStages(tx, tenantId, application.id, "to change");
    const waiting = await readProposal(tx, tenantId, application.id);
    refuseOutdated("the pipeline, or proposed to,", input.revision, revisionOf(before, waiting));
    const after = wanted.map((stage) => ({
      ...stage,
      gates:
        stage.gates ??
        before.find(({ environmentId }) => environmentId === stage.environmentId)?.gates ??
        defaultGates(stage.kind),
    }));
    refuseForeignChange(ctx, before, after);
    refuseStranding(await selectOpenPromotions(tx, tenantId, application.id), after, catalogue);
    const stages = { before: before.map(stored), after: after.map(stored) };
    // As it is, and nothing waits that this would take back.
    if (isDeepStrictEqual(stages.before, stages.after) && !waiting) return;
    const about = {
      targetType: "application",
      targetId: application.id,
      unitId: application.unitId,
      data: { application: application.name, ...stages },
    };
    const loosens = looseningsOf(before, after);
    const others = loosens.length > 0 ? await secondPersons(ctx, tx, application.unitId, person) : [];
    if (others.length > 0 && person !== null) {
      const proposal = { id: newId(), before: stages.before, stages: stages.after, loosens };
      await replaceProposal(tx, tenantId, application.id, {
        ...proposal,
        personId: person,
        actorName: ctx.actor.name,
        createdAt: ctx.now(),
      });
      await settleNotices(ctx, tx, { kind: "pipeline.proposed", targetId: application.id });
      await writeNotices(ctx, tx, others, {
        kind: "pipeline.proposed",
        targetType: "application",
        targetId: application.id,
        data: { by: ctx.actor.name, application: application.name },
      });
      await recordAudit(ctx, tx, {
        ...about,
        action: "pipeline.loosening_proposed",
        data: { ...about.data, loosens },
      });
      return;
    }
    await replaceStages(tx, tenantId, application.id, stages.after);
    // A waiting change was based on stages that have changed.
    await replaceProposal(tx, tenantId, application.id, null);
    await settleNotices(ctx, tx, { kind: "pipeline.proposed", targetId: application.id });
    await recordAudit(ctx, tx, {
      ...about,
      action: "pipeline.updated",
      data: { ...about.data, ...(loosens.length > 0 ? { loosens, confirmedBy: null } : {}) },
    });
  });
  forgetCatalogue(ctx.tenantId);
  const [pipeline] = await presentPipelines(ctx, catalogue.environments, [application]);
  if (!pipeline) throw new Error("the application was there");
  return pipeline;
}

const stored = ({ environmentId, gates }: Pick<Stage, "environmentId" | "gates">) => ({
  environmentId,
  gates,
});

/**
 * Who could confirm a loosening by this person. If nobody could, the person is the only one who may change pipelines,
 * so an owner, who could create a second account anyway. The system acts for the operator and needs nobody.
 */
async function secondPersons(ctx: Ctx, tx: Tx, unitId: string, person: string | null): Promise<string[]> {
  if (ctx.actor.type === "system") return [];
  if (person === null) {
    throw new DomainError(
      "permission_denied",
      "A pipeline is loosened by two people. This API key is nobody's in particular, since it was made at set-up or several people have had it: use one that a member made, or rotate it.",
    );
  }
  const holders = await findHolders(tx, ctx.tenantId, {
    permission: "pipelines:manage",
    unitId,
    limit: maxNotified,
  });
  return holders.filter((id) => id !== person);
}

function resolveStages(catalogue: Catalogue, stages: PipelineUpdate["stages"]) {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const resolved = stages.flatMap(({ environment: named, gates }, index) => {
    const environment = catalogue.environments.find((entry) => entry.slug === named || entry.id === named);
    const pointer = `/stages/${String(index)}/environment`;
    if (!environment) {
      const known = catalogue.environments.filter(({ kind }) => kind !== "sandbox").map(({ slug }) => slug);
      errors.push({
        pointer,
        code: "unknown_environment",
        detail: `The environments are ${known.join(", ")}`,
      });
      return [];
    }
    if (environment.kind === "sandbox") {
      errors.push({ pointer, code: "sandbox", detail: "The sandbox is not part of a pipeline" });
    } else if (seen.has(environment.id)) {
      errors.push({ pointer, code: "repeated", detail: "Each stage once" });
    }
    seen.add(environment.id);
    return [{ environmentId: environment.id, environment: environment.slug, kind: environment.kind, gates }];
  });
  if (errors.length > 0) throw new DomainError("invalid_request", "The pipeline is not valid.", { errors });
  return resolved;
}
