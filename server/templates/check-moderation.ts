import type { z } from "zod";
import type { ModerationResult } from "../content-checks/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { moderateContent, toContent } from "./save-version.ts";
import { templateCreateSchema } from "./schemas.ts";
import { requireApplication } from "./template-access.ts";

/** Texts that are not saved yet, and what they are for. */
export const moderationCheckSchema = templateCreateSchema.pick({
  application: true,
  notificationType: true,
  channel: true,
  language: true,
  subject: true,
  body: true,
  metadata: true,
  variables: true,
});
export type ModerationCheck = z.output<typeof moderationCheckSchema>;

/**
 * Moderates texts as if they were saved now; what would refuse the save is a result here. The save that follows does
 * not call the AI service again. Throws `unknown_application`, `invalid_template`, `moderation_unavailable`.
 */
export async function checkModeration(ctx: Ctx, input: ModerationCheck): Promise<ModerationResult> {
  const { application } = await requireApplication(ctx, "templates:write", input.application);
  const { moderation } = await moderateContent(ctx, toContent(input.channel, input), {
    application: application.name,
    notificationType: input.notificationType,
    language: input.language ?? null,
  });
  return moderation;
}
