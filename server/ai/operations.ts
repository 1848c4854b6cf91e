import { mutation, query } from "../operations/operation.ts";
import { getAiSettings } from "./get-ai-settings.ts";
import { getAiStatus } from "./get-ai-status.ts";
import { getAiUsage } from "./get-ai-usage.ts";
import { aiSettingsUpdateSchema, aiUsageQuerySchema } from "./schemas.ts";
import { updateAiSettings } from "./update-ai-settings.ts";

const permission = "settings:manage";

/** The AI service: its status, settings and costs. */
export const aiOperations = {
  status: query({ permission: "templates:read", run: getAiStatus }),
  settings: query({ permission, run: getAiSettings }),
  updateSettings: mutation({ permission, input: aiSettingsUpdateSchema, run: updateAiSettings }),
  usage: query({ permission, input: aiUsageQuerySchema, run: getAiUsage }),
};
