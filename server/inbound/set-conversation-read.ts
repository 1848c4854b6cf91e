import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";

/** Everything of a conversation has been seen. */
export async function setConversationRead(ctx: Ctx, id: string): Promise<void> {
  await inTenant(ctx, (tx) =>
    tx.conversation.updateMany({
      where: { tenantId: ctx.tenantId, id, unread: { gt: 0 } },
      data: { unread: 0 },
    }),
  );
}
