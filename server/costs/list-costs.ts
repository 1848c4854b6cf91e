import type { Ctx } from "../kernel/ctx.ts";
import { selectCosts } from "./queries.ts";
import type { CostEntry } from "./schemas.ts";

/** Every cost of one message, for whoever was authorised to see it: what its tries cost, and the operator's fee. */
export async function costsOf(ctx: Ctx, notificationId: string): Promise<CostEntry[]> {
  const rows = await selectCosts(ctx, notificationId);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
