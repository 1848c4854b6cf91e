import { procedure, router } from "../trpc/init.ts";
import { draftRequestSchema } from "./schemas.ts";
import { writeDraft } from "./write-draft.ts";

export const draftingRouter = router({
  /** Answers in pieces: an iterable of DraftEvent, to be called through the streaming link. */
  write: procedure
    .meta({ permissions: ["templates:write"] })
    .input(draftRequestSchema)
    .mutation(({ ctx, input, signal }) => writeDraft(ctx.tidings, input, signal)),
});
