import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { may, visibleScopes } from "../operations/authorize.ts";
import { maskRecipient } from "./mask-recipient.ts";
import { selectApiKeys } from "./queries.ts";
import type { ListedApiKeyRow } from "./queries.ts";
import { listApiKeysSchema } from "./schemas.ts";
import { keyLimits } from "./vocabulary.ts";
import type { ApiKeySummary, ListApiKeysInput } from "./schemas.ts";

function stateOf(row: ListedApiKeyRow, now: Date): ApiKeySummary["state"] {
  if (row.revokedAt) return "revoked";
  if (row.paused) return "paused";
  if (!row.expiresAt) return "active";
  if (row.expiresAt <= now) return "expired";
  return row.expiresAt.getTime() - now.getTime() <= keyLimits.warnDays[0] * 86_400_000
    ? "expiring"
    : "active";
}

function agentOf(ctx: Ctx, row: ListedApiKeyRow): ApiKeySummary["agent"] {
  if (row.agentId === null) return null;
  return {
    ...shownRecipients(ctx, row, row.recipients ?? []),
    hourlyCap: row.hourlyCap ?? 0,
    laterStages: row.laterStages ?? false,
    usedLastHour: row.usedLastHour,
  };
}

type KeyPlace = { unitId: string | null; applicationId: string | null; environmentId: string };

/** Whom an agent may write to, as the actor may see it. */
function shownRecipients(ctx: Ctx, { unitId, applicationId, environmentId }: KeyPlace, recipients: string[]) {
  const masked = !may(ctx, "content:reveal", { unitId, applicationId, environmentId });
  return { recipients: masked ? recipients.map(maskRecipient) : recipients, masked };
}

/** Names what can be changed of a key and its agent, as the actor sees it, for a change that is based on it. */
export function keyRevision(
  ctx: Ctx,
  key: KeyPlace & { name: string; purpose: string; allowedNetworks: string[] },
  agent: { recipients: string[]; hourlyCap: number; laterStages: boolean } | null,
): string {
  return jsonHash([
    key.name,
    key.purpose,
    key.allowedNetworks,
    agent && [shownRecipients(ctx, key, agent.recipients).recipients, agent.hourlyCap, agent.laterStages],
  ]);
}

/** The keys that the actor may manage, newest first, without their texts. */
export async function listApiKeys(
  ctx: Ctx,
  input: ListApiKeysInput,
): Promise<{ data: ApiKeySummary[]; nextCursor: string | null }> {
  const { environmentId, includeEnded, limit, cursor } = listApiKeysSchema.parse(input);
  const rows = await selectApiKeys(ctx, {
    scopes: visibleScopes(ctx, "api_keys:manage"),
    ...(environmentId === undefined ? {} : { environmentId }),
    ...(cursor === undefined ? {} : { before: cursor }),
    includeEnded,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const now = ctx.now();
  return {
    data: page.map((row) => ({
      id: row.id,
      name: row.name,
      hint: row.hint,
      environmentId: row.environmentId,
      unitId: row.unitId,
      applicationId: row.applicationId,
      role: { key: row.roleKey, name: row.roleName },
      rateLimitPerMinute: row.rateLimitPerMinute,
      purpose: row.purpose,
      owner: row.ownerId === null ? null : { id: row.ownerId, name: row.ownerName ?? "" },
      allowedNetworks: row.allowedNetworks,
      agent: agentOf(ctx, row),
      revision: keyRevision(
        ctx,
        row,
        row.agentId === null
          ? null
          : {
              recipients: row.recipients ?? [],
              hourlyCap: row.hourlyCap ?? 0,
              laterStages: row.laterStages ?? false,
            },
      ),
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      revokedAt: row.revokedAt,
      lastUsedAt: row.lastUsedAt,
      lastUsedFrom: row.lastUsedFrom,
      rotatedFromId: row.rotatedFromId,
      state: stateOf(row, now),
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
