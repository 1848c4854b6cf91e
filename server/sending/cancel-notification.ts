import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getNotification, readableNotification } from "./get-notification.ts";
import { advanceInTransaction } from "./queries.ts";
import type { Notification } from "./schemas.ts";

/** Cancels what is scheduled or still queued; later it is a conflict. */
export async function cancelNotification(ctx: Ctx, input: { id: string }): Promise<Notification> {
  const row = await readableNotification(ctx, input.id, "notifications:cancel");
  await inTenant(ctx, async (tx) => {
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
