import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { createProvider } from "./create-provider.ts";
import { deleteProvider } from "./delete-provider.ts";
import { describeFields } from "./describe-fields.ts";
import { getProvider } from "./get-provider.ts";
import { providerAdapters } from "./list-adapters.ts";
import { listProviders } from "./list-providers.ts";
import { readPriceList } from "./read-price-list.ts";
import {
  priceListTextSchema,
  providerAdapterListSchema,
  providerCreateSchema,
  providerDeletedSchema,
  providerDetailSchema,
  providerListSchema,
  providerUpdateSchema,
  testResultSchema,
  testUnsavedSchema,
} from "./schemas.ts";
import { testProvider, testUnsavedProvider } from "./test-provider.ts";
import { updateProvider } from "./update-provider.ts";

const one = z.object({ id: z.uuid().meta({ description: "The connection" }) });
const inEnvironment = z.object({ environmentId: z.uuid().optional() });
const tag = "Providers";
const read = "providers:read";
const manage = "providers:manage";

/** Connections to providers. */
export const providerOperations = {
  list: query({
    permission: read,
    input: inEnvironment.optional(),
    run: listProviders,
    rest: {
      method: "GET",
      path: "/v1/providers",
      operationId: "listProviders",
      summary: "List provider connections and their health",
      description:
        "Figures cover all attempts through a connection in the API key's environment, by any unit or application.",
      tag,
      input: ({ environmentId }) => ({ environmentId }),
      answer: { status: 200, schema: providerListSchema, description: "The connections" },
    },
  }),
  get: query({
    permission: read,
    input: inEnvironment.extend(one.shape),
    run: getProvider,
    rest: {
      method: "GET",
      path: "/v1/providers/{id}",
      operationId: "getProvider",
      summary: "Get a provider connection",
      description:
        "Includes its callback address and the rules that use it. Of credentials, only which fields are set.",
      tag,
      params: one,
      input: ({ environmentId }, { params }) => ({ ...params, environmentId }),
      answer: { status: 200, schema: providerDetailSchema, description: "The connection" },
    },
  }),
  adapters: query({
    permission: read,
    run: () => ({ data: providerAdapters() }),
    rest: {
      method: "GET",
      path: "/v1/provider-adapters",
      operationId: "listProviderAdapters",
      summary: "List the supported providers",
      tag,
      answer: { status: 200, schema: providerAdapterListSchema, description: "All of them" },
    },
  }),
  create: mutation({
    permission: manage,
    input: providerCreateSchema,
    run: createProvider,
    rest: {
      method: "POST",
      path: "/v1/providers",
      operationId: "createProvider",
      idempotencyKey: true,
      summary: "Add a provider connection",
      description: [
        "A connection is an account at a provider. It serves every environment, so it needs an API key of a production environment. Routing rules decide what is sent through it.",
        "The members of `credentials` and `settings` depend on `provider`; `GET /v1/provider-adapters` returns their JSON Schemas. Credentials are stored encrypted and never returned.",
        describeFields(),
      ].join("\n\n"),
      tag,
      body: providerCreateSchema,
      answer: {
        status: 201,
        schema: providerDetailSchema,
        description: "The connection, without its credentials",
        headers: ({ id }) => ({ Location: `/v1/providers/${id}` }),
      },
    },
  }),
  update: mutation({
    permission: manage,
    input: one.extend({ changes: providerUpdateSchema }),
    run: updateProvider,
    rest: {
      method: "PATCH",
      path: "/v1/providers/{id}",
      operationId: "updateProvider",
      summary: "Change a provider connection, or switch it on or off",
      description:
        "Takes effect within two seconds. Stored credentials are never sent to a new address: changing a host or URL requires all credentials again.",
      tag,
      params: one,
      body: providerUpdateSchema,
      input: (_ctx, { params, body }) => ({ ...params, changes: body }),
      answer: { status: 200, schema: providerDetailSchema, description: "The updated connection" },
    },
  }),
  delete: mutation({
    permission: manage,
    input: one.extend({ force: z.boolean().optional() }),
    run: deleteProvider,
    rest: {
      method: "DELETE",
      path: "/v1/providers/{id}",
      operationId: "deleteProvider",
      errors: ["connection_in_use"],
      summary: "Delete a provider connection and its credentials",
      description:
        "Refused with `connection_in_use` while routing rules use it, unless `force` is true. Later receipts are lost: switch the connection off first and delete it once they have arrived.",
      tag,
      params: one,
      query: z.object({
        force: z
          .enum(["true", "false"])
          .optional()
          .meta({ description: "Delete even if routing rules use it. The rules continue without it" }),
      }),
      input: (_ctx, parts) => ({ ...parts.params, force: parts.query.force === "true" }),
      answer: {
        status: 200,
        schema: providerDeletedSchema,
        description: "Deleted, with the rules that used it",
      },
    },
  }),
  readPriceList: mutation({
    permission: manage,
    input: priceListTextSchema,
    run: (_ctx, { csv }) => readPriceList(csv),
  }),
  test: mutation({
    permission: manage,
    input: one,
    run: testProvider,
    rest: {
      method: "POST",
      path: "/v1/providers/{id}/test",
      operationId: "testProvider",
      summary: "Test a provider connection",
      description:
        "Checks address and credentials without sending a message. At most 20 tests per minute in an organisation.",
      tag,
      params: one,
      answer: { status: 200, schema: testResultSchema, description: "The result of the test" },
    },
  }),
  testUnsaved: mutation({
    permission: manage,
    input: testUnsavedSchema,
    run: testUnsavedProvider,
  }),
};
