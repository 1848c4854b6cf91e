import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { settleTurnedOff } from "./disable-endpoint.ts";
import { managedEndpoint } from "./manage-endpoint.ts";

/** Deletes an endpoint; its pending deliveries are discarded when they are due. */
export async function deleteWebhookEndpoint(ctx: Ctx, input: { id: string }): Promise<void> {
  const row = await managedEndpoint(ctx, input.id);
  await inTenant(ctx, async (tx) => {
    const { count } = await tx.webhookEndpoint.deleteMany({ where: { tenantId: ctx.tenantId, id: row.id } });
    if (count === 0) throw notFound();
    await settleTurnedOff(ctx, tx, row.id);
    await recordAudit(ctx, tx, {
      action: "webhook.deleted",
      targetType: "webhook",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: row.environmentId,
      data: { name: new URL(row.url).host },
      before: {
        host: new URL(row.url).host,
        description: row.description,
        events: row.events,
        enabled: row.enabled,
      },
    });
  });
}
