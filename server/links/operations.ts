import { z } from "zod";
import { mutation, query, restOnly } from "../operations/operation.ts";
import { getShortener, listShorteners } from "./get-shorteners.ts";
import {
  shortenerListSchema,
  shortenerSchema,
  shortenerTestResultSchema,
  shortenerTestSchema,
  shortenerUpdateSchema,
} from "./schemas.ts";
import { testShortener } from "./test-shortener.ts";
import { updateShortener } from "./update-shortener.ts";

const one = z.object({
  environment: z.string().min(1).max(128).meta({ description: "The environment's short name or its id" }),
});
const tag = "Short links";
const permission = "settings:manage";

/** The link shorteners of environments. */
export const linkOperations = {
  shorteners: query({
    permission,
    run: listShorteners,
    rest: {
      method: "GET",
      path: "/v1/shorteners",
      operationId: "listShorteners",
      summary: "List the link shorteners of environments",
      tag,
      answer: { status: 200, schema: shortenerListSchema, description: "One for each environment" },
    },
  }),
  shortener: restOnly({
    permission,
    method: "GET",
    path: "/v1/shorteners/{environment}",
    operationId: "getShortener",
    summary: "Get the link shortener of an environment",
    tag,
    params: one,
    run: (ctx, { params }) => getShortener(ctx, params),
    answer: { status: 200, schema: shortenerSchema, description: "The shortener, without its secret" },
  }),
  updateShortener: mutation({
    permission,
    input: shortenerUpdateSchema.extend(one.shape),
    run: updateShortener,
    rest: {
      method: "PUT",
      path: "/v1/shorteners/{environment}",
      operationId: "updateShortener",
      errors: ["region_not_allowed", "forbidden_address", "revision_conflict"],
      summary: "Choose the link shortener of an environment",
      description:
        "The built-in shortener counts clicks itself. An external service must process data in a region the organisation allows. If it fails, messages are sent with full links and a `processing.error` event has the reason.",
      tag,
      params: one,
      body: shortenerUpdateSchema,
      answer: { status: 200, schema: shortenerSchema, description: "The updated shortener" },
    },
  }),
  testShortener: mutation({
    permission,
    input: shortenerTestSchema.extend(one.shape),
    run: testShortener,
    rest: {
      method: "POST",
      path: "/v1/shorteners/{environment}/test",
      operationId: "testShortener",
      errors: ["conflict"],
      summary: "Test the link shortener of an environment",
      tag,
      params: one,
      body: shortenerTestSchema,
      answer: {
        status: 200,
        schema: shortenerTestResultSchema,
        description: "The short link, or the problem",
      },
    },
  }),
};
