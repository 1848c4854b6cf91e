import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { listMail, readMail } from "./read-mailbox.ts";
import { sandboxActionAcceptedSchema, sandboxActionSchema } from "./schemas.ts";
import { simulateRecipient } from "./simulate-recipient.ts";

/** Simulated recipients. */
export const sandboxOperations = {
  act: mutation({
    permission: "notifications:send",
    input: z.object({ id: z.string().max(64), action: sandboxActionSchema }),
    run: (ctx, { id, action }) => simulateRecipient(ctx, { ...action, id }),
    rest: {
      method: "POST",
      path: "/v1/sandbox/messages/{id}/actions",
      operationId: "simulateRecipient",
      idempotencyKey: true,
      errors: ["conflict"],
      summary: "Act as the recipient of a sandbox message",
      description:
        "The simulated provider then sends a signed callback to the public callback route, like a real one. Webhooks follow as usual. A message in another environment is 409.",
      tag: "Sandbox",
      params: z.object({ id: z.uuid().meta({ description: "The notification" }) }),
      body: sandboxActionSchema,
      input: (_ctx, { params, body }) => ({ id: params.id, action: body }),
      answer: {
        status: 202,
        schema: sandboxActionAcceptedSchema,
        description: "The callback is on its way",
      },
    },
  }),
};

/** The quickstart's local mail server. */
export const mailboxOperations = {
  list: query({ permission: "content:reveal", run: listMail }),
  read: query({
    permission: "content:reveal",
    input: z.object({ id: z.string().min(1).max(128) }),
    run: readMail,
  }),
};
