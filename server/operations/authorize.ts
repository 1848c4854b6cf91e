import type { Ctx, Grant } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { Permission } from "./permissions.ts";

/** The scope of a thing. Leave out what it is not bound to: a tenant-wide thing has an empty scope. */
export interface Scope {
  unitId?: string | null;
  applicationId?: string | null;
  environmentId?: string | null;
}

function covers(grant: Grant, scope: Scope): boolean {
  return (
    (grant.unitId === null || grant.unitId === scope.unitId) &&
    (grant.applicationId === null || grant.applicationId === scope.applicationId) &&
    (grant.environmentId === null || grant.environmentId === scope.environmentId)
  );
}

function denied(permission: Permission): DomainError {
  return new DomainError("permission_denied", `This needs the permission ${permission}.`);
}

/**
 * Throws unless the actor holds `permission` for a thing in `scope`: `not_found` when no grant reaches it at all (what
 * another team has does not exist for this caller), `permission_denied` when one does but lacks the permission.
 * The system may do everything.
 */
export function authorize(ctx: Ctx, permission: Permission, scope: Scope): void {
  if (ctx.actor.type === "system") return;
  let reaches = false;
  for (const grant of ctx.grants) {
    if (!covers(grant, scope)) continue;
    if (grant.permissions.has(permission)) return;
    reaches = true;
  }
  throw reaches ? denied(permission) : notFound();
}

/** For what belongs to no environment: grants that are bound to one apply to it, too. */
export function acrossEnvironments(ctx: Ctx): Ctx {
  return { ...ctx, grants: ctx.grants.map((grant) => ({ ...grant, environmentId: null })) };
}

/** Throws `permission_denied` unless the actor holds `permission` somewhere; lists then show only what is there. */
export function authorizeSomewhere(ctx: Ctx, permission: Permission): void {
  if (!maySomewhere(ctx, permission)) throw denied(permission);
}

/** Whether the actor holds `permission` anywhere; for what a page offers, never instead of authorize. */
export function maySomewhere(ctx: Ctx, permission: Permission): boolean {
  return ctx.actor.type === "system" || ctx.grants.some((grant) => grant.permissions.has(permission));
}

/**
 * Whether the actor holds `permission` in `scope`; for masking and for what a page offers, never instead of authorize.
 */
export function may(ctx: Ctx, permission: Permission, scope: Scope): boolean {
  return (
    ctx.actor.type === "system" ||
    ctx.grants.some((grant) => covers(grant, scope) && grant.permissions.has(permission))
  );
}

/** Whether the caller sees addresses in full anywhere, or anywhere in that environment. */
export function maySearchAddresses(ctx: Ctx, environmentId?: string): boolean {
  const reaches = (grant: Grant) =>
    environmentId === undefined || grant.environmentId === null || grant.environmentId === environmentId;
  return (
    ctx.actor.type === "system" ||
    ctx.grants.some((grant) => grant.permissions.has("content:reveal") && reaches(grant))
  );
}

/**
 * Throws `permission_denied` for a caller who sees no address in full anywhere, or nowhere in that environment: a search by one
 * would tell whether it occurs. Who sees them in some scopes finds them there and nowhere else.
 */
export function authorizeAddressSearch(ctx: Ctx, environmentId?: string): void {
  if (maySearchAddresses(ctx, environmentId)) return;
  throw new DomainError(
    "permission_denied",
    "Searching by an address needs the permission content:reveal: addresses are masked without it, and the search would tell whether one occurs.",
  );
}

/** The scopes in which the actor holds `permission`; null: everywhere in the tenant. For the filters of lists. */
export function visibleScopes(ctx: Ctx, permission: Permission): Required<Scope>[] | null {
  if (ctx.actor.type === "system") return null;
  const scopes = ctx.grants
    .filter((grant) => grant.permissions.has(permission))
    .map(({ unitId, applicationId, environmentId }) => ({ unitId, applicationId, environmentId }));
  return scopes.some((scope) => !scope.unitId && !scope.applicationId && !scope.environmentId)
    ? null
    : scopes;
}

/**
 * `visibleScopes` as a Prisma `where` fragment over the named columns; a column the table lacks is null here, and a grant
 * bound to it then sees nothing of the table.
 */
export function scopeWhere(
  scopes: Required<Scope>[] | null,
  columns: { unit: string | null; application: string | null; environment: string | null },
): { OR?: Record<string, string>[] } {
  if (scopes === null) return {};
  const alternatives: Record<string, string>[] = [];
  for (const scope of scopes) {
    const where: Record<string, string> = {};
    let representable = true;
    for (const [column, value] of [
      [columns.unit, scope.unitId],
      [columns.application, scope.applicationId],
      [columns.environment, scope.environmentId],
    ] as const) {
      if (!value) continue;
      if (column === null) representable = false;
      else where[column] = value;
    }
    if (representable) alternatives.push(where);
  }
  return { OR: alternatives };
}
