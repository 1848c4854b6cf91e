import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorizeApiKeyScope, refuseRemovedCreator, refuseWiderKey } from "./api-key-scope.ts";
import { makeApiKeyToken } from "./api-key-token.ts";
import { findPerson } from "./find-person.ts";
import { grantableRole } from "./member-rules.ts";
import { createApiKeySchema } from "./schemas.ts";
import type { CreateApiKeyInput } from "./schemas.ts";

/** A new key; its text is shown once and not stored. */
export interface NewApiKey {
  id: string;
  key: string;
  hint: string;
  expiresAt: Date | null;
}

/**
 * Creates an API key for one environment. Needs api_keys:manage in the key's scope and every permission of its role.
 * Throws `invalid_request` for an unknown role or an expiry in the past.
 */
export async function createApiKey(ctx: Ctx, input: CreateApiKeyInput): Promise<NewApiKey> {
  const wanted = createApiKeySchema.parse(input);
  refuseWiderKey(ctx, wanted);
  const { scope, environment } = await authorizeApiKeyScope(ctx, wanted);
  if (wanted.expiresAt && wanted.expiresAt <= ctx.now()) {
    throw new DomainError("invalid_request", "The key would have expired already.", {
      errors: [{ pointer: "/expiresAt", code: "in_the_past", detail: "Choose a time in the future" }],
    });
  }
  const id = newId();
  const token = makeApiKeyToken(id, environment.kind);
  const creator = await findPerson(ctx, ctx.actor);
  await inTenant(ctx, async (tx) => {
    await refuseRemovedCreator(ctx, tx, creator);
    const role = await grantableRole(ctx, tx, wanted.role, scope);
    await tx.apiKey.create({
      data: {
        tenantId: ctx.tenantId,
        id,
        name: wanted.name,
        environmentId: environment.id,
        unitId: wanted.unitId ?? null,
        applicationId: wanted.applicationId ?? null,
        roleId: role.id,
        hash: Uint8Array.from(token.hash),
        hint: token.hint,
        rateLimitPerMinute: wanted.rateLimitPerMinute,
        createdById: creator,
        createdAt: ctx.now(),
        expiresAt: wanted.expiresAt ?? null,
      },
    });
    await recordAudit(ctx, tx, {
      action: "api_key.created",
      targetType: "api_key",
      targetId: id,
      unitId: scope.unitId,
      environmentId: environment.id,
      data: {
        name: wanted.name,
        role: role.key,
        applicationId: scope.applicationId,
        expiresAt: wanted.expiresAt ?? null,
        rateLimitPerMinute: wanted.rateLimitPerMinute,
      },
    });
  });
  return { id, key: token.text, hint: token.hint, expiresAt: wanted.expiresAt ?? null };
}
