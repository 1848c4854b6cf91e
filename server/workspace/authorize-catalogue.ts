import { reachesProduction } from "../access/production-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { acrossEnvironments, authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";

/**
 * Needs organization:manage for the whole tenant, for what is the same in every environment; API keys of other environments than
 * production may not change it. Throws `environment_mismatch` for those.
 * @param what as the subject of "is the same in every environment"
 */
export async function authorizeCatalogueChange(ctx: Ctx, what: string): Promise<void> {
  authorize(acrossEnvironments(ctx), "organization:manage", {});
  if (reachesProduction(ctx, await getCatalogue(ctx), "organization:manage")) return;
  throw new DomainError(
    "environment_mismatch",
    `${what} is the same in every environment: only an API key of a production environment can change it.`,
  );
}
