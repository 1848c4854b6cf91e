import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { getRetention, previewRetention, updateRetention } from "./retention.ts";
import { findRecipient, prepareExport } from "./recipient.ts";
import { getErasure, listErasures, requestErasure } from "./request-erasure.ts";
import {
  erasureInputSchema,
  erasureListQuerySchema,
  erasureListSchema,
  erasureSchema,
  recipientSchema,
  retentionStateSchema,
  retentionUpdateSchema,
} from "./schemas.ts";

const tag = "Privacy";
const permission = "settings:manage";
const one = z.object({ id: z.uuid().meta({ description: "The erasure" }) });

/** What is kept about recipients, and for how long. */
export const privacyOperations = {
  retention: query({
    permission,
    run: getRetention,
    rest: {
      method: "GET",
      path: "/v1/retention",
      operationId: "getRetention",
      summary: "Get retention periods and purge progress",
      description: "Needs a key of the whole organisation.",
      tag,
      answer: {
        status: 200,
        schema: retentionStateSchema,
        description: "The periods and the steps of the purge",
      },
    },
  }),
  previewRetention: query({ permission, input: retentionUpdateSchema, run: previewRetention }),
  find: query({ permission, input: recipientSchema, run: findRecipient }),
  prepareExport: mutation({ permission: "content:reveal", input: recipientSchema, run: prepareExport }),
  erasures: query({
    permission,
    input: erasureListQuerySchema,
    run: listErasures,
    rest: {
      method: "GET",
      path: "/v1/erasures",
      operationId: "listErasures",
      summary: "List erasures of recipients",
      description: "Needs a key of the whole organisation in a production environment.",
      tag,
      query: erasureListQuerySchema,
      answer: { status: 200, schema: erasureListSchema, description: "One page, newest first" },
    },
  }),
  erasure: query({
    permission,
    input: one,
    run: getErasure,
    rest: {
      method: "GET",
      path: "/v1/erasures/{id}",
      operationId: "getErasure",
      summary: "Get an erasure and its report",
      description: "The report contains no addresses.",
      tag,
      params: one,
      answer: { status: 200, schema: erasureSchema, description: "The erasure" },
    },
  }),
  erase: mutation({
    permission,
    input: erasureInputSchema,
    run: requestErasure,
    rest: {
      method: "POST",
      path: "/v1/erasures",
      operationId: "eraseRecipients",
      idempotencyKey: true,
      summary: "Erase recipients",
      description:
        "Removes every copy of these addresses and their data in the background. Unsent messages are canceled. Counts and costs are kept, and opt-outs and suppressions are kept as tokens. Repeating the request while it is in progress returns the same erasure. Needs a key of the whole organisation in a production environment.",
      tag,
      body: erasureInputSchema,
      answer: { status: 202, schema: erasureSchema, description: "Requested" },
    },
  }),
  updateRetention: mutation({
    permission,
    input: retentionUpdateSchema,
    run: updateRetention,
    rest: {
      method: "PUT",
      path: "/v1/retention",
      operationId: "updateRetention",
      errors: ["revision_conflict"],
      summary: "Change retention periods",
      description:
        "Also applies to existing data: older data is permanently removed within an hour. Needs a key of the whole organisation in a production environment.",
      tag,
      body: retentionUpdateSchema,
      answer: { status: 200, schema: retentionStateSchema, description: "The updated periods" },
    },
  }),
};
