import { findHolders } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { mailHolders } from "../invitations/mail-holders.ts";
import { alone } from "../kernel/alone.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { budgetTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue-webhook-event.ts";
import { unitOf } from "./budget-scope.ts";
import { dayText, startOfDay, startOfMonth } from "./months.ts";
import { insertAlerts, noteMailed, selectDue, selectUnmailed } from "./queries.ts";
import type { DueBudget, UnmailedAlert } from "./queries.ts";
import { budgetLimits } from "./vocabulary.ts";

/** A notice to more people than this would reach nobody in particular. */
const maxTold = 200;
/** Budgets that one turn tells of, and alerts that it mails; the rest is the next minute's. */
const atOnce = { budgets: 500, mails: 50 };
/** For so long a month that is over is looked at, too: the prices of its last messages come late, ms. */
const late = 48 * 3_600_000;
/** What is logged of an organisation for which it could not be done. */
const failed = "a budget could not be judged, or told of";

/**
 * Tells of the thresholds that budgets of any organisations have reached in a month, each once: a notice to those who see the costs
 * and a webhook event in the transaction that notes it, then mails, each under a name that it is sent under once. Blocks nothing.
 */
export async function judgeBudgets(db: Db, now = new Date()): Promise<void> {
  const months = new Set([new Date(now.getTime() - late), now].map((at) => dayText(startOfMonth(at))));
  for (const month of months)
    for (const budget of await selectDue(db, month, atOnce.budgets))
      await alone(budget.tenantId, failed, () => tell(db, budget, month, now));
  const unmailed = await selectUnmailed(db, { today: startOfDay(now), limit: atOnce.mails });
  const sent = new Map<string, number>();
  for (const alert of unmailed) {
    const { tenantId, mailed } = alert;
    const today = sent.get(tenantId) ?? mailed;
    await alone(tenantId, failed, async () => {
      sent.set(tenantId, today + (await mail(db, alert, budgetLimits.mailsADay - today, now)));
    });
  }
}

async function tell(db: Db, budget: DueBudget, month: string, now: Date): Promise<void> {
  const { tenantId, id, name, applicationId, due } = budget;
  const ctx = systemCtx(db, tenantId, "Budgets");
  const catalogue = await getCatalogue(ctx);
  await inTenant(ctx, async (tx) => {
    const noted = await insertAlerts(tx, budget, { month, ids: due.map(() => newId()), at: now });
    if (noted.length === 0) return;
    // Of several at once the highest says it all.
    const percent = Math.max(...noted);
    const unitId = applicationId === null ? null : (unitOf(catalogue, applicationId) ?? null);
    const holders = await findHolders(tx, tenantId, { permission: "costs:read", unitId, limit: maxTold });
    const kind = "budget.threshold_reached";
    // No amounts: who sees costs today may not tomorrow, and whoever runs an endpoint may not at all.
    await writeNotices(ctx, tx, holders, {
      kind,
      targetType: "budget",
      targetId: id,
      data: { budget: name, percent, month: month.slice(0, 7) },
    });
    await enqueueWebhookEvent(ctx, tx, {
      event: kind,
      applicationId,
      environmentId: budget.environmentId,
      payload: { budgetId: id, budget: name, percent, month: month.slice(0, 7) },
      at: now,
    });
    await recordAudit(ctx, tx, {
      action: kind,
      targetType: "budget",
      targetId: id,
      unitId,
      data: { percents: noted, month: month.slice(0, 7) },
    });
  });
}

/** Mails those who see the costs; returns how many. What fails for a passing reason is tried again in the next turns. */
async function mail(db: Db, alert: UnmailedAlert, room: number, now: Date): Promise<number> {
  const { tenantId, id, name, percent, applicationId, month } = alert;
  const ctx = systemCtx(db, tenantId, "Budgets");
  const catalogue = await getCatalogue(ctx);
  const unitId = applicationId === null ? null : (unitOf(catalogue, applicationId) ?? null);
  const limit = Math.max(0, Math.min(room, budgetLimits.mailsOfOne));
  const mails = await mailHolders(
    ctx,
    {
      who: { permission: "costs:read", unitId, limit },
      template: budgetTemplate,
      variables: {
        budget: name,
        percent: String(percent),
        month: new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(
          new Date(month),
        ),
        organisation: catalogue.tenant.name,
        link: `${env().publicUrl}/${catalogue.tenant.slug}/costs/budgets`,
      },
      once: `budget ${id}`,
      at: alert.at,
    },
    now,
  );
  if (mails === null) return 0;
  await inTenant(ctx, (tx) => noteMailed(tx, tenantId, id, { mails, at: now }));
  return mails;
}
