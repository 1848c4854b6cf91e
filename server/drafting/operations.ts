import { mutation } from "../operations/operation.ts";
import { draftRequestSchema } from "./schemas.ts";
import { writeDraft } from "./write-draft.ts";

/** Texts that the AI service writes. */
export const draftingOperations = {
  /** Answers in chunks: an iterable of DraftEvent, to be called through the streaming link. */
  write: mutation({
    permission: "templates:write",
    input: draftRequestSchema,
    run: (ctx, input) => writeDraft(ctx, input, ctx.signal),
  }),
};
