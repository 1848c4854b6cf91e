import { defineRoute } from "../rest/define-route.ts";
import { listProviders } from "./list-providers.ts";
import { providerListSchema } from "./schemas.ts";

export const listProvidersRoute = defineRoute({
  method: "GET",
  path: "/v1/providers",
  operationId: "listProviders",
  summary: "List the configured provider connections and how they are doing",
  tags: ["Providers"],
  permission: "providers:read",
  responses: { 200: { schema: providerListSchema, description: "The connections" } },
  handler: async (ctx) => ({
    status: 200,
    body: await listProviders(ctx, { environmentId: ctx.environmentId }),
  }),
});
