import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { sandboxActionAcceptedSchema, sandboxActionSchema } from "./schemas.ts";
import { simulateRecipient } from "./simulate-recipient.ts";

export const simulateRecipientRoute = defineRoute({
  method: "POST",
  path: "/v1/sandbox/messages/{id}/actions",
  operationId: "simulateRecipient",
  summary: "Act as the recipient of a message of the sandbox",
  description:
    "The simulated provider then calls back as a real one would: signed, over the public callback route. What follows is told by webhooks as usual. A message of another environment: 409.",
  tags: ["Sandbox"],
  permission: "notifications:send",
  params: z.object({ id: z.uuid().meta({ description: "The notification" }) }),
  body: sandboxActionSchema,
  responses: { 202: { schema: sandboxActionAcceptedSchema, description: "The callback is on its way" } },
  handler: async (ctx, { params, body }) => ({
    status: 202,
    body: await simulateRecipient(ctx, { ...body, id: params.id }),
  }),
});
