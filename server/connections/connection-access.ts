import { reachesProduction } from "../access/production-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { acrossEnvironments, may } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/**
 * Whether the actor may see what belongs to a unit, or, with null, to the whole organisation. Tenant-wide connections
 * are visible to all who may read providers at all; a unit's own to its members and to keys of its applications,
 * whatever their environment.
 */
export function connectionViewer(ctx: Ctx, catalogue: Catalogue): (unitId: string | null) => boolean {
  if (ctx.actor.type === "system") return () => true;
  const units = new Set<string>();
  let everywhere = false;
  let somewhere = false;
  for (const grant of ctx.grants) {
    if (!grant.permissions.has("providers:read") && !grant.permissions.has("providers:manage")) continue;
    somewhere = true;
    const { applicationId } = grant;
    const unitId =
      grant.unitId ?? catalogue.applications.find(({ id }) => id === applicationId)?.unitId ?? null;
    if (unitId !== null) units.add(unitId);
    else if (applicationId === null) everywhere = true;
  }
  return (unitId) => everywhere || (unitId === null ? somewhere : units.has(unitId));
}

/** Throws `environment_mismatch` for a key that is bound to another environment than production. */
function refuseLesserKey(ctx: Ctx, catalogue: Catalogue): void {
  if (reachesProduction(ctx, catalogue, "providers:manage")) return;
  throw new DomainError(
    "environment_mismatch",
    "A connection serves every environment: only an API key of a production environment can change it.",
  );
}

/** The first check of every use case that changes connections. Throws `environment_mismatch`. */
export async function authorizeConnectionChanges(ctx: Ctx): Promise<Catalogue> {
  const catalogue = await getCatalogue(ctx);
  refuseLesserKey(ctx, catalogue);
  return catalogue;
}

/**
 * Throws unless the actor may do this with a connection of the unit, or with null of the whole organisation:
 * `not_found` where the actor cannot see it at all, `permission_denied` where they can.
 */
export function authorizeConnection(
  ctx: Ctx,
  catalogue: Catalogue,
  permission: Extract<Permission, "providers:read" | "providers:manage">,
  unitId: string | null,
): void {
  if (!connectionViewer(ctx, catalogue)(unitId)) throw notFound();
  if (permission === "providers:read") return;
  if (may(acrossEnvironments(ctx), permission, unitId === null ? {} : { unitId })) return;
  throw new DomainError(
    "permission_denied",
    unitId === null
      ? "The connection belongs to the whole organisation. This needs the permission providers:manage for all of it."
      : "This needs the permission providers:manage for the whole unit.",
  );
}

/** The unit of an input by short name or id; null stays null. One that the actor cannot manage counts as unknown. */
export function requireUnit(ctx: Ctx, catalogue: Catalogue, name: string | null): string | null {
  if (name === null) {
    authorizeConnection(ctx, catalogue, "providers:manage", null);
    return null;
  }
  const unit = catalogue.units.find((entry) => entry.slug === name || entry.id === name);
  if (unit && connectionViewer(ctx, catalogue)(unit.id)) {
    authorizeConnection(ctx, catalogue, "providers:manage", unit.id);
    return unit.id;
  }
  throw new DomainError("invalid_request", "Unknown unit, or you can't manage its connections.", {
    errors: [{ pointer: "/unit", code: "unknown_unit", detail: "You can't manage connections of this unit" }],
  });
}
