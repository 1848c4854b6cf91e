import type { Ctx } from "../kernel/ctx.ts";
import { setConversationRead } from "../inbound/set-conversation-read.ts";
import { readableConversation } from "./read-conversation.ts";

/** Marks a conversation as read, for everybody who may read it. */
export async function markConversationRead(ctx: Ctx, input: { id: string }): Promise<void> {
  const conversation = await readableConversation(ctx, input.id);
  if (conversation.unread > 0) await setConversationRead(ctx, conversation.id);
}
