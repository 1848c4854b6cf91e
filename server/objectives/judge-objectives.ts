import { findHolders } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { mailHolders } from "../invitations/mail-holders.ts";
import { alone } from "../kernel/alone.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { settleNotices, writeNotices } from "../notices/write-notices.ts";
import { objectiveTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue-webhook-event.ts";
import { burningNow, hasRecovered } from "./burn.ts";
import type { Measured, Minutes, Windows } from "./burn.ts";
import { openIncidentOf, resolveIncidentOf } from "./incidents.ts";
import {
  endAlert,
  foldAndPurge,
  insertAlert,
  markCodes,
  noteMailed,
  selectCandidates,
  selectDown,
  selectOpenAlerts,
  selectUnmailed,
  selectWindows,
} from "./queries.ts";
import type { OpenAlert, UnmailedAlert, WindowRow } from "./queries.ts";
import { objectiveKinds, objectiveLimits } from "./schemas.ts";
import type { ObjectiveKind } from "./schemas.ts";

/** A notice to more people than this would reach nobody in particular. */
const maxTold = 200;
/** Organisations that are read in one statement, and alerts that one turn mails; the rest is the next minute's. */
const atOnce = { organisations: 500, mails: 50 };
/** What is logged of an organisation for which it could not be done. */
const failed = "an objective could not be judged, or told of";
const minutes: readonly Minutes[] = [5, 30, 60, 360];

const what: Record<ObjectiveKind, string> = {
  availability: "accepting send requests",
  codes: "one-time codes",
};

/**
 * Looks at the error budgets of all organisations: opens an alert where one burns too fast, ends it where it does so no more, and
 * tells of both once: a notice and a webhook event in the transaction that notes it, then mails under a name that each is sent under
 * once. Run every minute.
 */
export async function judgeObjectives(db: Db, now = new Date()): Promise<void> {
  await markCodes(db, now);
  const down = await selectDown(db, now);
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const candidates = await selectCandidates(db, {
      ...{ now, after, limit: atOnce.organisations },
      down: (down.get(360) ?? 0) > 0,
    });
    const ids = candidates.map(({ tenantId }) => tenantId);
    if (ids.length > 0) {
      const [rows, open] = await Promise.all([selectWindows(db, now, ids), selectOpenAlerts(db, ids)]);
      for (const { tenantId, availabilityTarget, codesTarget } of candidates) {
        for (const objective of objectiveKinds) {
          const windows = windowsOf(rows, tenantId, objective, down);
          const target = objective === "codes" ? codesTarget : availabilityTarget;
          const burning = burningNow(windows, target);
          const alert = open.find((each) => each.tenantId === tenantId && each.objective === objective);
          if (burning && !alert)
            await alone(tenantId, failed, () => begin(db, { tenantId, objective, ...burning, now }));
          else if (alert && hasRecovered(windows, target))
            await alone(tenantId, failed, () => end(db, alert, now));
        }
      }
    }
    if (ids.length < atOnce.organisations) break;
    after = ids.at(-1) ?? after;
  }
  for (const alert of await selectUnmailed(db, atOnce.mails)) {
    await alone(alert.tenantId, failed, () => mail(db, alert, now));
  }
  await foldAndPurge(db, now);
}

function windowsOf(
  rows: readonly WindowRow[],
  tenantId: string,
  objective: ObjectiveKind,
  down: ReadonlyMap<Minutes, number>,
): Windows {
  const of = (length: Minutes): Measured => {
    const row = rows.find(
      (each) => each.tenantId === tenantId && each.objective === objective && each.minutes === length,
    );
    return {
      good: row?.good ?? 0,
      missed: row?.missed ?? 0,
      downMs: objective === "availability" ? (down.get(length) ?? 0) : 0,
      lengthMs: length * 60_000,
    };
  };
  return Object.fromEntries(minutes.map((length) => [length, of(length)])) as Windows;
}

async function begin(
  db: Db,
  of: { tenantId: string; objective: ObjectiveKind; speed: "fast" | "slow"; burn: number; now: Date },
): Promise<void> {
  const { tenantId, objective, speed, burn, now } = of;
  const ctx = systemCtx(db, tenantId, "Objectives");
  const id = newId();
  await inTenant(ctx, async (tx) => {
    if (!(await insertAlert(tx, { ...{ tenantId, id, objective, speed, burn }, at: now }))) return;
    await openIncidentOf(tx, { tenantId, alertId: id, objective, at: now });
    await tell(ctx, tx, { kind: "objective.burning", objective, id, now });
  });
}

async function end(db: Db, { tenantId, id, objective }: OpenAlert, now: Date): Promise<void> {
  const ctx = systemCtx(db, tenantId, "Objectives");
  await inTenant(ctx, async (tx) => {
    if (!(await endAlert(tx, tenantId, id, now))) return;
    await resolveIncidentOf(tx, { tenantId, alertId: id, at: now });
    await settleNotices(ctx, tx, { kind: "objective.burning", targetId: id });
    await tell(ctx, tx, { kind: "objective.recovered", objective, id, now });
  });
}

async function tell(
  ctx: Ctx,
  tx: Tx,
  of: { kind: "objective.burning" | "objective.recovered"; objective: ObjectiveKind; id: string; now: Date },
): Promise<void> {
  const { kind, objective, id, now } = of;
  const holders = await findHolders(tx, ctx.tenantId, {
    permission: "reports:read",
    unitId: null,
    limit: maxTold,
  });
  const about = { targetType: "objective_alert", targetId: id };
  await writeNotices(ctx, tx, holders, { kind, ...about, data: { objective } });
  await enqueueWebhookEvent(ctx, tx, {
    event: "processing.error",
    ...{ applicationId: null, environmentId: null },
    payload: { code: kind.replace(".", "_"), objective, alertId: id },
    at: now,
  });
  await recordAudit(ctx, tx, { action: kind, ...about, data: { objective } });
}

/** Mails those who see the reports. What fails for a passing reason is tried again in the next turns. */
async function mail(db: Db, alert: UnmailedAlert, now: Date): Promise<void> {
  const { tenantId, id, objective, at, ended } = alert;
  const ctx = systemCtx(db, tenantId, "Objectives");
  const catalogue = await getCatalogue(ctx);
  const mails = await mailHolders(
    ctx,
    {
      who: { permission: "reports:read", unitId: null, limit: objectiveLimits.mails },
      template: objectiveTemplate,
      variables: {
        what: what[objective],
        state: ended ? "is as it should be again" : "misses its objective",
        told: ended
          ? "The error budget is no longer burning too fast."
          : "The error budget of the last 30 days is burning too fast.",
        organisation: catalogue.tenant.name,
        link: `${env().publicUrl}/${catalogue.tenant.slug}/objectives`,
      },
      once: `objective ${id} ${ended ? "end" : "begin"}`,
      at,
    },
    now,
  );
  if (mails === null) return;
  await inTenant(ctx, (tx) => noteMailed(tx, alert, now));
}
