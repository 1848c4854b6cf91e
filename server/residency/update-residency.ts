import { authorizeSettings } from "../access/authorize-settings.ts";
import { outdated } from "../access/revision.ts";
import type { z } from "zod";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { forgetCatalogue, getCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { dataRegions } from "../tenancy/vocabulary.ts";
import { presentResidency, regionUses } from "./get-residency.ts";
import { changeTransferRegions } from "./queries.ts";
import type { residencyChangedSchema, ResidencyUpdate } from "./schemas.ts";

/**
 * Replaces the regions outside its own in which the organisation's data may be processed; in force everywhere within
 * two seconds. Each permission and each withdrawal is an entry of its own in the audit trail, with the reason. Returns
 * what stops being used. Throws `invalid_request` for unknown regions that were not allowed before, `revision_conflict`
 * when `expected` is given and somebody has changed the regions since.
 */
export async function updateResidency(
  ctx: Ctx,
  input: ResidencyUpdate,
): Promise<z.output<typeof residencyChangedSchema>> {
  await authorizeSettings(ctx, "to change", "Where data may go");
  const { reason, expected } = input;
  const uses = await regionUses(ctx);
  const withdrawn = await inTenant(ctx, async (tx) => {
    const tenant = await lockTenantSettings(tx, ctx.tenantId);
    if (!tenant) throw notFound();
    const before = allowedRegions(tenant);
    before.delete(tenant.dataRegion);
    if (expected && !sameMembers(new Set(expected), before)) {
      throw outdated("the regions", { allowedTransferRegions: [...before].sort() });
    }
    // Its own region is always allowed and needs no permission.
    const after = input.allowedTransferRegions.filter((code) => code !== tenant.dataRegion);
    refuseUnknown(input.allowedTransferRegions, before, tenant.dataRegion);
    const allowed = after.filter((code) => !before.has(code));
    const gone = [...before].filter((code) => !after.includes(code));
    if (allowed.length + gone.length === 0) return [];
    await changeTransferRegions(ctx, tx, after, [
      ...allowed.map((region) => ({ region, reason })),
      ...gone.map((region) => ({
        region,
        reason,
        stopped: uses.filter((use) => use.region === region).map(({ kind, name }) => ({ kind, name })),
      })),
    ]);
    return gone;
  });
  forgetCatalogue(ctx.tenantId);
  return {
    ...(await presentResidency(ctx, await getCatalogue(ctx))),
    stopped: uses.filter((use) => withdrawn.includes(use.region)),
  };
}

function sameMembers(one: ReadonlySet<string>, two: ReadonlySet<string>): boolean {
  return one.size === two.size && [...one].every((member) => two.has(member));
}

function refuseUnknown(codes: readonly string[], before: ReadonlySet<string>, own: string): void {
  const errors = codes.flatMap((code, index) =>
    code === own || before.has(code) || dataRegions.some((region) => region.code === code)
      ? []
      : [
          {
            pointer: `/allowedTransferRegions/${String(index)}`,
            code: "unknown_region",
            detail: `Not one of ${dataRegions.map((region) => region.code).join(", ")}`,
          },
        ],
  );
  if (errors.length > 0) throw new DomainError("invalid_request", "Not every region is known.", { errors });
}
