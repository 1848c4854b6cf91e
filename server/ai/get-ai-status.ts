import type { Ctx } from "../kernel/ctx.ts";
import { aiAvailability } from "./availability.ts";
import { isBudgetUsedUp } from "./budget.ts";
import type { AiStatus } from "./schemas.ts";

/** What AI can do for the actor's organisation now; for everybody who works with templates. */
export async function getAiStatus(ctx: Ctx): Promise<AiStatus> {
  const { config, settings, region, reason } = await aiAvailability(ctx);
  const whyNoDrafts = reason ?? (await whyNotDrafting(ctx, settings));
  return {
    configured: config !== null,
    available: reason === null,
    drafting: whyNoDrafts === null,
    reason: whyNoDrafts,
    model: config?.model ?? null,
    moderationModel: config?.moderationModel ?? null,
    region,
  };
}

async function whyNotDrafting(
  ctx: Ctx,
  settings: Parameters<typeof isBudgetUsedUp>[1],
): Promise<string | null> {
  if (!settings.drafting) return "Drafting is switched off in the settings of this organisation.";
  if (await isBudgetUsedUp(ctx, settings)) return "The organisation has used up its AI tokens of this month.";
  return null;
}
