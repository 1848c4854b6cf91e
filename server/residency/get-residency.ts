import { authorizeSettings } from "../access/authorize-settings.ts";
import { aiAvailability } from "../ai/availability.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { dataRegions } from "../tenancy/vocabulary.ts";
import { selectPermissions, selectUses } from "./queries.ts";
import type { RegionUse, Residency } from "./schemas.ts";

const named = (code: string) => ({
  code,
  name: dataRegions.find((region) => region.code === code)?.name ?? code,
});

/** Where the organisation's data may be processed, since when and why, and what processes it where. */
export async function getResidency(ctx: Ctx): Promise<Residency> {
  return presentResidency(ctx, await authorizeSettings(ctx, "to read"));
}

export async function presentResidency(ctx: Ctx, { tenant }: Catalogue): Promise<Residency> {
  const [permissions, uses] = await Promise.all([selectPermissions(ctx), regionUses(ctx)]);
  const allowed = allowedRegions(tenant);
  return {
    dataRegion: named(tenant.dataRegion),
    allowedTransferRegions: [...allowed]
      .filter((code) => code !== tenant.dataRegion)
      .sort()
      .map((code) => {
        const permission = permissions.find(({ region }) => region === code);
        return {
          ...named(code),
          since: permission?.at.toISOString() ?? null,
          by: permission?.by ?? null,
          reason: permission?.reason ?? null,
        };
      }),
    regions: dataRegions
      .filter(({ code }) => code !== tenant.dataRegion)
      .map(({ code, name }) => ({ code, name })),
    uses: uses.map((use) => ({ ...use, allowed: allowed.has(use.region) })),
  };
}

/** What processes data of the organisation, and where. */
export async function regionUses(ctx: Ctx): Promise<Omit<RegionUse, "allowed">[]> {
  const [stored, ai] = await Promise.all([selectUses(ctx), aiAvailability(ctx)]);
  return ai.region === null || !ai.settings.enabled
    ? stored
    : [...stored, { kind: "ai", name: "AI service", region: ai.region }];
}
