import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { managedEndpoint, toDelivery } from "./manage-endpoint.ts";
import { reopenDeliveries, selectDelivery } from "./queries.ts";
import type { WebhookDelivery } from "./schemas.ts";

/**
 * Delivers one event again, with a fresh schedule; one that has failed and waits for its next attempt is attempted at once and
 * keeps its schedule. `conflict` while an attempt is due or in progress, or the endpoint is off.
 */
export async function replayWebhookDelivery(
  ctx: Ctx,
  input: { id: string; deliveryId: string },
): Promise<WebhookDelivery> {
  const endpoint = await managedEndpoint(ctx, input.id);
  const row = isUuid(input.deliveryId) ? await selectDelivery(ctx, endpoint.id, input.deliveryId) : null;
  if (!row) throw notFound();
  if (!endpoint.enabled) throw new DomainError("conflict", "Turn the endpoint on first.");
  await inTenant(ctx, async (tx) => {
    const reopened = await reopenDeliveries(tx, ctx.tenantId, endpoint.id, { id: row.id });
    if (reopened === 0) throw new DomainError("conflict", "An attempt is already in progress.");
    await recordAudit(ctx, tx, {
      action: "webhook_delivery.replayed",
      targetType: "webhook",
      targetId: endpoint.id,
      unitId: endpoint.unitId,
      environmentId: endpoint.environmentId,
      data: { deliveryId: row.id },
    });
  });
  return toDelivery({ ...row, state: "pending", nextAttemptAt: ctx.now() });
}
