import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { enqueue } from "../kernel/tasks.ts";
import { managedEndpoint, toDelivery } from "./manage-endpoint.ts";
import { insertDelivery } from "./queries.ts";
import { testEvent } from "./schemas.ts";
import type { WebhookDelivery } from "./schemas.ts";
import { deliverWebhook } from "./tasks.ts";

/** Posts a `webhook.test` event to an endpoint, signed and logged like any other; returns its delivery. */
export async function sendTestEvent(ctx: Ctx, input: { id: string }): Promise<WebhookDelivery> {
  const endpoint = await managedEndpoint(ctx, input.id);
  if (!endpoint.enabled) throw new DomainError("conflict", "Turn the endpoint on first.");
  const now = ctx.now();
  const id = newId(now.getTime());
  await inTenant(ctx, async (tx) => {
    await insertDelivery(tx, {
      tenantId: ctx.tenantId,
      id,
      endpointId: endpoint.id,
      event: testEvent,
      payload: { webhookId: endpoint.id },
      at: now,
    });
    await enqueue(tx, deliverWebhook, { tenantId: ctx.tenantId, deliveryId: id });
    await recordAudit(ctx, tx, {
      action: "webhook.tested",
      targetType: "webhook",
      targetId: endpoint.id,
      unitId: endpoint.unitId,
      environmentId: endpoint.environmentId,
      data: { deliveryId: id },
    });
  });
  return toDelivery({
    id,
    event: testEvent,
    notificationId: null,
    sequence: null,
    state: "pending",
    attempts: 0,
    nextAttemptAt: now,
    lastStatus: null,
    lastError: null,
    at: now,
    deliveredAt: null,
  });
}
