import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { namesBeside } from "./address-links.ts";
import { settleReviewNotices } from "./hold-for-review.ts";
import { ledgerOf } from "./ledger-place.ts";
import type { NewEntry } from "./queries.ts";
import { endReview, isReview, lockReview, selectUndecided } from "./review-queries.ts";
import type { Undecided } from "./review-queries.ts";
import type { ReviewDecision } from "./schemas.ts";
import { classesOfNo } from "./words/revocation-scope.ts";
import { writeEntries } from "./write-entries.ts";

const day = 86_400_000;
/** Who wrote something that may be a no, and to whom nobody answers that, has said no. */
export const decidedWithin = 7 * day;

/**
 * Decides whether what a recipient wrote was a no: then it counts from when it was written, else everything is as it was before.
 * Throws `conflict` when it does not wait any more.
 */
export async function decideReview(ctx: Ctx, input: ReviewDecision): Promise<void> {
  const { sandbox } = await ledgerOf(ctx, "consent:write", input.environmentId);
  const ended = await end(ctx, {
    id: input.id,
    sandbox,
    environmentId: input.environmentId,
    state: input.decision === "no_opt_out" ? "no_opt_out" : "opt_out",
    classes:
      input.decision === "no_opt_out"
        ? []
        : input.decision === "marketing"
          ? ["marketing"]
          : classesOfNo(null, { all: true, at: ctx.now() }),
    evidence: { decidedBy: ctx.actor.name },
  });
  if (ended) return;
  if (!(await isReview(ctx, input.id, sandbox))) throw notFound();
  throw new DomainError("conflict", "Someone has decided this in the meantime.");
}

/**
 * What nobody has decided within seven days is an opt-out of marketing. One that cannot be ended is left for the next run and keeps
 * no other from it. Returns how many ended.
 */
export async function expireReviews(db: Db, now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - decidedWithin);
  let count = 0;
  let last: Undecided | null = null;
  for (;;) {
    const page: Undecided[] = await selectUndecided(db, { before, after: last, limit: 200 });
    for (const { tenantId, id, sandbox } of page) {
      try {
        const ended = await end(systemCtx(db, tenantId, "Consent"), {
          id,
          sandbox,
          state: "undecided",
          classes: ["marketing"],
          evidence: { undecided: "Nobody decided within seven days" },
        });
        if (ended) count++;
      } catch (error) {
        logger().error(
          { err: error, tenantId, reviewId: id },
          "a review that nobody decided could not be ended",
        );
      }
    }
    last = page.at(-1) ?? null;
    if (page.length < 200) return count;
  }
}

/** In one transaction: at no moment does neither the hold nor the no stand. */
async function end(
  ctx: Ctx,
  input: {
    id: string;
    sandbox: boolean;
    environmentId?: string;
    state: "opt_out" | "no_opt_out" | "undecided";
    classes: readonly string[];
    evidence: Record<string, string>;
  },
): Promise<boolean> {
  const { id, sandbox, environmentId, state } = input;
  return inTenant(ctx, async (tx) => {
    const review = await lockReview(tx, ctx.tenantId, { id, sandbox });
    if (!review) return false;
    const { channel, address, at, inboundMessageId } = review;
    const beside =
      channel === "whatsapp" ? await namesBeside(tx, ctx.tenantId, sandbox, [address]) : undefined;
    const addresses = [address, ...(beside?.get(address) ?? [])];
    await endReview(tx, ctx.tenantId, review, { addresses, state, now: ctx.now() });
    const entries = input.classes.map((of): NewEntry => ({
      id: newId(),
      channel,
      address,
      region: null,
      class: of,
      state: "opted_out",
      source: "keyword",
      evidence: { inboundMessageId, review: id, ...input.evidence },
      at,
    }));
    await writeEntries(ctx, tx, sandbox, entries);
    await settleReviewNotices(ctx, tx);
    await recordAudit(ctx, tx, {
      action: "consent_review.decided",
      targetType: "consent_review",
      targetId: id,
      ...(environmentId === undefined ? {} : { environmentId }),
      before: { state: "waiting" },
      after: { state, classes: [...input.classes] },
    });
    return true;
  });
}
