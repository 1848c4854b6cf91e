import { mutation, query, restOnly } from "../operations/operation.ts";
import type { Permission } from "../operations/permissions.ts";
import { downloadExport } from "./download-export.ts";
import { getExport, listExports } from "./get-exports.ts";
import { cancelExport, removeExport, requestExport } from "./request-export.ts";
import {
  exportIdSchema,
  exportInputSchema,
  exportListQuerySchema,
  exportListSchema,
  exportRequestSchema,
  exportSchema,
} from "./schemas.ts";

/** Either; the use case asks for that of the export's kind. */
const permission: readonly [Permission, ...Permission[]] = ["notifications:read", "costs:read"];
const tag = "Exports";

/** Files of messages and costs, written in the background; everybody sees their own. */
export const exportOperations = {
  request: mutation({
    permission,
    input: exportInputSchema,
    run: requestExport,
    rest: {
      method: "POST",
      path: "/v1/exports",
      operationId: "createExport",
      idempotencyKey: true,
      errors: ["conflict"],
      summary: "Export messages or costs to a file",
      description:
        "Exports everything in the key's environment up to now, without a row limit. `messages` needs `notifications:read`; without `content:reveal`, addresses are masked, and without `costs:read`, cost columns are omitted. `costs` needs `costs:read`.",
      tag,
      body: exportRequestSchema,
      input: ({ environmentId }, { body }) => ({ ...body, filter: { ...body.filter, environmentId } }),
      answer: { status: 202, schema: exportSchema, description: "Started in the background" },
    },
  }),
  list: query({
    permission,
    input: exportListQuerySchema,
    run: listExports,
    rest: {
      method: "GET",
      path: "/v1/exports",
      operationId: "listExports",
      summary: "List the key's exports, newest first",
      tag,
      query: exportListQuerySchema,
      answer: { status: 200, schema: exportListSchema, description: "A page" },
    },
  }),
  get: query({
    permission,
    input: exportIdSchema,
    run: getExport,
    rest: {
      method: "GET",
      path: "/v1/exports/{id}",
      operationId: "getExport",
      summary: "Get an export and its progress",
      tag,
      params: exportIdSchema,
      answer: { status: 200, schema: exportSchema, description: "The export" },
    },
  }),
  file: restOnly({
    permission,
    method: "GET",
    path: "/v1/exports/{id}/file",
    operationId: "downloadExport",
    errors: ["conflict"],
    summary: "Download the file of an export",
    tag,
    params: exportIdSchema,
    run: (ctx, { params }) => downloadExport(ctx, params),
    answer: { status: 200, file: "text/csv", description: "CSV in UTF-8 with a byte order mark" },
  }),
  cancel: mutation({
    permission,
    input: exportIdSchema,
    run: cancelExport,
    rest: {
      method: "POST",
      path: "/v1/exports/{id}/cancel",
      operationId: "cancelExport",
      errors: ["conflict"],
      summary: "Cancel an export",
      tag,
      params: exportIdSchema,
      answer: { status: 200, schema: exportSchema, description: "Canceled" },
    },
  }),
  remove: mutation({
    permission,
    input: exportIdSchema,
    run: removeExport,
    rest: {
      method: "DELETE",
      path: "/v1/exports/{id}",
      operationId: "deleteExport",
      errors: ["conflict"],
      summary: "Delete an export and its file",
      tag,
      params: exportIdSchema,
      answer: { status: 204, description: "Deleted" },
    },
  }),
};
