import { findHolders } from "../access/find-holders.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { settleNotices, withoutOpenNotice, writeNotices } from "../notices/write-notices.ts";
import { anyReviewWaits, insertReviews } from "./review-queries.ts";
import { writeEntries } from "./write-entries.ts";

/** Beyond this nobody feels responsible. */
const maxNotified = 200;
const kind = "consent.review_requested";

/** What a recipient wrote that may be a no. */
export interface Unclear {
  inboundMessageId: string;
  conversationId: string;
  sandbox: boolean;
  channel: Channel;
  address: string;
  word: string | null;
  at: Date;
}

/**
 * Puts what may be a no before a person, in the caller's transaction. Until they have decided, an entry of the ledger refuses
 * marketing to the address on that channel like a no, so that nothing more is looked up when a message is sent. One review at a
 * time for an address, and none for who has refused marketing already.
 */
export async function holdForReview(ctx: Ctx, tx: Tx, unclear: readonly Unclear[]): Promise<void> {
  if (unclear.length === 0) return;
  const first = new Map(
    unclear.toReversed().map((one) => [JSON.stringify([one.sandbox, one.channel, one.address]), one]),
  );
  const asked = [...first.values()].map((one) => ({ ...one, id: newId() }));
  const written = await insertReviews(tx, ctx.tenantId, asked, ctx.now());
  const held = asked.filter(({ id }) => written.has(id));
  for (const sandbox of [false, true]) {
    const entries = held
      .filter((one) => one.sandbox === sandbox)
      .map(({ id, channel, address, at, inboundMessageId }) => ({
        id: newId(),
        channel,
        address,
        region: null,
        class: "marketing",
        state: "opted_out" as const,
        source: "review" as const,
        evidence: { inboundMessageId, review: id },
        at,
      }));
    // Nobody has said anything yet, so nobody is told.
    await writeEntries(ctx, tx, sandbox, entries, { tell: false });
  }
  if (!held.some(({ sandbox }) => !sandbox)) return;
  const holders = await findHolders(tx, ctx.tenantId, {
    permission: "consent:write",
    unitId: null,
    limit: maxNotified,
  });
  const targetId = ctx.tenantId;
  await writeNotices(ctx, tx, await withoutOpenNotice(ctx, tx, holders, { kind, targetId }), {
    kind,
    targetType: "tenant",
    targetId,
    data: {},
  });
}

/** After a decision, in its transaction: once nothing waits any more, nobody needs to be told. */
export async function settleReviewNotices(ctx: Ctx, tx: Tx): Promise<void> {
  if (!(await anyReviewWaits(tx, ctx.tenantId)))
    await settleNotices(ctx, tx, { kind, targetId: ctx.tenantId });
}
