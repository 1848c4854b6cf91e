import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { selectApiKeys } from "./queries.ts";
import type { ListedApiKeyRow } from "./queries.ts";
import { listApiKeysSchema } from "./schemas.ts";
import type { ApiKeySummary, ListApiKeysInput } from "./schemas.ts";

function stateOf(row: ListedApiKeyRow, now: Date): ApiKeySummary["state"] {
  if (row.revoked_at) return "revoked";
  if (!row.expires_at) return "active";
  return row.expires_at <= now ? "expired" : "expiring";
}

/** The keys that the actor may manage, newest first; their texts are known to nobody. */
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
      environmentId: row.environment_id,
      unitId: row.unit_id,
      applicationId: row.application_id,
      role: { key: row.role_key, name: row.role_name },
      rateLimitPerMinute: row.rate_limit_per_minute,
      createdBy: row.created_by_name,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      lastUsedAt: row.last_used_at,
      rotatedFromId: row.rotated_from_id,
      state: stateOf(row, now),
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
