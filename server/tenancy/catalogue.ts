import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { selectCatalogue } from "./queries.ts";
import type { Catalogue } from "./queries.ts";

export type {
  Catalogue,
  CatalogueApplication,
  CatalogueEnvironment,
  CatalogueNotificationType,
} from "./queries.ts";

const cache = ttlCache<Catalogue>({ name: "catalogue", ttlMs: 1_000, max: 2_000, ahead: true });

/**
 * The tenant's applications, environments, units and notification types; at most one second old. Shared between calls
 * and unfiltered: do not change it, and check what the actor may see. Throws `not_found` when the tenant is gone.
 */
export async function getCatalogue(ctx: Pick<Ctx, "db" | "tenantId">): Promise<Catalogue> {
  const catalogue = await findCatalogue(ctx);
  if (!catalogue) throw notFound();
  return catalogue;
}

/** Like getCatalogue(); null when the tenant is gone. */
export async function findCatalogue(ctx: Pick<Ctx, "db" | "tenantId">): Promise<Catalogue | null> {
  return (await cache.get(ctx.tenantId, () => selectCatalogue(ctx))) ?? null;
}

/** The default regions of the tenant's applications: in their national form people write numbers. */
export function defaultRegions({ applications }: Pick<Catalogue, "applications">): string[] {
  return [...new Set(applications.map(({ defaultRegion }) => defaultRegion))].slice(0, 20);
}

/** After a change of the tenant's set-up: this process sees it at once, the others within a second. */
export function forgetCatalogue(tenantId: string): void {
  cache.forget(tenantId);
}
