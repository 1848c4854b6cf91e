import { nameHolders } from "../access/find-holders.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { may } from "../operations/authorize.ts";
import { permissions } from "../operations/permissions.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type {
  CatalogueApplication,
  CatalogueEnvironment,
  CatalogueNotificationType,
} from "../tenancy/catalogue.ts";
import { readBranding } from "./read-branding.ts";
import { brandMarkOf } from "./vocabulary.ts";
import type { BrandMark } from "./vocabulary.ts";

/** The portal's frame: the part of the tenant's set-up that the actor may see. */
export interface Workspace {
  tenant: { id: string; slug: string; name: string; dataRegion: string };
  environments: CatalogueEnvironment[];
  units: { id: string; slug: string; name: string }[];
  applications: CatalogueApplication[];
  /** The actor's permissions anywhere; for what a page offers. */
  permissions: Permission[];
  /** The same by scope: in the whole tenant (`unitId` null) and in each visible unit. */
  permissionsByUnit: { unitId: string | null; permissions: Permission[] }[];
  /** Whether the quickstart's local mail server can be shown. */
  hasMailbox: boolean;
}

/** The actor's view of the tenant. Somebody without any role sees an empty one. */
export async function getWorkspace(ctx: Ctx): Promise<Workspace> {
  const { tenant, environments, units, applications } = await getCatalogue(ctx);
  const all = ctx.actor.type === "system";
  const reaches = (unitId: string, applicationId: string | null) =>
    all ||
    ctx.grants.some(
      (grant) =>
        (grant.unitId === null || grant.unitId === unitId) &&
        (grant.applicationId === null || applicationId === null || grant.applicationId === applicationId),
    );
  const visibleUnits = units.filter((unit) => reaches(unit.id, null));
  const within = (unitId: string | null) =>
    permissions.filter((permission) => may(ctx, permission, { unitId }));
  return {
    tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name, dataRegion: tenant.dataRegion },
    environments: all || ctx.grants.length > 0 ? environments : [],
    units: visibleUnits,
    applications: applications.filter((application) => reaches(application.unitId, application.id)),
    permissions: permissions.filter(
      (permission) => all || ctx.grants.some((grant) => grant.permissions.has(permission)),
    ),
    permissionsByUnit: [null, ...visibleUnits.map((unit) => unit.id)].map((unitId) => ({
      unitId,
      permissions: within(unitId),
    })),
    hasMailbox: env().mailboxUrl !== undefined,
  };
}

/** The signed-in person, their view of the tenant, and how it looks. */
export async function getMe(
  ctx: Ctx,
): Promise<Workspace & { user: { id: string; name: string; email: string }; brand: BrandMark }> {
  const { actor } = ctx;
  if (actor.type !== "user") throw new DomainError("permission_denied", "Only people can sign in.");
  const { id, name, email } = actor;
  const [workspace, branding] = await Promise.all([getWorkspace(ctx), readBranding(ctx)]);
  return { user: { id, name, email }, brand: brandMarkOf(branding), ...workspace };
}

/** The tenant's notification types. */
export async function listNotificationTypes(ctx: Ctx): Promise<{ data: CatalogueNotificationType[] }> {
  return { data: (await getCatalogue(ctx)).notificationTypes };
}

/** More names than a sentence takes. */
const maxNamed = 5;

/** Who can change the tenant's notification types: the names of the first of them, and whether there are more. */
export async function listTypeManagers(ctx: Ctx): Promise<{ names: string[]; more: boolean }> {
  const names = await inTenant(ctx, (tx) =>
    nameHolders(tx, ctx.tenantId, { permission: "organization:manage", limit: maxNamed + 1 }),
  );
  return { names: names.slice(0, maxNamed), more: names.length > maxNamed };
}
