import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { sumTokens } from "./queries.ts";
import type { AiSettings } from "./schemas.ts";

/** The calendar month (UTC) of a moment: its name, e.g. "2027-01", its start and the start of the next one. */
export function monthOf(at: Date): { month: string; since: Date; until: Date } {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return {
    month: at.toISOString().slice(0, 7),
    since: new Date(Date.UTC(year, month, 1)),
    until: new Date(Date.UTC(year, month + 1, 1)),
  };
}

/** Whether the month's tokens are used up, including those of moderation. */
export async function isBudgetUsedUp(ctx: Ctx, settings: AiSettings): Promise<boolean> {
  if (settings.monthlyTokens === null) return false;
  return (await sumTokens(ctx, monthOf(ctx.now()).since)) >= settings.monthlyTokens;
}

/**
 * Throws `ai_budget_exhausted`, with the seconds until the next month, when the tokens are used up. The usage of a call
 * is known only afterwards: the one that exceeds the budget is still answered. Moderation is not limited by it.
 */
export async function requireBudget(ctx: Ctx, settings: AiSettings): Promise<void> {
  if (!(await isBudgetUsedUp(ctx, settings))) return;
  const { until } = monthOf(ctx.now());
  throw new DomainError(
    "ai_budget_exhausted",
    "The organisation has used up its AI tokens for this month. Someone who can change its settings can raise the budget. Moderation continues.",
    { retryAfter: Math.ceil((until.getTime() - ctx.now().getTime()) / 1_000) },
  );
}
