import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import {
  authorizeApiKeyScope,
  refuseArchived,
  refusePastEnd,
  refuseRemovedCreator,
  refuseWiderKey,
} from "./api-key-scope.ts";
import { makeApiKeyToken } from "./api-key-token.ts";
import { findMakers } from "./find-person.ts";
import { grantableRole } from "./member-rules.ts";
import type { Scope } from "../operations/authorize.ts";
import type { EnvironmentKind } from "../tenancy/schemas.ts";
import { maskRecipient } from "./mask-recipient.ts";
import { createApiKeySchema } from "./schemas.ts";
import type { AgentInput, CreateApiKeyInput } from "./schemas.ts";

/** A new key; its text is shown once and not stored. */
export interface NewApiKey {
  id: string;
  key: string;
  hint: string;
  expiresAt: Date | null;
}

/**
 * Creates an API key for one environment. Needs api_keys:manage in the key's scope and every permission of its role.
 * Throws `invalid_request` for an unknown role or an expiry in the past, `conflict` for an archived application.
 */
export async function createApiKey(ctx: Ctx, input: CreateApiKeyInput): Promise<NewApiKey> {
  const wanted = createApiKeySchema.parse(input);
  refuseWiderKey(ctx, wanted);
  const { scope, environment } = await authorizeApiKeyScope(ctx, wanted);
  await refuseArchived(ctx, scope.applicationId);
  refusePastEnd(ctx, wanted.expiresAt);
  const makers = await findMakers(ctx, ctx.actor);
  return inTenant(ctx, async (tx) => {
    await refuseRemovedCreator(ctx, tx, makers.creatorId);
    const role = await grantableRole(ctx, tx, wanted.role, scope);
    return insertApiKey(ctx, tx, {
      ...wanted,
      agentId: wanted.agent ? await insertAgent(ctx, tx, wanted.agent) : null,
      expiresAt: wanted.expiresAt ?? null,
      kind: environment.kind,
      scope,
      unitId: wanted.unitId ?? null,
      role,
      ...makers,
    });
  });
}

async function insertAgent(ctx: Ctx, tx: Tx, limits: AgentInput): Promise<string> {
  const id = newId();
  await tx.agent.create({ data: { tenantId: ctx.tenantId, id, ...limits, createdAt: ctx.now() } });
  return id;
}

/** The limits of an agent as the audit trail has them: patterns, and of addresses as much as may be read there. */
export function describeAgent(limits: Partial<AgentInput>): object {
  const { recipients, ...others } = limits;
  return { ...others, ...(recipients ? { recipients: recipients.map(maskRecipient) } : {}) };
}

/** Writes a key that was checked, with its audit event, in the caller's transaction. */
export async function insertApiKey(
  ctx: Ctx,
  tx: Tx,
  wanted: {
    name: string;
    kind: EnvironmentKind;
    /** Where it reaches: an application's key also lies in the application's unit. */
    scope: Required<Scope> & { environmentId: string };
    /** The unit that it is bound to itself. */
    unitId: string | null;
    purpose?: string;
    allowedNetworks?: string[];
    agentId?: string | null;
    agent?: AgentInput | undefined;
    role: { id: string; key: string };
    rateLimitPerMinute?: number;
    /** The person whose it is. */
    creatorId: string | null;
    /** Who else may have its text: see findMakers. */
    madeById?: string | null;
    expiresAt: Date | null;
  },
): Promise<NewApiKey> {
  const { scope, expiresAt } = wanted;
  const id = newId();
  const token = makeApiKeyToken(id, wanted.kind);
  const rateLimitPerMinute = wanted.rateLimitPerMinute ?? 6_000;
  await tx.apiKey.create({
    data: {
      tenantId: ctx.tenantId,
      id,
      name: wanted.name,
      environmentId: scope.environmentId,
      unitId: wanted.unitId,
      applicationId: scope.applicationId,
      roleId: wanted.role.id,
      hash: Uint8Array.from(token.hash),
      hint: token.hint,
      purpose: wanted.purpose ?? "",
      allowedNetworks: wanted.allowedNetworks ?? [],
      agentId: wanted.agentId ?? null,
      rateLimitPerMinute,
      createdById: wanted.creatorId,
      madeById: wanted.madeById ?? null,
      createdAt: ctx.now(),
      expiresAt,
    },
  });
  await recordAudit(ctx, tx, {
    action: "api_key.created",
    targetType: "api_key",
    targetId: id,
    unitId: scope.unitId,
    environmentId: scope.environmentId,
    data: { name: wanted.name },
    after: {
      role: wanted.role.key,
      applicationId: scope.applicationId,
      purpose: wanted.purpose ?? "",
      allowedNetworks: wanted.allowedNetworks ?? [],
      ...(wanted.agent ? { agent: describeAgent(wanted.agent) } : {}),
      expiresAt,
      rateLimitPerMinute,
    },
  });
  return { id, key: token.text, hint: token.hint, expiresAt };
}
