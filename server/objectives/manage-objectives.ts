import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { markAnew, selectSettings, storeSettings } from "./queries.ts";
import type { ObjectiveChange } from "./schemas.ts";

/**
 * Changes targets; what the input leaves out stays. Everything measured is judged by them from then on; alerts about codes begin anew
 * with another limit.
 */
export async function changeObjectives(ctx: Ctx, input: ObjectiveChange): Promise<void> {
  authorize(ctx, "settings:manage", {});
  const before = await selectSettings(ctx);
  const changed = changes(before, input);
  if (Object.keys(changed.after).length === 0) return;
  const { codesSeconds } = changed.after;
  const now = ctx.now();
  await inTenant(ctx, async (tx) => {
    await storeSettings(tx, ctx.tenantId, before, { ...changed.after, changedAt: now });
    if (codesSeconds !== undefined) await markAnew(tx, ctx.tenantId, { now, seconds: codesSeconds });
    await recordAudit(ctx, tx, {
      action: "objectives.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      ...changed,
    });
  });
}
