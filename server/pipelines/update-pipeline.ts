import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { defaultGates } from "../tenancy/schemas.ts";
import { requireApplication } from "../templates/template-access.ts";
import { lockStages, replaceStages, selectOpenPromotions, selectStages } from "./pipeline-queries.ts";
import type { Pipeline, PipelineUpdate, Stage } from "./schemas.ts";

/**
 * Replaces the stages and gates of an application's pipeline. Needs pipelines:manage in its unit; an API key may change
 * what concerns its own environment only. What is live in a stage that goes stays live there. Throws `not_found`,
 * `invalid_request` for stages that cannot be, `environment_mismatch`, and `conflict` when a promotion is under way between
 * two stages that would not be neighbours any more.
 */
export async function updatePipeline(ctx: Ctx, input: PipelineUpdate): Promise<Pipeline> {
  const { catalogue, application } = await requireApplication(
    ctx,
    "pipelines:manage",
    input.application,
  ).catch((error: unknown) => {
    // It is named in the path: as unknown as everything else that is not there.
    throw error instanceof DomainError && error.code === "unknown_application" ? notFound() : error;
  });
  const wanted = resolveStages(catalogue, input.stages);
  await inTenant(ctx, async (tx) => {
    const before = await lockStages(tx, ctx.tenantId, application.id, "to change");
    const after = wanted.map((stage) => ({
      environmentId: stage.id,
      gates:
        stage.gates ??
        before.find(({ environmentId }) => environmentId === stage.id)?.gates ??
        defaultGates(stage.kind),
    }));
    refuseForeignChange(ctx, before, after);
    const open = await selectOpenPromotions(tx, ctx.tenantId, application.id);
    refuseStranding(open, after, catalogue);
    await replaceStages(tx, ctx.tenantId, application.id, after);
    await recordAudit(ctx, tx, {
      action: "pipeline.updated",
      targetType: "application",
      targetId: application.id,
      unitId: application.unitId,
      data: {
        application: application.name,
        before: before.map(({ environmentId, gates }) => ({ environmentId, gates })),
        after,
      },
    });
  });
  forgetCatalogue(ctx.tenantId);
  return {
    application: application.name,
    applicationId: application.id,
    title: application.title,
    unitId: application.unitId,
    stages: (await selectStages(ctx, [application.id])).get(application.id) ?? [],
  };
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
    return [{ id: environment.id, kind: environment.kind, gates }];
  });
  if (errors.length > 0) throw new DomainError("invalid_request", "The pipeline is not valid.", { errors });
  return resolved;
}

type StageOf = Pick<Stage, "environmentId" | "gates">;

/** A key of one environment must not loosen the gates of another, nor make it the first stage, where saves go live by themselves. */
function refuseForeignChange(ctx: Ctx, before: readonly StageOf[], after: readonly StageOf[]): void {
  if (ctx.actor.type === "system") return;
  const own = new Set(
    ctx.grants
      .filter(({ permissions }) => permissions.has("pipelines:manage"))
      .map(({ environmentId }) => environmentId),
  );
  if (own.has(null)) return;
  const foreign = (stages: readonly StageOf[]) =>
    JSON.stringify(
      stages
        .map((stage, position) => ({ ...stage, isFirst: position === 0 }))
        .filter(({ environmentId }) => !own.has(environmentId))
        .map(({ environmentId, isFirst, gates: { approvals, moderation, whatsappApproval, testSend } }) => [
          environmentId,
          isFirst,
          approvals,
          moderation,
          whatsappApproval,
          testSend,
        ]),
    );
  if (foreign(before) === foreign(after)) return;
  throw new DomainError(
    "environment_mismatch",
    "An API key may change the stage of its own environment only; leave the other stages, their gates, and which of them is the first as they are.",
  );
}

function refuseStranding(
  open: readonly { id: string; from: string; to: string; requestedBy: string }[],
  after: readonly StageOf[],
  catalogue: Catalogue,
): void {
  const stranded = open.filter(({ from, to }) => {
    const position = after.findIndex(({ environmentId }) => environmentId === to);
    return position < 1 || after[position - 1]?.environmentId !== from;
  });
  const [first] = stranded;
  if (!first) return;
  const slug = (id: string) => catalogue.environments.find((entry) => entry.id === id)?.slug ?? id;
  throw new DomainError(
    "conflict",
    `${stranded.length === 1 ? "A promotion is" : `${String(stranded.length)} promotions are`} under way that this change would leave without its stages, e.g. from ${slug(first.from)} to ${slug(first.to)}, requested by ${first.requestedBy}. Deploy or reject ${stranded.length === 1 ? "it" : "them"} first.`,
    {
      extra: {
        promotions: stranded.slice(0, 50).map(({ id, from, to, requestedBy }) => ({
          id,
          from: slug(from),
          to: slug(to),
          requestedBy,
        })),
      },
    },
  );
}
