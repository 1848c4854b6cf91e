import { refuseOtherEnvironments } from "../access/production-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { acrossEnvironments, authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";

/**
 * Needs organization:manage for the whole tenant to change its notification types, and of API keys one of a production
 * environment. Throws `environment_mismatch` for another.
 */
export async function authorizeTypeChange(ctx: Ctx): Promise<void> {
  const permission = "organization:manage";
  authorize(acrossEnvironments(ctx), permission, {});
  refuseOtherEnvironments(ctx, await getCatalogue(ctx), permission, "A notification type");
}
