import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Permission } from "../operations/permissions.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/**
 * Whether the actor holds the permission in production, or in no particular environment, as people do: keys of other
 * environments may not change what all environments share.
 */
export function reachesProduction(
  ctx: Ctx,
  catalogue: Pick<Catalogue, "environments">,
  permission: Permission,
): boolean {
  return (
    ctx.actor.type === "system" ||
    ctx.grants.some(
      ({ permissions, environmentId }) =>
        permissions.has(permission) &&
        (environmentId === null ||
          catalogue.environments.some(({ id, kind }) => id === environmentId && kind === "production")),
    )
  );
}

/**
 * Throws `environment_mismatch` unless the actor reaches production, for changes of what all environments share.
 * @param what as the subject of "is the same in every environment"
 */
export function refuseOtherEnvironments(
  ctx: Ctx,
  catalogue: Pick<Catalogue, "environments">,
  permission: Permission,
  what: string,
): void {
  if (reachesProduction(ctx, catalogue, permission)) return;
  throw new DomainError(
    "environment_mismatch",
    `${what} is the same in every environment: only an API key of a production environment can change it.`,
  );
}
