import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/** An environment whose settings the caller may manage, by its slug or id; not_found for any other. */
export async function manageableEnvironment(
  ctx: Ctx,
  named: string,
): Promise<{ environment: Catalogue["environments"][number]; tenant: Catalogue["tenant"] }> {
  const { environments, tenant } = await getCatalogue(ctx);
  const environment = environments.find((entry) => entry.slug === named || entry.id === named);
  if (!environment) throw notFound();
  authorize(ctx, "settings:manage", { environmentId: environment.id });
  return { environment, tenant };
}
