import { tenantHealth } from "../connections/connection-state.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { RulePlace } from "./check-rules.ts";
import { presentRules } from "./present-rules.ts";
import type { HealthById } from "./present-rules.ts";
import { selectRuleSet } from "./queries.ts";
import type { LatestRevision } from "./queries.ts";
import { reachEnvironment } from "./rule-access.ts";
import { storedTiersSchema } from "./rule-set.ts";
import type { StoredRule } from "./rule-set.ts";
import type { RuleList } from "./schemas.ts";

/** All present rules of an environment, with the data to check them. Needs `providers:read` there. */
export async function loadRuleSet(
  ctx: Ctx,
  environmentId: string,
): Promise<RulePlace & { rules: StoredRule[]; latest: LatestRevision | null; health: HealthById }> {
  const catalogue = await getCatalogue(ctx);
  const environment = reachEnvironment(ctx, catalogue, environmentId, "providers:read");
  const [{ rules, latest }, connections, health] = await Promise.all([
    selectRuleSet(ctx, environmentId),
    tenantConnections(ctx),
    tenantHealth(ctx),
  ]);
  return {
    ctx,
    catalogue,
    environment,
    connections,
    health,
    latest,
    rules: rules.map((row) => ({ ...row, tiers: storedTiersSchema.parse(row.tiers) })),
  };
}

/**
 * The rules of an environment that concern the caller: those without an application and those of applications that they
 * see. At most 500 (routingLimits), so the whole set is one answer, at one revision.
 */
export async function listRules(ctx: Ctx, input: { environmentId: string }): Promise<RuleList> {
  const set = await loadRuleSet(ctx, input.environmentId);
  return {
    revision: set.latest?.number ?? 0,
    changedAt: set.latest?.at.toISOString() ?? null,
    changedBy: set.latest?.by ?? null,
    data: presentRules(set, set.rules, set.health),
  };
}
