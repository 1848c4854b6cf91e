import { maskAddress, shownAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { authorize, may } from "../operations/authorize.ts";
import { decidedWithin } from "./decide-review.ts";
import { ledgerOf } from "./ledger-place.ts";
import { countWaiting, selectReviews } from "./review-queries.ts";
import type { ConsentReview } from "./schemas.ts";

/** Counted up to this many: more is just "many". */
const countedAtMost = 100;

/** What recipients wrote that may be a no and that nobody has decided, the oldest first. Like the ledger, it names addresses of every team. */
export async function listReviews(
  ctx: Ctx,
  input: { environmentId: string; limit: number; cursor?: string | undefined },
): Promise<{ data: ConsentReview[]; nextCursor: string | null }> {
  const { environmentId, limit } = input;
  const { sandbox } = await ledgerOf(ctx, "consent:read", environmentId);
  authorize(ctx, "consent:read", { environmentId });
  const rows = await selectReviews(ctx, { sandbox, after: decodeCursor(input.cursor), limit: limit + 1 });
  const reveal = may(ctx, "content:reveal", { environmentId });
  return toPage(rows, limit, ({ address, text, at, createdAt, ...row }) => ({
    ...row,
    address: reveal ? shownAddress(address) : maskAddress(address),
    text: reveal ? text : null,
    at: at.toISOString(),
    until: new Date(createdAt.getTime() + decidedWithin).toISOString(),
  }));
}

/** How many wait for somebody who may decide; 100 means at least that many. */
export async function countReviews(ctx: Ctx, input: { environmentId: string }): Promise<{ count: number }> {
  const { sandbox } = await ledgerOf(ctx, "consent:write", input.environmentId);
  return { count: may(ctx, "consent:write", input) ? await countWaiting(ctx, sandbox, countedAtMost) : 0 };
}
