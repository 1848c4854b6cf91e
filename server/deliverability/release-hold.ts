import { findHolders } from "../access/find-holders.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { settleNotices, writeNotices } from "../notices/write-notices.ts";
import { authorize } from "../operations/authorize.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue-webhook-event.ts";
import { forgetHolds } from "./holds.ts";
import { figuresOf } from "./judge-standings.ts";
import { releaseStanding } from "./queries.ts";
import { rateText } from "./rates.ts";
import { mailThresholds } from "./vocabulary.ts";
import type { HoldRelease } from "./schemas.ts";

const maxTold = 200;

/**
 * Ends a hold because somebody takes the rate as it is: for a day there is no other, whatever the figures. Audited; those who could
 * have released it are told. Throws `conflict` when nothing is held any more.
 */
export async function releaseHold(
  ctx: Ctx,
  { group, note }: HoldRelease,
): Promise<{ acceptedUntil: string }> {
  authorize(ctx, "routing:manage", {});
  const at = ctx.now();
  const acceptedUntil = new Date(at.getTime() + mailThresholds.acceptedHours * 3_600_000);
  await inTenant(ctx, async (tx) => {
    const byName = ctx.actor.name;
    const held = await releaseStanding(tx, ctx.tenantId, { group, at, acceptedUntil, byName, note });
    if (!held) {
      throw new DomainError("conflict", "Marketing to these mailboxes is no longer held.");
    }
    const target = { targetType: "mail_standing", targetId: held.id };
    await settleNotices(ctx, tx, { kind: "mail.held", targetId: held.id });
    const holders = await findHolders(tx, ctx.tenantId, {
      permission: "routing:manage",
      unitId: null,
      limit: maxTold,
    });
    await writeNotices(
      ctx,
      tx,
      holders.filter((id) => id !== ctx.actor.id),
      {
        kind: "mail.hold_released",
        ...target,
        data: { group, by: byName, reason: held.cause ? rateText(held.cause, held) : "" },
      },
    );
    const figures = figuresOf({ ...held, group });
    await enqueueWebhookEvent(ctx, tx, {
      event: "processing.error",
      applicationId: null,
      environmentId: null,
      sandbox: false,
      payload: { code: "mail_hold_released", ...figures },
    });
    await recordAudit(ctx, tx, {
      action: "mail_hold.released",
      ...target,
      before: { level: "held", since: held.since.toISOString() },
      after: { level: "warned", acceptedUntil: acceptedUntil.toISOString() },
      data: { ...figures, note },
    });
  });
  forgetHolds(ctx.tenantId);
  return { acceptedUntil: acceptedUntil.toISOString() };
}
