import { findHolders } from "../access/find-holders.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import type { NoticeKind } from "../notices/schemas.ts";
import { settleNotices, writeNotices } from "../notices/write-notices.ts";
import type { Standing } from "./promotion-access.ts";
import type { PromotionRow } from "./promotion-queries.ts";

/** How many approvers are notified of one request: beyond this nobody feels responsible. */
const maxNotified = 200;

type About = Pick<
  PromotionRow,
  "id" | "unitId" | "application" | "fromEnvironment" | "toEnvironment" | "templates"
>;

const entry = (ctx: Ctx, kind: NoticeKind, about: About) => ({
  kind,
  targetType: "promotion",
  targetId: about.id,
  data: {
    by: ctx.actor.name,
    application: about.application,
    from: about.fromEnvironment,
    to: about.toEnvironment,
    templates: about.templates,
  },
});

const findApprovers = (ctx: Ctx, tx: Tx, { unitId }: About) =>
  findHolders(tx, ctx.tenantId, { permission: "promotions:approve", unitId, limit: maxNotified });

/** Notifies everybody who may approve a promotion, except its requester. */
export async function notifyApprovers(
  ctx: Ctx,
  tx: Tx,
  about: About,
  requester: string | null,
): Promise<void> {
  const approvers = await findApprovers(ctx, tx, about);
  await writeNotices(
    ctx,
    tx,
    approvers.filter((id) => id !== requester),
    entry(ctx, "promotion.requested", about),
  );
}

/** Notifies whoever can request a promotion again that can't be deployed any more; where that is nobody in particular, who can reject it. */
export async function notifyBlocked(
  ctx: Ctx,
  tx: Tx,
  about: About & Pick<PromotionRow, "requestedByPersonId">,
): Promise<void> {
  const { requestedByPersonId: requester } = about;
  const readers = requester === null ? await findApprovers(ctx, tx, about) : [requester];
  await writeNotices(ctx, tx, readers, entry(ctx, "promotion.blocked", about));
}

/** Notifies the requester of somebody else's decision. */
export async function notifyRequester(
  ctx: Ctx,
  tx: Tx,
  kind: NoticeKind,
  about: About,
  standing: Standing,
): Promise<void> {
  if (standing.requester === null || standing.isRequester) return;
  await writeNotices(ctx, tx, [standing.requester], entry(ctx, kind, about));
}

/** Settles the notices once enough people have approved, or the promotion has ended. */
export async function settleRequest(ctx: Ctx, tx: Tx, promotionId: string): Promise<void> {
  await settleNotices(ctx, tx, { kind: "promotion.requested", targetId: promotionId });
}
