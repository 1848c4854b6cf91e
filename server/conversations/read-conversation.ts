import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { authorize, may } from "../operations/authorize.ts";
import { selectConversation } from "./queries.ts";
import type { ConversationRow } from "./queries.ts";

/**
 * The row, if the caller may read it: an application's conversation with notifications:read, one without an application
 * with providers:manage in the unit that owns the number; otherwise not_found.
 */
export async function readableConversation(ctx: Ctx, id: string): Promise<ConversationRow> {
  if (!isUuid(id)) throw notFound();
  const row = await selectConversation(ctx, id);
  if (!row) throw notFound();
  if (row.applicationId === null) authorize(ctx, "providers:manage", { unitId: row.unitId });
  else authorize(ctx, "notifications:read", scopeOf(row));
  return row;
}

/** Whether the caller may see addresses and texts of this conversation. */
export function mayRevealConversation(ctx: Ctx, row: ConversationRow): boolean {
  return may(ctx, "content:reveal", row.applicationId === null ? { unitId: row.unitId } : scopeOf(row));
}

function scopeOf(row: ConversationRow) {
  return { unitId: row.unitId, applicationId: row.applicationId, environmentId: row.environmentId };
}
