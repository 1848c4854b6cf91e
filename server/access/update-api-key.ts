import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { Scope } from "../operations/authorize.ts";
import { authorizeApiKeyScope, refuseEscalation } from "./api-key-scope.ts";
import { forgetApiKeys } from "./authenticate-api-key.ts";
import { describeAgent } from "./create-api-key.ts";
import { keyRevision } from "./list-api-keys.ts";
import { giveKeys, lockAgent, lockApiKey, selectApiKey, selectKeyManagers } from "./queries.ts";
import type { KeyManagerRow } from "./queries.ts";
import { refuseOutdated } from "./revision.ts";
import { apiKeyIdSchema, handOverApiKeySchema, updateApiKeySchema } from "./schemas.ts";
import type { HandOverApiKeyInput, RevokeApiKeyInput, UpdateApiKeyInput } from "./schemas.ts";

/** People who are offered as a key's next owner, at most. */
const maxPeople = 200;

/**
 * Changes what a key is called and for, the networks that it may be used from, and an agent's limits, which its other keys share.
 * In force everywhere within two seconds. Needs what creating the key needs. Throws `conflict` for a key that has ended,
 * `revision_conflict` when somebody has changed it or the agent since they were read, and `invalid_request` for limits of a key that
 * is no agent's.
 */
export async function updateApiKey(ctx: Ctx, input: UpdateApiKeyInput): Promise<void> {
  const { id, revision, agent, ...fields } = updateApiKeySchema.parse(input);
  await changeKey(ctx, id, async (tx, key, scope) => {
    const { tenantId } = ctx;
    const limits = key.agentId === null ? null : await lockAgent(tx, tenantId, key.agentId);
    const place = { ...key, unitId: scope.unitId ?? null };
    refuseOutdated("the key", revision, keyRevision(ctx, place, limits));
    const about = changes<Record<string, unknown>>(key, fields);
    if (Object.keys(about.after).length > 0) {
      await tx.apiKey.update({ where: { tenantId_id: { tenantId, id } }, data: fields });
    }
    if (agent !== undefined && limits === null) {
      throw new DomainError("invalid_request", "This is not an agent's key.", {
        errors: [{ pointer: "/agent", code: "no_agent", detail: "Create a key for an agent" }],
      });
    }
    if (agent !== undefined && limits !== null) {
      const { before, after } = changes<Record<string, unknown>>({ ...limits }, agent);
      if (Object.keys(after).length > 0) {
        await tx.agent.update({ where: { tenantId_id: { tenantId, id: limits.id } }, data: agent });
        about.before.agent = describeAgent(before);
        about.after.agent = describeAgent(after);
      }
    }
    if (Object.keys(about.after).length === 0) return;
    await recordAudit(ctx, tx, {
      action: "api_key.updated",
      targetType: "api_key",
      targetId: id,
      unitId: scope.unitId ?? null,
      environmentId: key.environmentId,
      data: { name: key.name },
      ...about,
    });
  });
}

/**
 * Makes a key somebody else's: they are warned before it ends, and it stops with them. Until the next rotation whose it was may still
 * have its text, so that it counts for neither of the two where two people have to agree. Needs what creating the key needs; it
 * goes to somebody who manages keys there. Throws `conflict` for a key that has ended.
 */
export async function handOverApiKey(ctx: Ctx, input: HandOverApiKeyInput): Promise<void> {
  const { id, to } = handOverApiKeySchema.parse(input);
  await changeKey(ctx, id, async (tx, key, scope) => {
    const { tenantId } = ctx;
    if (key.createdById === to) return;
    const people = await selectKeyManagers(tx, tenantId, { unitId: scope.unitId ?? null, id: to, limit: 1 });
    if (people.length === 0) {
      throw new DomainError("invalid_request", "The key can go to somebody who manages API keys there.", {
        errors: [{ pointer: "/to", code: "unknown_member", detail: "Does not manage API keys there" }],
      });
    }
    await giveKeys(tx, tenantId, [id], to);
    await recordAudit(ctx, tx, {
      action: "api_key.handed_over",
      targetType: "api_key",
      targetId: id,
      unitId: scope.unitId ?? null,
      environmentId: key.environmentId,
      data: { name: key.name },
      before: { personId: key.createdById },
      after: { personId: to },
    });
  });
}

/** Who a key can be handed to: people who manage keys where it works, by name. */
export async function listKeyPeople(ctx: Ctx, input: RevokeApiKeyInput): Promise<{ data: KeyManagerRow[] }> {
  const { id } = apiKeyIdSchema.parse(input);
  const key = await selectApiKey(ctx, id);
  if (!key) throw notFound();
  const { scope } = await authorizeApiKeyScope(ctx, key);
  const data = await inTenant(ctx, (tx) =>
    selectKeyManagers(tx, ctx.tenantId, { unitId: scope.unitId, limit: maxPeople }),
  );
  return { data };
}

type Key = Awaited<ReturnType<typeof lockApiKey>>;

async function changeKey(
  ctx: Ctx,
  id: string,
  change: (tx: Tx, key: Key, scope: Scope) => Promise<void>,
): Promise<void> {
  const found = await selectApiKey(ctx, id);
  if (!found) throw notFound();
  const { scope } = await authorizeApiKeyScope(ctx, found);
  await inTenant(ctx, async (tx) => {
    const key = await lockApiKey(tx, ctx.tenantId, id);
    if (key.revokedAt || (key.expiresAt && key.expiresAt <= ctx.now())) {
      throw new DomainError("conflict", "This key has expired or was revoked. Create a new one.");
    }
    const role = await tx.role.findUniqueOrThrow({
      where: { tenantId_id: { tenantId: ctx.tenantId, id: key.roleId } },
    });
    refuseEscalation(ctx, role.permissions, scope);
    await change(tx, key, scope);
  });
  forgetApiKeys();
}
