import { Decimal } from "decimal.js";
import type { Ctx } from "../kernel/ctx.ts";
import { selectCosts } from "./queries.ts";
import type { CostEntry } from "./schemas.ts";

/** All costs of one message, for authorised callers: its attempts' costs and the operator's fee. */
export async function costsOf(ctx: Ctx, notificationId: string): Promise<CostEntry[]> {
  const rows = await selectCosts(ctx, notificationId);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** What costs come to in the organisation's own currency; null when one of them has no rate, or there is none. */
export function totalOf(costs: readonly CostEntry[]): CostEntry["own"] {
  const own = costs.flatMap((cost) => cost.own ?? []);
  const [first] = own;
  if (!first || own.length < costs.length) return null;
  return { amount: Decimal.sum(...own.map(({ amount }) => amount)).toFixed(6), currency: first.currency };
}
