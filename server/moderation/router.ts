import { checkModeration, moderationCheckSchema } from "../templates/check-moderation.ts";
import { procedure, router } from "../trpc/init.ts";

/** Moderation of what is not saved yet, for the editor. */
export const moderationRouter = router({
  // Asks a service that costs money: a mutation is not repeated by the browser.
  check: procedure
    .meta({ permissions: ["templates:write"] })
    .input(moderationCheckSchema)
    .mutation(({ ctx, input }) => checkModeration(ctx.tidings, input)),
});
