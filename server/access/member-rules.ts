import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize, visibleScopes } from "../operations/authorize.ts";
import type { Scope } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { hasOtherOwner, isPersonIn } from "./member-queries.ts";
import { lockRole } from "./role-queries.ts";

/**
 * Throws unless the actor manages members in the unit, or in the whole tenant when it is null: `not_found` for a unit that is
 * not there. Reads the catalogue, so call it outside a transaction.
 */
export async function authorizeMembers(ctx: Ctx, unitId: string | null): Promise<void> {
  if (unitId !== null && !(await getCatalogue(ctx)).units.some((unit) => unit.id === unitId))
    throw notFound();
  authorize(ctx, "members:manage", { unitId });
}

/** The units whose members the actor manages; null: those of the whole tenant. */
export function managedUnits(ctx: Ctx): string[] | null {
  return visibleScopes(ctx, "members:manage")?.flatMap(({ unitId }) => (unitId ? [unitId] : [])) ?? null;
}

/** A member whom the actor may see. Throws `not_found` for anybody else, removed people included. */
export async function requireMember(ctx: Ctx, tx: Tx, userId: string) {
  const { tenantId } = ctx;
  const member = await tx.user.findUnique({ where: { tenantId_id: { tenantId, id: userId } } });
  const units = managedUnits(ctx);
  if (!member || member.removedAt) throw notFound();
  if (units !== null && !(await isPersonIn(tx, tenantId, userId, units))) throw notFound();
  return member;
}

/**
 * A role that the actor may hand out there. Until the transaction ends nobody changes or deletes it. Throws `invalid_request`
 * when there is none of this key, and `permission_denied` for one that holds more than the actor has there.
 */
export async function grantableRole(
  ctx: Ctx,
  tx: Tx,
  key: string,
  scope: Scope,
  pointer = "/role",
): Promise<{ id: string; key: string; name: string; permissions: string[] }> {
  const role = await lockRole(tx, ctx.tenantId, key, "to give");
  if (!role) {
    throw new DomainError("invalid_request", "This role doesn't exist.", {
      errors: [{ pointer, code: "unknown_role", detail: "Not a role of this organisation" }],
    });
  }
  refuseEscalation(ctx, role.permissions, scope);
  return role;
}

/** Throws `conflict` when without this person nobody would own the tenant. */
export async function keepAnOwner(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  if (!(await hasOtherOwner(tx, ctx.tenantId, userId))) {
    throw new DomainError("conflict", "This is the last owner. Make someone else an owner first.");
  }
}
