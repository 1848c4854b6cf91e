import { z } from "zod";
import { findGroups } from "../contacts/read-groups.ts";
import { groupSearchSchema } from "../contacts/schemas.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import { pageOf } from "../kernel/page.ts";
import { mutation, query, restOnly } from "../operations/operation.ts";
import { acceptSend } from "./accept-send.ts";
import { checkAudience } from "./check-audience.ts";
import { getBroadcast, getBroadcastPage, listBroadcasts, previewBroadcast } from "./list-broadcasts.ts";
import {
  cancelBroadcast,
  changeBroadcastRate,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
} from "./manage-broadcasts.ts";
import {
  audienceCheckSchema,
  broadcastDraftSchema,
  broadcastListSchema,
  broadcastRateSchema,
  broadcastSchema,
  broadcastStartSchema,
  broadcastSummarySchema,
  sendAgainSchema,
} from "./schemas.ts";
import { draftForNotReached } from "./send-again.ts";

const tag = "Broadcasts";
const read = "notifications:read";
const send = "notifications:send";
const one = z.object({ id: z.uuid() });
const answer = { status: 200, schema: broadcastSchema, description: "The broadcast as it is now" };

/** Requests to contact groups: what becomes of them, and how fast. */
export const broadcastOperations = {
  list: query({
    permission: read,
    input: broadcastListSchema,
    run: listBroadcasts,
    rest: {
      method: "GET",
      path: "/v1/broadcasts",
      operationId: "listBroadcasts",
      summary: "List broadcasts, newest first",
      description:
        "A broadcast is a send request to contact groups. Those of the key's environment are listed.",
      tag,
      query: broadcastListSchema.omit({ environmentId: true }),
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: { status: 200, schema: pageOf(broadcastSummarySchema), description: "A page" },
    },
  }),
  get: query({ permission: read, input: z.object({ id: z.string().max(64) }), run: getBroadcastPage }),
  restGet: restOnly({
    permission: read,
    method: "GET",
    path: "/v1/broadcasts/{id}",
    operationId: "getBroadcast",
    summary: "Get a broadcast and its figures",
    description: "The figures are at most two seconds old.",
    tag,
    params: one,
    run: (ctx, { params }) => getBroadcast(ctx, params),
    answer,
  }),
  /** Lists the recipients; a person starts it. */
  draft: mutation({
    permission: send,
    input: broadcastDraftSchema,
    run: async (ctx, input) => {
      const { requestId } = await acceptSend(ctx, {
        order: {
          environmentId: input.environmentId,
          application: input.application,
          notification: { type: input.notificationType, subtype: input.notificationSubtype },
          region: input.region,
          language: input.language,
          recipients: [],
          contactGroups: input.contactGroups,
          templateVariables: [input.variables],
          broadcast: { name: input.name, draft: true },
        },
        source: "portal",
        transactionId: null,
        idempotency: { kind: "idempotency", key: input.idempotencyKey, bodyHash: jsonHash(input) },
      });
      return { id: requestId };
    },
  }),
  /** The organisation's groups, to choose from: whoever may send may send to them. */
  groups: query({ permission: send, input: z.object({ search: groupSearchSchema }), run: findGroups }),
  /** Who would get it and who would be skipped, while groups are being chosen. */
  audience: query({ permission: send, input: audienceCheckSchema, run: checkAudience }),
  preview: query({ permission: send, input: one, run: previewBroadcast }),
  start: mutation({ permission: send, input: broadcastStartSchema, run: startBroadcast }),
  pause: mutation({
    permission: send,
    input: one,
    run: pauseBroadcast,
    rest: {
      method: "POST",
      path: "/v1/broadcasts/{id}/pause",
      operationId: "pauseBroadcast",
      errors: ["conflict"],
      summary: "Pause a broadcast",
      description:
        "No further messages are sent until it is resumed. Messages already on their way, at most 2,000, are still sent.",
      tag,
      params: one,
      answer,
    },
  }),
  resume: mutation({
    permission: send,
    input: one,
    run: resumeBroadcast,
    rest: {
      method: "POST",
      path: "/v1/broadcasts/{id}/resume",
      operationId: "resumeBroadcast",
      errors: ["agent_limit", "conflict"],
      summary: "Resume a broadcast",
      tag,
      params: one,
      answer,
    },
  }),
  changeRate: mutation({
    permission: send,
    input: broadcastRateSchema.extend({ id: z.uuid() }),
    run: changeBroadcastRate,
    rest: {
      method: "PATCH",
      path: "/v1/broadcasts/{id}",
      operationId: "changeBroadcastRate",
      errors: ["agent_limit", "conflict"],
      summary: "Change the rate of a broadcast",
      tag,
      params: one,
      body: broadcastRateSchema,
      answer,
    },
  }),
  cancel: mutation({
    permission: "notifications:cancel",
    input: one,
    run: cancelBroadcast,
    rest: {
      method: "POST",
      path: "/v1/broadcasts/{id}/cancel",
      operationId: "cancelBroadcast",
      errors: ["conflict"],
      summary: "Cancel a broadcast",
      description:
        "No further messages are sent, and messages that have not been handed to a provider are canceled.",
      tag,
      params: one,
      answer,
    },
  }),
  /** A draft for those whom this one did not reach. */
  sendAgain: mutation({ permission: send, input: sendAgainSchema, run: draftForNotReached }),
};
