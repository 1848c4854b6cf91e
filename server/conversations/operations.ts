import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { listConversationMessages } from "./list-conversation-messages.ts";
import { listConversations } from "./list-conversations.ts";
import { markConversationRead } from "./mark-conversation-read.ts";
import {
  conversationListQuerySchema,
  conversationListSchema,
  conversationMessagesQuerySchema,
  conversationMessagesSchema,
  portalConversationListSchema,
  portalConversationMessagesSchema,
} from "./schemas.ts";

const tag = "Conversations";
const permission = "notifications:read";

/** Recipients' answers, and the messages before them. */
export const conversationOperations = {
  list: query({
    permission,
    input: portalConversationListSchema,
    run: listConversations,
    rest: {
      method: "GET",
      path: "/v1/conversations",
      operationId: "listConversations",
      summary: "List conversations with recipients, most recent first",
      description:
        "A conversation starts when a recipient replies. It belongs to the application and environment of the message they replied to.",
      tag,
      query: conversationListQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: { status: 200, schema: conversationListSchema, description: "A page" },
    },
  }),
  messages: query({
    permission,
    input: portalConversationMessagesSchema,
    run: listConversationMessages,
    rest: {
      method: "GET",
      path: "/v1/conversations/{id}/messages",
      operationId: "listConversationMessages",
      summary: "List the messages of a conversation, newest first",
      tag,
      params: z.object({ id: z.uuid() }),
      query: conversationMessagesQuerySchema,
      answer: { status: 200, schema: conversationMessagesSchema, description: "A page" },
    },
  }),
  markRead: mutation({
    permission,
    input: z.object({ id: z.string().max(64) }),
    run: markConversationRead,
  }),
};
