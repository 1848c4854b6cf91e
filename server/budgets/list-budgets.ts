import { Decimal } from "decimal.js";
import type { Ctx } from "../kernel/ctx.ts";
import { may } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { unitOf } from "./budget-scope.ts";
import { dayText, daysBefore, startOfDay, startOfMonth } from "./months.ts";
import { selectBudgets, selectOwnCurrency, selectReached, selectSpent } from "./queries.ts";
import { budgetLimits } from "./vocabulary.ts";
import type { BudgetView } from "./schemas.ts";

/** The budgets whose costs the reader may see, with what this month has come to and the days that a forecast goes by. */
export async function listBudgets(ctx: Ctx): Promise<BudgetView[]> {
  const catalogue = await getCatalogue(ctx);
  const visible = (await selectBudgets(ctx, budgetLimits.budgets)).flatMap((row) => {
    const unitId = row.applicationId === null ? null : unitOf(catalogue, row.applicationId);
    // Of an application that is gone only those see it who see everything.
    const scope = { ...row, unitId: unitId ?? null };
    return may(ctx, "costs:read", scope) ? [{ row, scope }] : [];
  });
  if (visible.length === 0) return [];
  const now = ctx.now();
  const [today, month] = [startOfDay(now), startOfMonth(now)];
  const first = daysBefore(today, 14);
  const ids = visible.map(({ row }) => row.id);
  const [spent, reached, own] = await Promise.all([
    selectSpent(ctx, ids, first < month ? first : month),
    selectReached(ctx, ids, dayText(month)),
    selectOwnCurrency(ctx),
  ]);
  return visible.map(({ row, scope }) => {
    const sums = spent.filter(({ id }) => id === row.id);
    const inMonth = sums.filter(({ at }) => at >= month);
    const sumOf = (some: typeof sums) => Decimal.sum(0, ...some.map(({ amount }) => amount ?? 0)).toFixed(6);
    return {
      ...row,
      application:
        row.applicationId === null
          ? null
          : (catalogue.applications.find(({ id }) => id === row.applicationId)?.title ??
            "Removed application"),
      environment:
        row.environmentId === null
          ? null
          : (catalogue.environments.find(({ id }) => id === row.environmentId)?.name ??
            "Removed environment"),
      reached: reached
        .filter(({ budgetId }) => budgetId === row.id)
        .map(({ percent, at }) => ({ percent, at: at.toISOString() })),
      // An organisation that has changed its currency has no sum in the one of the budget.
      spent: row.converted && own !== row.currency ? null : sumOf(inMonth),
      withoutRate: [
        ...new Set(inMonth.filter(({ amount }) => amount === null).map(({ currency }) => currency)),
      ].sort(),
      days: Array.from({ length: 15 }, (_, index) => {
        const at = daysBefore(today, 14 - index);
        return {
          at: at.toISOString(),
          amount: sumOf(sums.filter((each) => each.at.getTime() === at.getTime())),
        };
      }),
      mayChange: may(ctx, "settings:manage", scope),
    };
  });
}
