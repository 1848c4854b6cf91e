import { reachesProduction } from "../access/production-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { acrossEnvironments, authorize, may } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";

/**
 * Lets a caller at contacts. They belong to no team: a permission that somebody has in one team is enough. They are real people, the
 * same in every environment: of API keys, only one of production gets at them. `reveal`: addresses and attributes are shown, which
 * takes content:reveal for the whole organisation.
 */
export async function accessContacts(
  ctx: Ctx,
  permission: "contacts:read" | "contacts:write",
): Promise<{ reveal: boolean }> {
  const everyTeam = {
    ...ctx,
    grants: ctx.grants.map((grant) => ({ ...grant, unitId: null, applicationId: null, environmentId: null })),
  };
  authorize(everyTeam, permission, {});
  const catalogue = await getCatalogue(ctx);
  if (!reachesProduction(ctx, catalogue, permission)) {
    throw new DomainError(
      "environment_mismatch",
      "Contacts are the same in every environment: of API keys, only one of production gets at them.",
    );
  }
  return {
    reveal: may(everyTeam, "contacts:read", {}) && may(acrossEnvironments(ctx), "content:reveal", {}),
  };
}
