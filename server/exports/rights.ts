import type { Ctx, Grant } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import type { Scope } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import type { ExportKind } from "./schemas.ts";

/** What of the permissions that matter for a file somebody has: in which scopes; null: everywhere. */
export type Rights = Partial<Record<Permission, Required<Scope>[] | null>>;

/** What decides what a file holds. Nobody gets one without the first. */
export const deciding = {
  messages: ["notifications:read", "content:reveal", "costs:read"],
  costs: ["costs:read"],
} as const satisfies Record<ExportKind, readonly [Permission, ...Permission[]]>;

export function rightsOf(ctx: Ctx, kind: ExportKind): Rights {
  return Object.fromEntries(deciding[kind].map((permission) => [permission, visibleScopes(ctx, permission)]));
}

export const has = (rights: Rights, permission: Permission): boolean => {
  const scopes = rights[permission];
  return scopes === null || (scopes ?? []).length > 0;
};

/** The first permission that somebody had then and no longer has to the same extent. */
export function lostOf(then: Rights, now: Rights): Permission | null {
  for (const [permission, left] of Object.entries(now) as [Permission, Required<Scope>[] | null][]) {
    const before = then[permission];
    if (left === null || before === undefined) continue;
    const within = (scope: Required<Scope>) =>
      left.some(
        (each) =>
          (!each.unitId || each.unitId === scope.unitId) &&
          (!each.applicationId || each.applicationId === scope.applicationId) &&
          (!each.environmentId || each.environmentId === scope.environmentId),
      );
    if (!before?.every(within)) return permission;
  }
  return null;
}

/** The rights as grants: what is read with them is the same from the first row to the last. */
export function grantsOf(rights: Rights): Grant[] {
  const everywhere = [{ unitId: null, applicationId: null, environmentId: null }];
  return Object.entries(rights).flatMap(([permission, scopes]) =>
    (scopes ?? everywhere).map((scope) => ({ permissions: new Set([permission]), ...scope })),
  );
}
