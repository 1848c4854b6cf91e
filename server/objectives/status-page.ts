import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import { findStatusPage, selectIncidents, selectStatusPage, storeStatusPage } from "./queries.ts";
import { objectiveLimits, statusPageSchema } from "./schemas.ts";
import type { StatusPageChange, StatusPageView } from "./schemas.ts";

const dayMs = 86_400_000;

/** The settings of the status page, and what it tells of. */
export async function getStatusPage(ctx: Ctx): Promise<StatusPageView> {
  authorize(ctx, "reports:read", {});
  const [catalogue, settings, incidents] = await Promise.all([
    getCatalogue(ctx),
    selectStatusPage(ctx),
    selectIncidents(ctx, {
      since: new Date(ctx.now().getTime() - objectiveLimits.statusDays * dayMs),
      limit: objectiveLimits.incidents,
      updates: objectiveLimits.updates,
    }),
  ]);
  return {
    settings,
    address: settings && `${env().publicUrl}/status/${settings.slug}`,
    suggested: catalogue.tenant.slug.length >= 3 ? catalogue.tenant.slug : `${catalogue.tenant.slug}-status`,
    incidents: incidents.map((row) => ({
      ...row,
      beganAt: row.beganAt.toISOString(),
      resolvedAt: row.resolvedAt?.toISOString() ?? null,
    })),
  };
}

/**
 * Publishes the status page, hides it, or changes what it shows; what the input leaves out stays. Throws `conflict` for an address that
 * somebody has.
 */
export async function changeStatusPage(ctx: Ctx, input: StatusPageChange): Promise<void> {
  authorize(ctx, "settings:manage", {});
  await inTenant(ctx, async (tx) => {
    await lockTenantSettings(tx, ctx.tenantId);
    const before = await findStatusPage(tx, ctx.tenantId);
    const settings = statusPageSchema.parse({ ...before, ...input });
    if (before && JSON.stringify(before) === JSON.stringify(settings)) return;
    if (!(await storeStatusPage(tx, ctx.tenantId, { ...settings, changedAt: ctx.now() }))) {
      const detail = "Another organisation has this address; choose another";
      throw new DomainError("conflict", `${detail}.`, {
        errors: [{ pointer: "/slug", code: "taken", detail }],
      });
    }
    await recordAudit(ctx, tx, {
      action: "status_page.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      ...(before && { before }),
      after: settings,
    });
  });
}
