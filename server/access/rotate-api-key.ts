import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import {
  authorizeApiKeyScope,
  refuseArchived,
  refuseEscalation,
  refusePastEnd,
  refuseRemovedCreator,
} from "./api-key-scope.ts";
import { makeApiKeyToken } from "./api-key-token.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import type { NewApiKey } from "./create-api-key.ts";
import { findMakers } from "./find-person.ts";
import { lockApiKey, selectApiKey } from "./queries.ts";
import { rotateApiKeySchema } from "./schemas.ts";
import type { RotateApiKeyInput } from "./schemas.ts";

/**
 * Creates a successor with the same scope, role, networks and limits, which belongs to whoever rotates: they see its text. The old key stays valid for the overlap, never longer than it was.
 * Throws `conflict` for a key that has ended, and for one of an archived application.
 */
export async function rotateApiKey(
  ctx: Ctx,
  input: RotateApiKeyInput,
): Promise<NewApiKey & { previousExpiresAt: Date }> {
  const { id, overlapSeconds, expiresAt: wantedEnd } = rotateApiKeySchema.parse(input);
  const now = ctx.now();
  refusePastEnd(ctx, wantedEnd);
  const found = await selectApiKey(ctx, id);
  if (!found) throw notFound();
  const { scope, environment } = await authorizeApiKeyScope(ctx, found);
  await refuseArchived(ctx, scope.applicationId);
  const { creatorId, madeById } = await findMakers(ctx, ctx.actor);
  const rotated = await inTenant(ctx, async (tx) => {
    await refuseRemovedCreator(ctx, tx, creatorId);
    const key = await lockApiKey(tx, ctx.tenantId, id);
    if (key.revokedAt || (key.expiresAt && key.expiresAt <= now)) {
      throw new DomainError("conflict", "This key has expired or was revoked. Create a new one.");
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
    const expiresAt = wantedEnd ?? key.expiresAt;
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
        purpose: key.purpose,
        allowedNetworks: key.allowedNetworks,
        agentId: key.agentId,
        rateLimitPerMinute: key.rateLimitPerMinute,
        createdById: creatorId,
        madeById,
        createdAt: now,
        expiresAt,
        rotatedFromId: key.id,
      },
    });
    await recordAudit(ctx, tx, {
      action: "api_key.rotated",
      targetType: "api_key",
      targetId: key.id,
      unitId: scope.unitId,
      environmentId: key.environmentId,
      data: { name: key.name, successorId: successor, successorExpiresAt: expiresAt },
      before: { expiresAt: key.expiresAt },
      after: { expiresAt: previousExpiresAt },
    });
    return { id: successor, key: token.text, hint: token.hint, expiresAt, previousExpiresAt };
  });
  forgetApiKeys();
  return rotated;
}
