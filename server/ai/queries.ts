import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { AiSettings } from "./schemas.ts";

export interface AiUsageRow {
  tenantId: string;
  id: string;
  at: Date;
  purpose: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  cost: string | null;
  currency: string | null;
  templateId: string | null;
  actorId: string | null;
  actorName: string;
}

export async function insertUsage(tx: Tx, row: AiUsageRow): Promise<void> {
  await tx.aiUsage.create({ data: row });
}

/** Tokens for all purposes from `since` on. */
export async function sumTokens(ctx: Pick<Ctx, "db" | "tenantId">, since: Date): Promise<number> {
  const [row] = await queryInTenant<{ tokens: string }>(
    ctx,
    `SELECT coalesce(sum(input_tokens::bigint + output_tokens), 0)::text AS tokens
     FROM ai_usage WHERE tenant_id = $1 AND at >= $2`,
    [ctx.tenantId, since],
  );
  return Number(row?.tokens ?? 0);
}

/** Usage in [since, until), by purpose and currency. */
export function selectUsage(
  ctx: Pick<Ctx, "db" | "tenantId">,
  since: Date,
  until: Date,
): Promise<
  {
    purpose: string;
    currency: string | null;
    calls: number;
    input: string;
    output: string;
    cost: string | null;
  }[]
> {
  return queryInTenant(
    ctx,
    `SELECT purpose, currency, count(*)::int AS calls, sum(input_tokens::bigint)::text AS input,
            sum(output_tokens::bigint)::text AS output, sum(cost)::text AS cost
     FROM ai_usage WHERE tenant_id = $1 AND at >= $2 AND at < $3
     GROUP BY purpose, currency ORDER BY purpose, currency`,
    [ctx.tenantId, since, until],
  );
}

/**
 * Writes the named members into the tenant's settings; all others, including those of other domains, stay as they are.
 */
export async function mergeAiSettings(tx: Tx, changes: Partial<AiSettings>): Promise<void> {
  // In one statement, so that two people who save different members at the same time both keep theirs.
  await tx.$executeRaw`SELECT merge_ai_settings(${JSON.stringify(changes)}::jsonb)`;
}
