import type { Ctx } from "../kernel/ctx.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../kernel/cursor.ts";
import { renderText } from "../sending/render-message.ts";
import { selectMessages } from "./queries.ts";
import type { MessageRow } from "./queries.ts";
import { mayRevealConversation, readableConversation } from "./read-conversation.ts";
import type { ConversationMessage } from "./schemas.ts";

/** A page of a conversation's messages, both ways, newest first. */
export async function listConversationMessages(
  ctx: Ctx,
  input: { id: string; limit: number; cursor?: string | undefined },
): Promise<{ data: ConversationMessage[]; nextCursor: string | null }> {
  const before = decodeTimeCursor(input.cursor);
  const conversation = await readableConversation(ctx, input.id);
  const reveal = mayRevealConversation(ctx, conversation);
  const rows = await selectMessages(ctx, conversation, { before, limit: input.limit + 1 });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    data: await Promise.all(page.map((row) => presentMessage(ctx, row, reveal))),
    nextCursor: rows.length > input.limit && last ? encodeTimeCursor(last.at, last.id) : null,
  };
}

async function presentMessage(ctx: Ctx, row: MessageRow, reveal: boolean): Promise<ConversationMessage> {
  return {
    id: row.id,
    direction: row.direction,
    at: row.at.toISOString(),
    text: reveal ? (row.text ?? (await ownText(ctx, row))) : null,
    kind: row.kind,
    button: reveal ? row.button : null,
    optOut: row.optOut,
    repliesTo: row.repliesTo,
    status: row.status,
    readAt: row.readAt?.toISOString() ?? null,
    simulated: row.simulated,
    template: row.templateName,
  };
}

async function ownText(ctx: Ctx, row: MessageRow): Promise<string | null> {
  if (!row.renderedFrom) return null;
  const result = await renderText(ctx, row.renderedFrom);
  return result.ok ? (result.rendered.subject ?? result.rendered.text) : null;
}
