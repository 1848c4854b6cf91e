import { isDeepStrictEqual } from "node:util";
import { authorizeSettings } from "../access/authorize-settings.ts";
import { refuseOutdated } from "../access/revision.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { settleNotices } from "../notices/write-notices.ts";
import { lockLimits, selectLimits, upsertLimits } from "./queries.ts";
import type { LimitsState, LimitsUpdate } from "./schemas.ts";
import { forgetLimits, readLimits } from "./stored-limits.ts";
import { forgetTold, unreadable } from "./tell-unreadable.ts";

/** Quiet hours and caps of the organisation. */
export async function getLimits(ctx: Ctx): Promise<LimitsState> {
  await authorizeSettings(ctx, "to read");
  return readLimits(await selectLimits(ctx));
}

/**
 * Replaces quiet hours and caps; in force for what is tried from then on. Audited. Throws `revision_conflict` when somebody has changed
 * them since they were read.
 */
export async function setLimits(ctx: Ctx, input: LimitsUpdate): Promise<LimitsState> {
  await authorizeSettings(ctx, "to change", "What limits messages to recipients");
  const { quietHours, caps } = input;
  await inTenant(ctx, async (tx) => {
    const before = readLimits(await lockLimits(tx, ctx.tenantId));
    refuseOutdated("quiet hours and caps", input.revision, before.revision);
    if (!before.problem && isDeepStrictEqual([before.quietHours, before.caps], [quietHours, caps])) return;
    await upsertLimits(tx, ctx.tenantId, { quietHours, caps, revision: before.revision + 1, at: ctx.now() });
    if (before.problem) await settleNotices(ctx, tx, { kind: unreadable, targetId: ctx.tenantId });
    await recordAudit(ctx, tx, {
      action: "recipient_limits.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      before: before.problem
        ? { quietHours: null, caps: null }
        : { quietHours: before.quietHours, caps: before.caps },
      after: { quietHours, caps },
    });
  });
  forgetLimits(ctx.tenantId);
  forgetTold(ctx.tenantId);
  return getLimits(ctx);
}
