import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { createProvider } from "./create-provider.ts";
import { deleteProvider } from "./delete-provider.ts";
import { describeFields } from "./describe-fields.ts";
import { getProvider } from "./get-provider.ts";
import { listAdapters } from "./list-adapters.ts";
import { listProviders } from "./list-providers.ts";
import {
  providerAdapterListSchema,
  providerCreateSchema,
  providerDeletedSchema,
  providerDetailSchema,
  providerListSchema,
  providerUpdateSchema,
  testResultSchema,
} from "./schemas.ts";
import { testProvider } from "./test-provider.ts";
import { updateProvider } from "./update-provider.ts";

const one = z.object({ id: z.uuid().meta({ description: "The connection" }) });
const tags: [string] = ["Providers"];

export const listProvidersRoute = defineRoute({
  method: "GET",
  path: "/v1/providers",
  operationId: "listProviders",
  summary: "List the configured provider connections and how they are doing",
  description: "Figures of attempts are those of the API key's environment.",
  tags,
  permission: "providers:read",
  responses: { 200: { schema: providerListSchema, description: "The connections" } },
  handler: async (ctx) => ({
    status: 200,
    body: await listProviders(ctx, { environmentId: ctx.environmentId }),
  }),
});

export const createProviderRoute = defineRoute({
  method: "POST",
  path: "/v1/providers",
  operationId: "createProvider",
  summary: "Add a provider connection",
  description: [
    "A connection is an account at a provider. It serves every environment, so the API key must be one of a production environment. Routing rules decide what is sent through it.",
    "What `credentials` and `settings` hold depends on `provider`; `GET /v1/provider-adapters` gives their JSON Schemas. Credentials are stored encrypted and never shown again.",
    describeFields(),
  ].join("\n\n"),
  tags,
  permission: "providers:manage",
  body: providerCreateSchema,
  responses: {
    201: { schema: providerDetailSchema, description: "The connection, without its credentials" },
  },
  handler: async (ctx, { body }) => {
    const created = await createProvider(ctx, body);
    return { status: 201, body: created, headers: { Location: `/v1/providers/${created.id}` } };
  },
});

export const getProviderRoute = defineRoute({
  method: "GET",
  path: "/v1/providers/{id}",
  operationId: "getProvider",
  summary: "Get a provider connection",
  description:
    "With its callback address and the rules that use it; of credentials only which fields are set.",
  tags,
  permission: "providers:read",
  params: one,
  responses: { 200: { schema: providerDetailSchema, description: "The connection" } },
  handler: async (ctx, { params }) => ({
    status: 200,
    body: await getProvider(ctx, { ...params, environmentId: ctx.environmentId }),
  }),
});

export const updateProviderRoute = defineRoute({
  method: "PATCH",
  path: "/v1/providers/{id}",
  operationId: "updateProvider",
  summary: "Change a provider connection, or switch it on or off",
  description:
    "In force everywhere within two seconds. Stored credentials are never sent to a new address: a change of a host or URL needs all credentials again.",
  tags,
  permission: "providers:manage",
  params: one,
  body: providerUpdateSchema,
  responses: { 200: { schema: providerDetailSchema, description: "The connection as it is now" } },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: await updateProvider(ctx, { id: params.id, changes: body }),
  }),
});

export const deleteProviderRoute = defineRoute({
  method: "DELETE",
  path: "/v1/providers/{id}",
  operationId: "deleteProvider",
  summary: "Delete a provider connection and its credentials",
  description:
    "Refused with `connection_in_use` while routing rules name it, unless `force` is true. Receipts that are still to come are lost: switch the connection off first and delete it when they are in.",
  tags,
  permission: "providers:manage",
  params: one,
  query: z.object({
    force: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "Delete although routing rules name it; they do without from then on" }),
  }),
  responses: { 200: { schema: providerDeletedSchema, description: "It is gone; the rules that named it" } },
  handler: async (ctx, { params, query }) => ({
    status: 200,
    body: await deleteProvider(ctx, { id: params.id, force: query.force === "true" }),
  }),
});

export const testProviderRoute = defineRoute({
  method: "POST",
  path: "/v1/providers/{id}/test",
  operationId: "testProvider",
  summary: "Test a provider connection",
  description:
    "Checks address and credentials without sending anything to anybody. At most 20 tests a minute in an organisation.",
  tags,
  permission: "providers:manage",
  params: one,
  responses: { 200: { schema: testResultSchema, description: "What the test found, good or bad" } },
  handler: async (ctx, { params }) => ({ status: 200, body: await testProvider(ctx, params) }),
});

export const listProviderAdaptersRoute = defineRoute({
  method: "GET",
  path: "/v1/provider-adapters",
  operationId: "listProviderAdapters",
  summary: "List the kinds of providers that connections can be made to",
  tags,
  permission: "providers:read",
  responses: { 200: { schema: providerAdapterListSchema, description: "All of them" } },
  handler: (ctx) => Promise.resolve({ status: 200, body: listAdapters(ctx) }),
});
