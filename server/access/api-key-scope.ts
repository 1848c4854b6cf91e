import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize, may } from "../operations/authorize.ts";
import type { Scope } from "../operations/authorize.ts";
import { permissions } from "../operations/permissions.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { wasRemoved } from "./queries.ts";

interface Binding {
  environmentId: string;
  unitId?: string | null;
  applicationId?: string | null;
}

/**
 * The scope of a key, for authorization: a key of an application is also in the application's unit. Throws `not_found`
 * for an environment, unit or application that does not exist or that the actor cannot see, and `permission_denied`
 * without api_keys:manage. Reads the catalogue, so call it outside a transaction.
 */
export async function authorizeApiKeyScope(
  ctx: Ctx,
  binding: Binding,
): Promise<{
  scope: Required<Scope> & { environmentId: string };
  environment: Catalogue["environments"][number];
}> {
  const catalogue = await getCatalogue(ctx);
  const environment = catalogue.environments.find((known) => known.id === binding.environmentId);
  const application = binding.applicationId
    ? catalogue.applications.find((known) => known.id === binding.applicationId)
    : undefined;
  const unit = binding.unitId ? catalogue.units.find((known) => known.id === binding.unitId) : undefined;
  if (!environment || (binding.applicationId && !application) || (binding.unitId && !unit)) throw notFound();
  const scope = {
    environmentId: environment.id,
    applicationId: application?.id ?? null,
    unitId: application?.unitId ?? unit?.id ?? null,
  };
  authorize(ctx, "api_keys:manage", scope);
  return { scope, environment };
}

/** Throws `conflict` for an application that was archived: nothing new is made in it. */
export async function refuseArchived(ctx: Ctx, applicationId: string | null): Promise<void> {
  if (applicationId === null) return;
  const { applications } = await getCatalogue(ctx);
  if (applications.find(({ id }) => id === applicationId)?.archived) {
    throw new DomainError("conflict", "The application is archived, so it can't have new API keys.");
  }
}

/** Throws `invalid_request` for a key that would have ended already. */
export function refusePastEnd(ctx: Ctx, expiresAt: Date | undefined): void {
  if (expiresAt && expiresAt <= ctx.now()) {
    throw new DomainError("invalid_request", "The key would have expired already.", {
      errors: [{ pointer: "/expiresAt", code: "in_the_past", detail: "Choose a time in the future" }],
    });
  }
}

/** A member of a team may know why a key for the whole organisation is refused: there is nothing to hide. */
export function refuseWiderKey(ctx: Ctx, binding: Binding): void {
  const scope = { environmentId: binding.environmentId };
  if (binding.unitId || binding.applicationId || may(ctx, "api_keys:manage", scope)) return;
  throw new DomainError(
    "permission_denied",
    "A key for the whole organisation needs the permission api_keys:manage for the whole organisation.",
  );
}

/** Throws `permission_denied` when the key would have permissions that its creator does not have there. */
export function refuseEscalation(ctx: Ctx, granted: readonly string[], scope: Scope): void {
  const known = new Set<string>(permissions);
  const beyond = granted.filter(
    (permission) => !known.has(permission) || !may(ctx, permission as Permission, scope),
  );
  if (beyond.length > 0) {
    throw new DomainError(
      "permission_denied",
      `You can only grant permissions you have yourself. Missing here: ${beyond.join(", ")}.`,
    );
  }
}

/**
 * Throws `permission_denied` when the key's creator was removed since the request came in: a new key would outlive
 * their others.
 */
export async function refuseRemovedCreator(ctx: Ctx, tx: Tx, creator: string | null): Promise<void> {
  if (creator !== null && (await wasRemoved(tx, ctx.tenantId, creator))) {
    throw new DomainError("permission_denied", "You are no longer a member of this organisation.");
  }
}
