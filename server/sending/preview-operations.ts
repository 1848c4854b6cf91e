import { query } from "../operations/operation.ts";
import { templatePreviewInputSchema } from "../templates/schemas.ts";
import { previewMessage } from "./preview-message.ts";

/** Operations on templates that need sending. */
export const previewOperations = {
  preview: query({ permission: "templates:read", input: templatePreviewInputSchema, run: previewMessage }),
};
