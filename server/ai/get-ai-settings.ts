import type { Ctx } from "../kernel/ctx.ts";
import { authorize } from "../operations/authorize.ts";
import { aiAvailability } from "./availability.ts";
import type { AiSettings } from "./schemas.ts";

/** The organisation's AI settings. Needs settings:manage for the whole tenant. */
export async function getAiSettings(ctx: Ctx): Promise<AiSettings> {
  authorize(ctx, "settings:manage", {});
  return (await aiAvailability(ctx)).settings;
}
