import { mutation, query } from "../operations/operation.ts";
import { packs } from "./packs.ts";
import { previewLimits } from "./preview-limits.ts";
import { limitsPreviewSchema, limitsUpdateSchema } from "./schemas.ts";
import { getLimits, setLimits } from "./set-limits.ts";

/** When messages wait for their recipients' sake, and how many they get. */
export const recipientLimitOperations = {
  get: query({ permission: "settings:manage", run: getLimits }),
  set: mutation({ permission: "settings:manage", input: limitsUpdateSchema, run: setLimits }),
  preview: query({ permission: "settings:manage", input: limitsPreviewSchema, run: previewLimits }),
  packs: query({ permission: "settings:manage", run: () => Promise.resolve([...packs]) }),
};
