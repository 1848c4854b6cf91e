import { procedure, router } from "../trpc/init.ts";
import { getAiSettings } from "./get-ai-settings.ts";
import { getAiStatus } from "./get-ai-status.ts";
import { getAiUsage } from "./get-ai-usage.ts";
import { aiSettingsUpdateSchema, aiUsageQuerySchema } from "./schemas.ts";
import { updateAiSettings } from "./update-ai-settings.ts";

export const aiRouter = router({
  status: procedure.meta({ permissions: ["templates:read"] }).query(({ ctx }) => getAiStatus(ctx.tidings)),
  settings: procedure
    .meta({ permissions: ["settings:manage"] })
    .query(({ ctx }) => getAiSettings(ctx.tidings)),
  updateSettings: procedure
    .meta({ permissions: ["settings:manage"] })
    .input(aiSettingsUpdateSchema)
    .mutation(({ ctx, input }) => updateAiSettings(ctx.tidings, input)),
  usage: procedure
    .meta({ permissions: ["settings:manage"] })
    .input(aiUsageQuerySchema)
    .query(({ ctx, input }) => getAiUsage(ctx.tidings, input)),
});
