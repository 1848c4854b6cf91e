import type { z } from "zod";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { countUnread, markNoticesRead, selectNotices } from "./queries.ts";
import type { Notice, noticeListSchema, noticeReadSchema } from "./schemas.ts";

/** Unread notices are counted up to this many: more is just "many". */
const countedAtMost = 100;

/** The person whose notices these are. An API key has none. */
function reader(ctx: Ctx): string {
  if (ctx.actor.type === "user") return ctx.actor.id;
  throw new DomainError("permission_denied", "Only people have notices.");
}

/** The actor's own notices, newest first. */
export async function listOwnNotices(
  ctx: Ctx,
  input: z.output<typeof noticeListSchema>,
): Promise<{ data: Notice[]; nextCursor: string | null }> {
  const rows = await selectNotices(ctx, {
    userId: reader(ctx),
    before: decodeCursor(input.cursor),
    limit: input.limit + 1,
  });
  return toPage(rows, input.limit, (row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
  }));
}

/** How many of the actor's own notices are unread; 100 means at least that many. */
export async function countOwnUnread(ctx: Ctx): Promise<{ count: number }> {
  return { count: await countUnread(ctx, reader(ctx), countedAtMost) };
}

/** Marks the actor's own notices as read, the named ones or all; somebody else's stay as they are. */
export async function markOwnRead(
  ctx: Ctx,
  input: z.output<typeof noticeReadSchema>,
): Promise<{ unread: number }> {
  const userId = reader(ctx);
  await inTenant(ctx, (tx) => markNoticesRead(tx, ctx.tenantId, { userId, ids: input.ids, now: ctx.now() }));
  return { unread: (await countOwnUnread(ctx)).count };
}
