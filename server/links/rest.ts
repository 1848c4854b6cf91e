import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
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

const params = z.object({
  environment: z.string().min(1).max(128).meta({ description: "The environment's short name or its id" }),
});
const tags: [string] = ["Short links"];
const permission = "settings:manage";

export const listShortenersRoute = defineRoute({
  method: "GET",
  path: "/v1/shorteners",
  operationId: "listShorteners",
  summary: "List the shorteners of the environments that the key may manage",
  tags,
  permission,
  responses: { 200: { schema: shortenerListSchema, description: "One for each environment" } },
  handler: async (ctx) => ({ status: 200, body: await listShorteners(ctx) }),
});

export const getShortenerRoute = defineRoute({
  method: "GET",
  path: "/v1/shorteners/{environment}",
  operationId: "getShortener",
  summary: "Get the shortener of an environment",
  tags,
  permission,
  params,
  responses: { 200: { schema: shortenerSchema, description: "The shortener, without its secret" } },
  handler: async (ctx, { params: of }) => ({ status: 200, body: await getShortener(ctx, of) }),
});

export const updateShortenerRoute = defineRoute({
  method: "PUT",
  path: "/v1/shorteners/{environment}",
  operationId: "updateShortener",
  summary: "Choose the shortener of an environment",
  description:
    "The built-in shortener counts clicks itself. A service must process data in a region that the organisation allows; when it fails, messages go out with long addresses and the event `processing.error` tells why.",
  tags,
  permission,
  params,
  body: shortenerUpdateSchema,
  responses: { 200: { schema: shortenerSchema, description: "The shortener as it is now" } },
  handler: async (ctx, { params: of, body }) => ({
    status: 200,
    body: await updateShortener(ctx, { ...body, ...of }),
  }),
});

export const testShortenerRoute = defineRoute({
  method: "POST",
  path: "/v1/shorteners/{environment}/test",
  operationId: "testShortener",
  summary: "Shorten an address through the environment's service, to see that it works",
  tags,
  permission,
  params,
  body: shortenerTestSchema,
  responses: {
    200: { schema: shortenerTestResultSchema, description: "The short link, or what is wrong" },
  },
  handler: async (ctx, { params: of, body }) => ({
    status: 200,
    body: await testShortener(ctx, { ...body, ...of }),
  }),
});
