import type { Ctx } from "../kernel/ctx.ts";
import { selectRulesById } from "./queries.ts";
import { ruleMark } from "./rule-mark.ts";
import { storedTiersSchema } from "./rule-set.ts";

/** What became of a rule since it decided something. */
type RuleSince = "unchanged" | "changed" | "disabled" | "deleted";

/** What became of rules since they had these marks, as of ruleMark(), by id and mark. */
export async function rulesSince(
  ctx: Pick<Ctx, "db" | "tenantId">,
  rules: readonly { id: string; mark: string }[],
): Promise<(rule: { id: string; mark: string }) => RuleSince> {
  const ids = [...new Set(rules.map(({ id }) => id))];
  const rows = ids.length === 0 ? [] : await selectRulesById(ctx, ids);
  const now = new Map(
    rows.map((row) => [
      row.id,
      { enabled: row.enabled, mark: ruleMark({ ...row, tiers: storedTiersSchema.parse(row.tiers) }) },
    ]),
  );
  return ({ id, mark }) => {
    const rule = now.get(id);
    if (!rule) return "deleted";
    if (!rule.enabled) return "disabled";
    return rule.mark === mark ? "unchanged" : "changed";
  };
}
