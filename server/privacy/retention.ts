import { authorizeSettings } from "../access/authorize-settings.ts";
import { outdated } from "../access/revision.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import { retentionLimits } from "../tenancy/schemas.ts";
import type { Retention } from "../tenancy/schemas.ts";
import { cutoff, keyBefore } from "./purge.ts";
import { periodOf, purgeSteps } from "./purge-steps.ts";
import type { PurgeStep } from "./purge-steps.ts";
import { countDue, mergeRetentionSettings, restartMarks, selectMarks } from "./queries.ts";
import type { RetentionPreview, RetentionState, RetentionUpdate } from "./schemas.ts";

/** Counting ends here: more is as good as uncountable for somebody who decides. */
const mostCounted = 10_000;

/** How long what is kept, and how far the purge has come. */
export async function getRetention(ctx: Ctx): Promise<RetentionState> {
  const { tenant } = await authorizeSettings(ctx, "to read");
  const { retention } = tenant.settings;
  const now = ctx.now();
  const marks = new Map((await selectMarks(ctx)).map((mark) => [mark.step, mark]));
  const checked = [...marks.values()].flatMap(({ checkedAt }) => (checkedAt ? [checkedAt.getTime()] : []));
  return {
    ...retention,
    limits: retentionLimits,
    lastRunAt: checked.length > 0 ? new Date(Math.max(...checked)).toISOString() : null,
    steps: purgeSteps.map((step) => {
      const mark = marks.get(step.id);
      return {
        id: step.id,
        period: step.period,
        what: step.says,
        action: step.action,
        before: cutoff(step, retention, now).toISOString(),
        removed: Number(mark?.removed ?? 0),
        lastRemoved: mark?.lastRemoved ?? 0,
        removedAt: mark?.removedAt?.toISOString() ?? null,
        checkedAt: mark?.checkedAt?.toISOString() ?? null,
        problem: mark?.problem ?? null,
      };
    }),
  };
}

/** What would go in the next run if these periods were chosen, beside what goes anyway. */
export async function previewRetention(ctx: Ctx, input: Retention): Promise<RetentionPreview> {
  const { tenant } = await authorizeSettings(ctx, "to read");
  const now = ctx.now();
  const chosen = purgeSteps.filter((step) => step.period !== "fixed");
  const before = new Map(chosen.map((step) => [step.id, keyBefore(step, input, now)]));
  const counts = new Map((await countDue(ctx, before, mostCounted)).map(({ step, count }) => [step, count]));
  const shorter = (step: PurgeStep) =>
    step.period !== "fixed" &&
    input[periodOf[step.period]] < tenant.settings.retention[periodOf[step.period]];
  return {
    steps: chosen.map((step) => ({
      id: step.id,
      what: step.says,
      action: step.action,
      count: counts.get(step.id) ?? 0,
      more: (counts.get(step.id) ?? 0) >= mostCounted,
      shortened: shorter(step),
    })),
  };
}

/**
 * Changes how long what is kept, for what is there as well: what is too old then goes within the hour. Audited. Throws
 * `revision_conflict` when the periods that it is based on are given, and somebody has changed them since.
 */
export async function updateRetention(ctx: Ctx, input: RetentionUpdate): Promise<RetentionState> {
  const { expected, ...periods } = input;
  await authorizeSettings(ctx, "to change");
  await inTenant(ctx, async (tx) => {
    const tenant = await lockTenantSettings(tx, ctx.tenantId);
    if (!tenant) throw notFound();
    const before = tenant.settings.retention;
    if (expected && Object.keys(changes(before, expected).after).length > 0) throw outdated("the periods");
    const change = changes(before, periods);
    if (Object.keys(change.after).length === 0) return;
    await mergeRetentionSettings(tx, periods);
    await restartMarks(tx, ctx.tenantId);
    await recordAudit(ctx, tx, {
      action: "retention.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      ...change,
    });
  });
  forgetCatalogue(ctx.tenantId);
  return getRetention(ctx);
}
