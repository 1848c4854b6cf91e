import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { managedEndpoint, toWebhook } from "./manage-endpoint.ts";
import type { WebhookWithSecret } from "./schemas.ts";
import { newSigningSecret, sealSigningSecret } from "./signing-secret.ts";

const overlapMs = 24 * 3_600_000;

/**
 * Gives an endpoint a new secret, shown only in this answer. For 24 hours the headers contain a signature by the old
 * one as well; the body's own signature, of which there can be only one, uses the new secret from now on.
 */
export async function rotateWebhookSecret(ctx: Ctx, input: { id: string }): Promise<WebhookWithSecret> {
  const row = await managedEndpoint(ctx, input.id);
  const secret = newSigningSecret();
  await inTenant(ctx, async (tx) => {
    const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
    const where = { tenantId_id: { tenantId: ctx.tenantId, id: row.id } };
    await tx.$queryRaw`SELECT 1 FROM webhook_endpoints WHERE tenant_id = ${ctx.tenantId}::uuid AND id = ${row.id}::uuid FOR UPDATE`;
    const current = await tx.webhookEndpoint.findUnique({ where, select: { secret: true } });
    if (!current) throw notFound();
    await tx.webhookEndpoint.update({
      where,
      data: {
        secret: new Uint8Array(sealSigningSecret(ctx.tenantId, dataKey, row.id, secret)),
        previousSecret: current.secret,
        previousSecretExpiresAt: new Date(ctx.now().getTime() + overlapMs),
        updatedAt: ctx.now(),
      },
    });
    await recordAudit(ctx, tx, {
      action: "webhook.secret_rotated",
      targetType: "webhook",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: row.environmentId,
      data: { name: new URL(row.url).host },
    });
  });
  return { ...toWebhook(await managedEndpoint(ctx, row.id), ctx.now()), secret };
}
