import { query } from "../operations/operation.ts";
import { templatePreviewInputSchema } from "../templates/schemas.ts";
import { previewMessage } from "./preview-message.ts";

/** What belongs to templates in the portal and needs to know how messages are sent. */
export const previewOperations = {
  preview: query({ permission: "templates:read", input: templatePreviewInputSchema, run: previewMessage }),
};
