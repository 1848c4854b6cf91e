import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { callSetRetention } from "./queries.ts";
import { recordAudit } from "./record-audit.ts";

/** How long the organisation keeps its trail. Throws `conflict` before it has one. */
export async function setRetention(ctx: Ctx, input: { months: number }): Promise<{ months: number }> {
  authorize(ctx, "settings:manage", {});
  await inTenant(ctx, async (tx) => {
    const before = await callSetRetention(tx, input.months);
    if (before === null) throw new DomainError("conflict", "The audit trail begins with the first change.");
    if (before === input.months) return;
    await recordAudit(ctx, tx, {
      action: "audit_retention.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      before: { months: before },
      after: { months: input.months },
    });
  });
  return { months: input.months };
}
