import type { Ctx } from "../kernel/ctx.ts";
import { selectCosts } from "./queries.ts";
import type { CostEntry } from "./schemas.ts";

/** All costs of one message, for authorised callers: its attempts' costs and the operator's fee. */
export async function costsOf(ctx: Ctx, notificationId: string): Promise<CostEntry[]> {
  const rows = await selectCosts(ctx, notificationId);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
