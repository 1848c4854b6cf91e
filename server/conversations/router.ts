import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { listConversationMessages } from "./list-conversation-messages.ts";
import { listConversations } from "./list-conversations.ts";
import { markConversationRead } from "./mark-conversation-read.ts";
import { portalConversationListSchema, portalConversationMessagesSchema } from "./schemas.ts";

export const conversationsRouter = router({
  list: procedure
    .meta({ permissions: ["notifications:read"] })
    .input(portalConversationListSchema)
    .query(({ ctx, input }) => listConversations(ctx.tidings, input)),
  messages: procedure
    .meta({ permissions: ["notifications:read"] })
    .input(portalConversationMessagesSchema)
    .query(({ ctx, input }) => listConversationMessages(ctx.tidings, input)),
  markRead: procedure
    .meta({ permissions: ["notifications:read"] })
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx, input }) => markConversationRead(ctx.tidings, input)),
});
