import { mutation } from "../operations/operation.ts";
import { checkModeration, moderationCheckSchema } from "./check-moderation.ts";

/** Moderation of unsaved texts, for the editor. */
export const moderationOperations = {
  // Calls a service that costs money: a mutation is not repeated by the browser.
  check: mutation({ permission: "templates:write", input: moderationCheckSchema, run: checkModeration }),
};
