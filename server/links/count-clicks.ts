import type { Ctx } from "../kernel/ctx.ts";
import { selectClicks } from "./queries.ts";

/** Clicks on built-in links, of people and of programs apart. */
export interface Clicks {
  people: number;
  machines: number;
}

/** Of all messages but the sandbox's since the beginning of a day (UTC), or of one broadcast. The caller has authorised the reader. */
export function countClicks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  of: { since: Date } | { requestId: string },
): Promise<Clicks> {
  return selectClicks(ctx, of);
}
