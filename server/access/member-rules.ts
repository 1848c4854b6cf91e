import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { refuseEscalation } from "./api-key-scope.ts";
import { hasOtherOwner } from "./queries.ts";

/**
 * Throws unless the actor manages members in the unit, or in the whole tenant for null; `not_found` for an unknown
 * unit. Reads the catalogue, so call it outside a transaction.
 */
export async function authorizeMembers(ctx: Ctx, unitId: string | null): Promise<void> {
  if (unitId !== null && !(await getCatalogue(ctx)).units.some((unit) => unit.id === unitId))
    throw notFound();
  authorize(ctx, "members:manage", { unitId });
}

/** A role that the actor may assign there. Throws `invalid_request` when no role has this key. */
export async function grantableRole(ctx: Ctx, tx: Tx, key: string, unitId: string | null) {
  const role = await tx.role.findUnique({ where: { tenantId_key: { tenantId: ctx.tenantId, key } } });
  if (!role) {
    throw new DomainError("invalid_request", "There is no such role.", {
      errors: [{ pointer: "/role", code: "unknown_role", detail: "Not a role of this organisation" }],
    });
  }
  refuseEscalation(ctx, role.permissions, { unitId });
  return role;
}

/** Throws `conflict` when the tenant would have no owner without this person. */
export async function keepAnOwner(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  if (!(await hasOtherOwner(tx, ctx.tenantId, userId))) {
    throw new DomainError("conflict", "This is the last owner. Make somebody else an owner first.");
  }
}
