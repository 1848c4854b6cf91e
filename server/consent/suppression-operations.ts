import { z } from "zod";
import { mutation, query, restOnly } from "../operations/operation.ts";
import { addSuppressions, suppressByHand } from "./add-suppressions.ts";
import { listSuppressions } from "./list-suppressions.ts";
import { removeSuppression } from "./remove-suppression.ts";
import {
  suppressByHandSchema,
  suppressionBatchSchema,
  suppressionListSchema,
  suppressionPageSchema,
  suppressionQuerySchema,
  suppressionRemovalQuerySchema,
  suppressionRemovalSchema,
  suppressionResultsSchema,
} from "./schemas.ts";

const tag = "Suppressions";

/** Addresses that nothing is sent to. */
export const suppressionOperations = {
  list: query({
    permission: "consent:read",
    input: suppressionListSchema,
    run: listSuppressions,
    rest: {
      method: "GET",
      path: "/v1/suppressions",
      operationId: "listSuppressions",
      summary: "List suppressed addresses",
      description:
        "What holds now, newest first. With `address`, what holds for it on each channel. The sandbox has suppressions of its own; the other environments share theirs. The list without `address` needs a key of the whole organisation.",
      tag,
      query: suppressionQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: { status: 200, schema: suppressionPageSchema, description: "A page of suppressions" },
    },
  }),
  add: restOnly({
    permission: "consent:write",
    method: "POST",
    path: "/v1/suppressions",
    operationId: "addSuppressions",
    summary: "Suppress addresses",
    description:
      "Up to 1,000, each with a result of its own. Nothing is sent there from now on, whatever its class and whatever was consented to. Of one that is suppressed already, what lasts longer stays. Those of all environments but the sandbox are added with a key of a production environment.",
    tag,
    body: suppressionBatchSchema,
    answer: { status: 200, schema: suppressionResultsSchema, description: "A result for each item" },
    run: (ctx, { body }) =>
      addSuppressions(ctx, { environmentId: ctx.environmentId, suppressions: body.suppressions }),
  }),
  addByHand: mutation({
    permission: "consent:write",
    input: suppressByHandSchema,
    run: suppressByHand,
  }),
  remove: mutation({
    permission: "consent:write",
    input: suppressionRemovalSchema,
    run: removeSuppression,
    rest: {
      method: "DELETE",
      path: "/v1/suppressions/{id}",
      operationId: "removeSuppression",
      errors: ["agent_limit"],
      summary: "Remove a suppression",
      description:
        "The address can be written to again. A complaint is removed only with a reason. Needs a key of the whole organisation, in a production environment but for those of the sandbox; agents cannot remove any.",
      tag,
      params: z.object({ id: z.uuid() }),
      query: suppressionRemovalQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, ...parts.params, environmentId }),
      answer: { status: 204, description: "Removed" },
    },
  }),
};
