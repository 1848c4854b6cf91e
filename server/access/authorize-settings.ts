import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { acrossEnvironments, authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { refuseOtherEnvironments } from "./production-key.ts";

/**
 * Needs settings:manage for the whole organisation, for what is the same in every team and every environment: where data may go,
 * what is kept, who is erased. Keys of all environments may read it, only those of a production environment change it.
 * @param what the setting, as the subject of "is the same in every environment"
 */
export async function authorizeSettings(
  ctx: Ctx,
  purpose: "to read" | "to change",
  what = "It",
): Promise<Catalogue> {
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
  if (purpose === "to change") refuseOtherEnvironments(ctx, catalogue, "settings:manage", what);
  return catalogue;
}
