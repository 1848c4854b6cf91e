import type { Ctx } from "../kernel/ctx.ts";
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
