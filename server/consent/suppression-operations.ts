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
        "Current suppressions, newest first. With `address`, only those of this address. The sandbox has its own; all other environments share theirs. Without `address`, it needs a key of the whole organisation.",
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
    idempotencyKey: true,
    summary: "Suppress addresses",
    description:
      "Up to 1,000, each with its own result. Nothing is sent to them from now on, whatever the class and consent. If an address is already suppressed, the longer period is kept. Outside the sandbox, it needs a key of a production environment.",
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
        "Messages can be sent to the address again. Removing a complaint requires a reason. Needs a key of the whole organisation, and outside the sandbox one of a production environment. Agents cannot remove suppressions.",
      tag,
      params: z.object({ id: z.uuid() }),
      query: suppressionRemovalQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, ...parts.params, environmentId }),
      answer: { status: 204, description: "Removed" },
    },
  }),
};
