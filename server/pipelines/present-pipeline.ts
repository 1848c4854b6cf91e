import { findPerson } from "../access/find-person.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { may } from "../operations/authorize.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { selectProposals, selectStages } from "./pipeline-queries.ts";
import { revisionOf } from "./pipeline-rules.ts";
import type { Pipeline } from "./schemas.ts";

/**
 * The pipelines of applications, with the change that waits for a second person and whether the actor can be that
 * person.
 */
export async function presentPipelines(
  ctx: Ctx,
  environments: Catalogue["environments"],
  applications: Catalogue["applications"],
): Promise<Pipeline[]> {
  const ids = applications.map(({ id }) => id);
  const [stages, proposals, person] = await Promise.all([
    selectStages(ctx, ids),
    selectProposals(ctx, ids),
    findPerson(ctx, ctx.actor),
  ]);
  const slug = (id: string) => environments.find((entry) => entry.id === id)?.slug ?? id;
  return applications.map((application) => {
    const proposal = proposals.get(application.id);
    const ordered = stages.get(application.id) ?? [];
    const manages = may(ctx, "pipelines:manage", {
      unitId: application.unitId,
      applicationId: application.id,
    });
    return {
      application: application.name,
      applicationId: application.id,
      title: application.title,
      unitId: application.unitId,
      stages: ordered,
      proposal: proposal
        ? {
            id: proposal.id,
            stages: proposal.stages.map((stage) => ({ ...stage, environment: slug(stage.environmentId) })),
            loosens: proposal.loosens,
            requestedBy: proposal.actorName,
            requestedAt: proposal.createdAt.toISOString(),
            may: {
              confirm: manages && person !== null && person !== proposal.personId,
              withdraw: manages,
            },
          }
        : null,
      revision: revisionOf(ordered, proposal),
    };
  });
}
