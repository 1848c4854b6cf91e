import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { lockApproval, settleCanceled } from "./approval-queries.ts";
import { getNotification, readableNotification } from "./get-notification.ts";
import { advanceInTransaction } from "./queries.ts";
import type { Notification } from "./schemas.ts";

/** Cancels what waits for approval, is scheduled or still queued; later it is a conflict. */
export async function cancelNotification(ctx: Ctx, input: { id: string }): Promise<Notification> {
  const row = await readableNotification(ctx, input.id, "notifications:cancel");
  await inTenant(ctx, async (tx) => {
    const waits = row.status === "pending_approval";
    // Before its messages, as who decides on the request does.
    if (waits) await lockApproval(tx, ctx.tenantId, row.requestId);
    const reason = { code: "canceled" as const, detail: `Canceled by ${ctx.actor.name}.` };
    const applied = await advanceInTransaction(tx, ctx.tenantId, [
      { tenantId: ctx.tenantId, id: row.id, kind: "transition", to: "canceled", reason },
    ]);
    if (applied === 0) {
      throw new DomainError(
        "conflict",
        "Only a scheduled or queued notification can be canceled. This one is already on its way or done.",
      );
    }
    if (waits) await settleCanceled(tx, ctx.tenantId, row.requestId, ctx.now());
    await recordAudit(ctx, tx, {
      action: "notification.canceled",
      targetType: "notification",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: row.environmentId,
      before: { status: row.status },
      after: { status: "canceled" },
    });
  });
  return getNotification(ctx, input);
}
