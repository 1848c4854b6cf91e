import { Decimal } from "decimal.js";
import type { Ctx } from "../kernel/ctx.ts";
import { authorize } from "../operations/authorize.ts";
import { monthOf } from "./budget.ts";
import { selectUsage } from "./queries.ts";
import { aiPurposes } from "./schemas.ts";
import type { AiUsageSummary } from "./schemas.ts";

/**
 * The organisation's usage in a calendar month (UTC), e.g. "2027-01"; the current one by default. Costs are per
 * currency and never added up. Needs settings:manage for the whole tenant.
 */
export async function getAiUsage(
  ctx: Ctx,
  input: { month?: string | undefined } = {},
): Promise<AiUsageSummary> {
  authorize(ctx, "settings:manage", {});
  const at = input.month === undefined ? ctx.now() : new Date(`${input.month}-01T00:00:00Z`);
  const { month, since, until } = monthOf(at);
  const rows = await selectUsage(ctx, since, until);
  const costs = new Map<string, Decimal>();
  for (const { currency, cost } of rows) {
    if (currency !== null && cost !== null)
      costs.set(currency, (costs.get(currency) ?? new Decimal(0)).add(cost));
  }
  const byPurpose = aiPurposes.flatMap((purpose) => {
    const own = rows.filter((row) => row.purpose === purpose);
    const sum = (member: "calls" | "input" | "output") =>
      own.reduce((total, row) => total + Number(row[member]), 0);
    return own.length === 0
      ? []
      : [{ purpose, calls: sum("calls"), inputTokens: sum("input"), outputTokens: sum("output") }];
  });
  return {
    month,
    tokens: byPurpose.reduce((total, { inputTokens, outputTokens }) => total + inputTokens + outputTokens, 0),
    costs: [...costs].map(([currency, amount]) => ({ currency, amount: amount.toFixed(6) })),
    byPurpose,
  };
}
