import type { Ctx } from "../kernel/ctx.ts";
import { hasValidKey } from "./queries.ts";

/** Whether the organisation has a valid API key of one of its production environments. */
export async function hasProductionKey(ctx: Ctx, environmentIds: readonly string[]): Promise<boolean> {
  return environmentIds.length > 0 && hasValidKey(ctx, environmentIds);
}
