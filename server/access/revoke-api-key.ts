import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { authorizeApiKeyScope } from "./api-key-scope.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import { lockApiKey, selectApiKey } from "./queries.ts";
import type { RevokeApiKeyInput } from "./schemas.ts";

/** Revokes a key; it is refused everywhere within two seconds. A key that is already revoked stays as it is. */
export async function revokeApiKey(ctx: Ctx, input: RevokeApiKeyInput): Promise<{ revokedAt: Date }> {
  const found = await selectApiKey(ctx, input.id);
  if (!found) throw notFound();
  const { scope } = await authorizeApiKeyScope(ctx, found);
  const revokedAt = await inTenant(ctx, async (tx) => {
    const key = await lockApiKey(tx, ctx.tenantId, input.id);
    if (key.revokedAt) return key.revokedAt;
    const at = ctx.now();
    await tx.apiKey.update({
      where: { tenantId_id: { tenantId: ctx.tenantId, id: key.id } },
      data: { revokedAt: at },
    });
    await recordAudit(ctx, tx, {
      action: "api_key.revoked",
      targetType: "api_key",
      targetId: key.id,
      unitId: scope.unitId,
      environmentId: key.environmentId,
      data: { name: key.name },
      before: { revokedAt: null },
      after: { revokedAt: at },
    });
    return at;
  });
  forgetApiKeys();
  return { revokedAt };
}
