import { reachesProduction } from "../access/production-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/**
 * Which of the two ledgers an environment has, that of the sandbox or that of all others, for a caller who may read or write it. An
 * address belongs to no team: a permission that somebody has in one team, or a key for one application, is enough. Throws
 * `environment_mismatch` for a key of another environment than production that would write what production goes by.
 */
export async function ledgerOf(
  ctx: Ctx,
  permission: "consent:read" | "consent:write",
  environmentId: string,
): Promise<{ sandbox: boolean; catalogue: Catalogue }> {
  const everyTeam = ctx.grants.map((grant) => ({ ...grant, unitId: null, applicationId: null }));
  authorize({ ...ctx, grants: everyTeam }, permission, { environmentId });
  const catalogue = await getCatalogue(ctx);
  const environment = catalogue.environments.find(({ id }) => id === environmentId);
  if (!environment) throw notFound();
  const sandbox = environment.kind === "sandbox";
  if (permission === "consent:write" && !sandbox && !reachesProduction(ctx, catalogue, permission)) {
    throw new DomainError(
      "environment_mismatch",
      "Consent is the same in every environment but the sandbox: of API keys, only one of production can record it.",
    );
  }
  return { sandbox, catalogue };
}
