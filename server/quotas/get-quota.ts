import type { Ctx } from "../kernel/ctx.ts";
import { authorize } from "../operations/authorize.ts";
import { dateOf, dayOf, endOf } from "./periods.ts";
import { selectOwnQuota } from "./queries.ts";
import type { QuotaRow } from "./queries.ts";
import type { Quota, QuotaUse } from "./schemas.ts";

export interface QuotaAndUse {
  quota: Quota;
  use: QuotaUse;
}

/** What the operator lets the organisation do at most, and what it has done, as of a second ago. */
export async function getQuota(ctx: Ctx): Promise<QuotaAndUse> {
  authorize(ctx, "organization:manage", {});
  const now = ctx.now();
  return presentQuota(await selectOwnQuota(ctx, dateOf(dayOf(now.getTime()))), now);
}

export function presentQuota({ usedDay, usedMonth, ...quota }: QuotaRow, now: Date): QuotaAndUse {
  const day = dayOf(now.getTime());
  return {
    quota,
    use: {
      day: { used: usedDay, resetsAt: endOf("day", day) },
      month: { used: usedMonth, resetsAt: endOf("month", day) },
    },
  };
}
