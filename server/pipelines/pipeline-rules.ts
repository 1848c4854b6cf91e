import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { requireApplication } from "../templates/template-access.ts";
import type { Stage } from "./schemas.ts";

/** The application of a pipeline: `not_found` unless the actor manages pipelines there. */
export async function requirePipeline(ctx: Ctx, named: string) {
  return requireApplication(ctx, "pipelines:manage", named).catch((error: unknown) => {
    // It is named in the path, so it gets the same answer as everything else that does not exist.
    throw error instanceof DomainError && error.code === "unknown_application" ? notFound() : error;
  });
}

type StageOf = Pick<Stage, "environmentId" | "gates">;

/** Tells whether a pipeline, and the change that waits for a second person, are still what they were. */
export function revisionOf(stages: readonly StageOf[], proposal: { id: string } | undefined): string {
  return jsonHash({
    stages: stages.map(({ environmentId, gates }) => ({ environmentId, gates })),
    proposal: proposal?.id ?? null,
  });
}

/** A key of one environment must not loosen the gates of another, nor make it the first stage, where saves go live by themselves. */
export function refuseForeignChange(ctx: Ctx, before: readonly StageOf[], after: readonly StageOf[]): void {
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
        .map(
          ({
            environmentId,
            isFirst,
            gates: { approvals, moderation, whatsappApproval, whatsappCategory, testSend, humanReview },
          }) => [
            environmentId,
            isFirst,
            approvals,
            moderation,
            whatsappApproval,
            whatsappCategory,
            testSend,
            humanReview,
          ],
        ),
    );
  if (foreign(before) === foreign(after)) return;
  throw new DomainError(
    "environment_mismatch",
    "An API key may change the stage of its own environment only; leave the other stages, their gates, and which of them is the first as they are.",
  );
}

/** The two stages of an open promotion must stay neighbours. */
export function refuseStranding(
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
    `This change would leave ${stranded.length === 1 ? "a promotion in progress without its" : `${String(stranded.length)} promotions in progress without their`} stages, e.g. from ${slug(first.from)} to ${slug(first.to)}, requested by ${first.requestedBy}. Deploy or reject ${stranded.length === 1 ? "it" : "them"} first.`,
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
