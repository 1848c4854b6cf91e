import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { lockApproval, settleCanceled } from "./approval-queries.ts";
import { getNotification, readableNotification } from "./get-notification.ts";
import { oneByOne } from "./one-by-one.ts";
import { advanceInTransaction } from "./queries.ts";
import type { Canceled, Notification } from "./schemas.ts";

/** Cancels what waits for approval, for its time, its turn or another attempt; once a provider has it, or may have it, it is a conflict. */
export async function cancelNotification(ctx: Ctx, input: { id: string }): Promise<Notification> {
  await cancelOne(ctx, input);
  return getNotification(ctx, input);
}

/**
 * The same for each of several, at most `mostAtOnce`: one that can no longer be canceled, or that the caller may not cancel, does not
 * keep the others from it. One audit event each. Throws `not_found` when there is none of them for the caller.
 */
export async function cancelNotifications(
  ctx: Ctx,
  { ids }: { ids: readonly string[] },
): Promise<{ results: Canceled[] }> {
  const results = await oneByOne(ids, async (id): Promise<Canceled> => {
    try {
      await cancelOne(ctx, { id });
      return { id, outcome: "canceled" };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === "conflict") return { id, outcome: "too_late" };
      if (error.code === "not_found" || error.code === "permission_denied")
        return { id, outcome: "not_found" };
      throw error;
    }
  });
  if (results.every(({ outcome }) => outcome === "not_found")) throw notFound();
  return { results };
}

async function cancelOne(ctx: Ctx, input: { id: string }): Promise<void> {
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
        "Only a notification that no provider has got can be canceled. This one is already on its way or done.",
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
}
