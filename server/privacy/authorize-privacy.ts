import { reachesProduction } from "../access/production-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { acrossEnvironments, authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/**
 * Needs settings:manage for the whole organisation: what is kept, and what is erased, concerns every team and every
 * environment. Of API keys only those of a production environment may change it.
 */
export async function authorizePrivacy(ctx: Ctx, purpose: "to read" | "to change"): Promise<Catalogue> {
  try {
    authorize(acrossEnvironments(ctx), "settings:manage", {});
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(
      "permission_denied",
      "This needs the permission settings:manage for the whole organisation.",
    );
  }
  const catalogue = await getCatalogue(ctx);
  if (purpose === "to change" && !reachesProduction(ctx, catalogue, "settings:manage")) {
    throw new DomainError(
      "environment_mismatch",
      "It is the same in every environment: only an API key of a production environment can change it.",
    );
  }
  return catalogue;
}
