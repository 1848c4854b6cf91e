import { findHolders } from "../access/find-holders.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { settleNotices, writeNotices } from "../notices/write-notices.ts";
import { hasAttemptsSince } from "./delivery-queries.ts";
import { enqueueWebhookEvent } from "./enqueue-webhook-event.ts";
import { selectEndpoint } from "./queries.ts";

/** Fewer failures than these in days say little about an endpoint that is rarely called. */
const minFailures = 5;

/** A notice to more people than this would reach nobody in particular. */
const maxTold = 200;

const details = {
  gone: "The endpoint answered 410 Gone and was switched off.",
  failing: "Every delivery to the endpoint failed for five days; it was switched off.",
} as const;

/**
 * Switches an endpoint off on behalf of the system, and reports it: in the audit trail, on the endpoint itself, to those who manage
 * it, and by a `processing.error` event to the other endpoints of the application. Does nothing when it is off already, or has another
 * address by now than the one that answered.
 */
export async function disableEndpoint(
  ctx: Ctx,
  input: { endpointId: string; url: string; reason: keyof typeof details },
): Promise<void> {
  const endpoint = await selectEndpoint(ctx, input.endpointId);
  if (!endpoint?.enabled || endpoint.url !== input.url) return;
  if (input.reason === "failing") {
    const since = endpoint.failingSince;
    if (!since || !(await hasAttemptsSince(ctx, endpoint.id, since, minFailures))) return;
  }
  await inTenant(ctx, async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      where: {
        tenantId: ctx.tenantId,
        id: endpoint.id,
        enabled: true,
        url: endpoint.url,
        // Unless a delivery has succeeded meanwhile.
        ...(input.reason === "failing" && { failingSince: endpoint.failingSince }),
      },
      data: { enabled: false, disabledReason: input.reason, disabledAt: ctx.now(), updatedAt: ctx.now() },
    });
    if (count === 0) return;
    await recordAudit(ctx, tx, {
      action: "webhook.disabled",
      targetType: "webhook",
      targetId: endpoint.id,
      unitId: endpoint.unitId,
      environmentId: endpoint.environmentId,
      data: { name: new URL(endpoint.url).host },
      before: { enabled: true },
      after: { enabled: false, reason: input.reason },
    });
    const who = { permission: "webhooks:manage", unitId: endpoint.unitId, limit: maxTold } as const;
    const holders = await findHolders(tx, ctx.tenantId, who);
    await writeNotices(ctx, tx, holders, {
      kind: "webhook.turned_off",
      targetType: "webhook",
      targetId: endpoint.id,
      data: { host: new URL(endpoint.url).host, reason: input.reason },
    });
    await enqueueWebhookEvent(ctx, tx, {
      event: "processing.error",
      applicationId: endpoint.applicationId,
      environmentId: endpoint.environmentId,
      payload: { code: `webhook_${input.reason}`, detail: details[input.reason], webhookId: endpoint.id },
    });
  });
}

/** An endpoint that was switched off is on again, or gone: nobody has to see to it. In the transaction of that. */
export function settleTurnedOff(ctx: Ctx, tx: Tx, endpointId: string): Promise<void> {
  return settleNotices(ctx, tx, { kind: "webhook.turned_off", targetId: endpointId });
}
