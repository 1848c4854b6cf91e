import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorizeApiKeyScope, refuseEscalation, refuseRemovedCreator } from "./api-key-scope.ts";
import { makeApiKeyToken } from "./api-key-token.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import type { NewApiKey } from "./create-api-key.ts";
import { findPerson } from "./find-person.ts";
import { lockApiKey, selectApiKey } from "./queries.ts";
import { rotateApiKeySchema } from "./schemas.ts";
import type { RotateApiKeyInput } from "./schemas.ts";

/**
 * Creates a successor with the same scope and role. The old key stays valid for the overlap, never longer than it was.
 * Throws `conflict` for a key that has ended.
 */
export async function rotateApiKey(
  ctx: Ctx,
  input: RotateApiKeyInput,
): Promise<NewApiKey & { previousExpiresAt: Date }> {
  const { id, overlapSeconds } = rotateApiKeySchema.parse(input);
  const now = ctx.now();
  const found = await selectApiKey(ctx, id);
  if (!found) throw notFound();
  const { scope, environment } = await authorizeApiKeyScope(ctx, found);
  const creator = await findPerson(ctx, ctx.actor);
  const rotated = await inTenant(ctx, async (tx) => {
    await refuseRemovedCreator(ctx, tx, creator);
    const key = await lockApiKey(tx, ctx.tenantId, id);
    if (key.revokedAt || (key.expiresAt && key.expiresAt <= now)) {
      throw new DomainError("conflict", "This key has ended. Create a new one.");
    }
    const role = await tx.role.findUniqueOrThrow({
      where: { tenantId_id: { tenantId: ctx.tenantId, id: key.roleId } },
    });
    refuseEscalation(ctx, role.permissions, scope);

    const overlapEnd = new Date(now.getTime() + overlapSeconds * 1_000);
    const previousExpiresAt = key.expiresAt && key.expiresAt < overlapEnd ? key.expiresAt : overlapEnd;
    await tx.apiKey.update({
      where: { tenantId_id: { tenantId: ctx.tenantId, id: key.id } },
      data: { expiresAt: previousExpiresAt },
    });
    const successor = newId();
    const token = makeApiKeyToken(successor, environment.kind);
    await tx.apiKey.create({
      data: {
        tenantId: ctx.tenantId,
        id: successor,
        name: key.name,
        environmentId: key.environmentId,
        unitId: key.unitId,
        applicationId: key.applicationId,
        roleId: key.roleId,
        hash: Uint8Array.from(token.hash),
        hint: token.hint,
        rateLimitPerMinute: key.rateLimitPerMinute,
        createdById: creator,
        createdAt: now,
        expiresAt: key.expiresAt,
        rotatedFromId: key.id,
      },
    });
    await recordAudit(ctx, tx, {
      action: "api_key.rotated",
      targetType: "api_key",
      targetId: key.id,
      unitId: scope.unitId,
      environmentId: key.environmentId,
      data: { name: key.name, successorId: successor },
      before: { expiresAt: key.expiresAt },
      after: { expiresAt: previousExpiresAt },
    });
    return { id: successor, key: token.text, hint: token.hint, expiresAt: key.expiresAt, previousExpiresAt };
  });
  forgetApiKeys();
  return rotated;
}
