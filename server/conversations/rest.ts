import { z } from "zod";
import { defineRoute } from "../rest/define-route.ts";
import { listConversationMessages } from "./list-conversation-messages.ts";
import { listConversations } from "./list-conversations.ts";
import {
  conversationListQuerySchema,
  conversationListSchema,
  conversationMessagesQuerySchema,
  conversationMessagesSchema,
} from "./schemas.ts";

const tags: [string] = ["Conversations"];

export const listConversationsRoute = defineRoute({
  method: "GET",
  path: "/v1/conversations",
  operationId: "listConversations",
  summary: "List conversations with recipients, the one last written in first",
  description:
    "A conversation begins when a recipient answers. It belongs to the application and environment of the message that was answered.",
  tags,
  permission: "notifications:read",
  query: conversationListQuerySchema,
  responses: { 200: { schema: conversationListSchema, description: "A page" } },
  handler: async (ctx, { query }) => ({
    status: 200,
    body: await listConversations(ctx, { ...query, environmentId: ctx.environmentId }),
  }),
});

export const listConversationMessagesRoute = defineRoute({
  method: "GET",
  path: "/v1/conversations/{id}/messages",
  operationId: "listConversationMessages",
  summary: "List what was said in a conversation, both ways, newest first",
  tags,
  permission: "notifications:read",
  params: z.object({ id: z.uuid() }),
  query: conversationMessagesQuerySchema,
  responses: { 200: { schema: conversationMessagesSchema, description: "A page" } },
  handler: async (ctx, { params, query }) => ({
    status: 200,
    body: await listConversationMessages(ctx, { ...params, ...query }),
  }),
});
