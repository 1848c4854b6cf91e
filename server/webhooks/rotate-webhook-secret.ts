import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { managedEndpoint, toWebhook } from "./manage-endpoint.ts";
import type { WebhookWithSecret } from "./schemas.ts";
import {
  mostOldSecrets,
  newSigningSecret,
  oldSecretsAt,
  openSigningSecret,
  sealSigningSecret,
  writeOldSecrets,
} from "./signing-secret.ts";

const overlapMs = 24 * 3_600_000;

/**
 * Gives an endpoint a new secret, shown only in this answer. For 24 hours the headers contain a signature by the old
 * one as well, and by those before it until their own 24 hours are over, the newest ten; the body's own signature, of which there
 * can be only one, uses the new secret from now on.
 */
export async function rotateWebhookSecret(ctx: Ctx, input: { id: string }): Promise<WebhookWithSecret> {
  const row = await managedEndpoint(ctx, input.id);
  const now = ctx.now();
  const secret = newSigningSecret();
  await inTenant(ctx, async (tx) => {
    const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
    const open = (box: Uint8Array) => openSigningSecret(ctx.tenantId, dataKey, row.id, box);
    const seal = (text: string) => new Uint8Array(sealSigningSecret(ctx.tenantId, dataKey, row.id, text));
    const where = { tenantId_id: { tenantId: ctx.tenantId, id: row.id } };
    await tx.$queryRaw`SELECT 1 FROM webhook_endpoints WHERE tenant_id = ${ctx.tenantId}::uuid AND id = ${row.id}::uuid FOR UPDATE`;
    const current = await tx.webhookEndpoint.findUnique({
      where,
      select: { secret: true, previousSecret: true, previousSecretExpiresAt: true },
    });
    if (!current) throw notFound();
    const { previousSecret, previousSecretExpiresAt } = current;
    const older =
      previousSecret && previousSecretExpiresAt
        ? oldSecretsAt(open(previousSecret), previousSecretExpiresAt, now)
        : [];
    const until = new Date(now.getTime() + overlapMs);
    const old = [{ secret: open(current.secret), until }, ...older].slice(0, mostOldSecrets);
    await tx.webhookEndpoint.update({
      where,
      data: {
        secret: seal(secret),
        previousSecret: seal(writeOldSecrets(old)),
        previousSecretExpiresAt: until,
        updatedAt: now,
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
  return { ...toWebhook(await managedEndpoint(ctx, row.id), now), secret };
}
