import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { aiConfig } from "./config.ts";
import type { AiConfig } from "./config.ts";
import type { AiSettings } from "./schemas.ts";

/** What the AI service can do for a tenant now. */
export interface AiAvailability {
  settings: AiSettings;
  /** The operator's service, even when this tenant may not use it; null when none is configured. */
  config: AiConfig | null;
  /** Where it would process this tenant's texts; null without a service. */
  region: string | null;
  /** Why the tenant's texts may not go there, as a sentence; null when they may. */
  reason: string | null;
}

/**
 * Whether the tenant's texts may go to the AI service, and if not, why: one is configured, the tenant has not switched
 * it off, and its settings allow the service's region. At most a second old.
 */
export async function aiAvailability(ctx: Pick<Ctx, "db" | "tenantId">): Promise<AiAvailability> {
  const { tenant } = await getCatalogue(ctx);
  const settings = tenant.settings.ai;
  const config = aiConfig();
  const region = config && (config.region ?? tenant.dataRegion);
  let reason: string | null = null;
  if (!config || region === null) {
    reason = "No AI service is configured for this installation.";
  } else if (!settings.enabled) {
    reason = "AI is switched off in the settings of this organisation.";
  } else if (!allowedRegions(tenant).has(region)) {
    reason = `The AI service processes data in ${region}, and this organisation does not allow data to go there.`;
  }
  return { settings, config, region, reason };
}

/** The service that the tenant's texts may go to. Throws `ai_unavailable` with the reason when they may not. */
export async function requireAi(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<{ config: AiConfig; settings: AiSettings }> {
  const { config, settings, reason } = await aiAvailability(ctx);
  if (!config || reason !== null)
    throw new DomainError("ai_unavailable", reason ?? "There is no AI service.");
  return { config, settings };
}
