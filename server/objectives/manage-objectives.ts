import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { markAnew, selectSettings, storeSettings } from "./queries.ts";
import type { ObjectiveSettings } from "./schemas.ts";

/** Changes targets. Everything measured is judged by them from then on; alerts about codes begin anew with another limit. */
export async function changeObjectives(ctx: Ctx, settings: ObjectiveSettings): Promise<void> {
  authorize(ctx, "settings:manage", {});
  const before = await selectSettings(ctx);
  if (JSON.stringify(before) === JSON.stringify(settings)) return;
  const now = ctx.now();
  await inTenant(ctx, async (tx) => {
    await storeSettings(tx, ctx.tenantId, { ...settings, changedAt: now });
    if (before.codesSeconds !== settings.codesSeconds)
      await markAnew(tx, ctx.tenantId, { now, seconds: settings.codesSeconds });
    await recordAudit(ctx, tx, {
      action: "objectives.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      before: { ...before },
      after: { ...settings },
    });
  });
}
