import { mutation, query } from "../operations/operation.ts";
import { packs } from "./packs.ts";
import { previewLimits } from "./preview-limits.ts";
import { limitsPreviewSchema, limitsStateSchema, limitsUpdateSchema } from "./schemas.ts";
import { getLimits, setLimits } from "./set-limits.ts";

const tag = "Organisation";

/** When messages wait for their recipients' sake, and how many they get. */
export const recipientLimitOperations = {
  get: query({
    permission: "settings:manage",
    run: getLimits,
    rest: {
      method: "GET",
      path: "/v1/recipient-limits",
      operationId: "getRecipientLimits",
      summary: "Get quiet hours and frequency caps",
      description: "They hold in every environment. Needs a key of the whole organisation.",
      tag,
      answer: { status: 200, schema: limitsStateSchema, description: "What is set" },
    },
  }),
  set: mutation({
    permission: "settings:manage",
    input: limitsUpdateSchema,
    run: setLimits,
    rest: {
      method: "PUT",
      path: "/v1/recipient-limits",
      operationId: "updateRecipientLimits",
      errors: ["revision_conflict"],
      summary: "Change quiet hours and frequency caps",
      description:
        "Replaces all rules and caps. Times are by the clocks where the recipient is; without channels or regions a rule is for all. Takes effect within two seconds, also for messages that wait. Needs a key of the whole organisation in a production environment.",
      tag,
      body: limitsUpdateSchema,
      answer: { status: 200, schema: limitsStateSchema, description: "What is set now" },
    },
  }),
  preview: query({ permission: "settings:manage", input: limitsPreviewSchema, run: previewLimits }),
  packs: query({ permission: "settings:manage", run: () => Promise.resolve([...packs]) }),
};
