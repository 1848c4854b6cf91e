import { refuseEscalation } from "../access/api-key-scope.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorize, may } from "../operations/authorize.ts";
import { permissions } from "../operations/permissions.ts";

const everywhere = { unitId: null };

/** Throws unless the actor manages the members of the whole tenant: who reads how the directory is set up. */
export function authorizeToRead(ctx: Ctx): void {
  authorize(ctx, "members:manage", everywhere);
}

/**
 * Throws unless the actor has every permission in the whole tenant, as an owner has. Who connects a directory decides who comes
 * in, locks anybody out, and gives every role that a group gives.
 */
export function authorizeToConnect(ctx: Ctx): void {
  authorizeToRead(ctx);
  if (permissions.every((permission) => may(ctx, permission, everywhere))) return;
  throw new DomainError(
    "permission_denied",
    "Connecting a directory or an identity provider takes every permission in the whole organisation, as an owner has.",
  );
}

/** Throws unless the actor may let a group give, or stop giving, a role there. */
export function authorizeToMap(ctx: Ctx, granted: readonly string[], unitId: string | null): void {
  authorizeToRead(ctx);
  refuseEscalation(ctx, granted, { unitId });
}
