import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { may } from "../operations/authorize.ts";
import type { Scope } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/** The scope of a rule: the application that it names, or the whole tenant. */
function scopeOf(catalogue: Catalogue, environmentId: string, applicationId: string | null): Scope {
  if (applicationId === null) return { environmentId };
  const application = catalogue.applications.find((entry) => entry.id === applicationId);
  return { unitId: application?.unitId ?? null, applicationId, environmentId };
}

/**
 * The environment whose rules are requested. Throws `not_found` when there is none, or the actor does not hold
 * `permission` in it.
 */
export function reachEnvironment(
  ctx: Ctx,
  catalogue: Catalogue,
  environmentId: string,
  permission: Permission,
): Catalogue["environments"][number] {
  const environment = catalogue.environments.find((entry) => entry.id === environmentId);
  const reaches =
    ctx.actor.type === "system" ||
    ctx.grants.some(
      (grant) =>
        grant.permissions.has(permission) &&
        (grant.environmentId === null || grant.environmentId === environmentId),
    );
  if (!environment || !reaches) throw notFound();
  return environment;
}

/** Rules without an application concern everybody in the environment, others only those who see the application. */
export function seesRule(
  ctx: Ctx,
  catalogue: Catalogue,
  environmentId: string,
  rule: { applicationId: string | null },
): boolean {
  if (rule.applicationId === null) return true;
  const scope = scopeOf(catalogue, environmentId, rule.applicationId);
  return may(ctx, "providers:read", scope) || may(ctx, "routing:manage", scope);
}

/** A rule without an application needs the permission in the whole tenant. */
export function managesRule(
  ctx: Ctx,
  catalogue: Catalogue,
  environmentId: string,
  rule: { applicationId: string | null },
): boolean {
  return may(ctx, "routing:manage", scopeOf(catalogue, environmentId, rule.applicationId));
}

/** A tenant-wide connection is visible to all; a unit's own to those who see the unit. */
export function seesConnection(ctx: Ctx, connection: { unitId: string | null }): boolean {
  return (
    connection.unitId === null ||
    ctx.actor.type === "system" ||
    ctx.grants.some(
      (grant) =>
        (grant.permissions.has("providers:read") || grant.permissions.has("routing:manage")) &&
        (grant.unitId === connection.unitId || (grant.unitId === null && grant.applicationId === null)),
    )
  );
}
