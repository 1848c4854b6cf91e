import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { RestCtx } from "../operations/operation.ts";
import { acrossEnvironments, authorize, may } from "../operations/authorize.ts";
import { burnOf, shareOf } from "./burn.ts";
import type { Measured, Minutes } from "./burn.ts";
import {
  measuredSeconds,
  selectAlerts,
  selectAnswerDays,
  selectCodeDays,
  selectDown,
  selectOwnWindows,
  selectSettings,
  selectSince,
} from "./queries.ts";
import type { DayRow } from "./queries.ts";
import { objectiveLimits } from "./schemas.ts";
import type { Objective, ObjectiveDay, ObjectiveKind, Objectives, ObjectivesView } from "./schemas.ts";

const dayMs = 86_400_000;

/** Both objectives of the last 30 days, as the portal shows them. */
export async function getObjectives(ctx: Ctx): Promise<ObjectivesView> {
  authorize(ctx, "reports:read", {});
  return { ...(await measureObjectives(ctx)), mayChange: may(ctx, "settings:manage", {}) };
}

/** The same for a key: objectives are the whole organisation's, whatever environment it is bound to; a sandbox has none. */
export async function getObjectivesOfKey(ctx: RestCtx): Promise<Objectives> {
  if (ctx.environmentKind === "sandbox" || !may(acrossEnvironments(ctx), "reports:read", {})) {
    throw new DomainError(
      "permission_denied",
      "This needs a key that sees the reports of the whole organisation, and not one of a sandbox.",
    );
  }
  return measureObjectives(ctx);
}

async function measureObjectives(ctx: Ctx): Promise<Objectives> {
  const now = ctx.now();
  const from = startOf(now, objectiveLimits.days);
  const [settings, since, windows, down, alerts] = await Promise.all([
    selectSettings(ctx),
    selectSince(ctx.db),
    selectOwnWindows(ctx),
    selectDown(ctx.db, now),
    selectAlerts(ctx, objectiveLimits.alerts),
  ]);
  const measuredFrom = since && since > from ? since : from;
  const [answers, codes] = await Promise.all([
    selectAnswerDays(ctx, measuredFrom),
    selectCodeDays(ctx, from, settings.codesSeconds),
  ]);
  const burn = (kind: ObjectiveKind, minutes: Minutes, target: number) => {
    const row = windows.find((each) => each.objective === kind && each.minutes === minutes);
    const measured: Measured = {
      good: row?.good ?? 0,
      missed: row?.missed ?? 0,
      downMs: kind === "availability" ? (down.get(minutes) ?? 0) : 0,
      lengthMs: minutes * 60_000,
    };
    return burnOf(measured, target);
  };
  const of = (objective: ObjectiveKind, days: DayRow[], target: number): Objective => {
    const sums = sumOf(days);
    // Without one request nobody missed anything, however long no process was there.
    const share = sums.good + sums.missed === 0 ? null : shareOf(sums);
    const used = share === null ? null : (1 - share) / (1 - target / 100);
    return {
      objective,
      target,
      good: sums.good,
      missed: sums.missed,
      downSeconds: Math.round(sums.downMs / 1_000),
      share,
      budgetUsed: used,
      budgetLeft: used === null ? null : 1 - used,
      burn: {
        hour: share === null ? null : burn(objective, 60, target),
        sixHours: share === null ? null : burn(objective, 360, target),
      },
      days: daysFrom(from, now, days),
    };
  };
  return {
    since: measuredFrom.toISOString(),
    to: now.toISOString(),
    codesSeconds: settings.codesSeconds,
    codesMeasuredSeconds: Math.round(measuredSeconds(settings.codesSeconds) * 100) / 100,
    objectives: [
      of("availability", answers, settings.availabilityTarget),
      of("codes", codes, settings.codesTarget),
    ],
    alerts: alerts.map((alert) => ({
      ...alert,
      beganAt: alert.beganAt.toISOString(),
      endedAt: alert.endedAt?.toISOString() ?? null,
    })),
  };
}

/** The start (UTC) of the first of so many days, today with them. */
export function startOf(now: Date, days: number): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - days + 1) * dayMs);
}

function sumOf(days: readonly DayRow[]): Measured {
  const sum = { good: 0, missed: 0, downMs: 0, lengthMs: 0 };
  for (const day of days) {
    sum.good += day.good;
    sum.missed += day.missed;
    sum.downMs += day.downMs;
    sum.lengthMs += day.lengthMs;
  }
  return sum;
}

/** Every day from one to another, those without anything measured as well. */
export function daysFrom(from: Date, now: Date, rows: readonly DayRow[]): ObjectiveDay[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  const days: ObjectiveDay[] = [];
  for (let at = from.getTime(); at <= now.getTime(); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10);
    const row = known.get(day) ?? { good: 0, missed: 0, downMs: 0, lengthMs: 0 };
    days.push({
      day,
      good: row.good,
      missed: row.missed,
      downSeconds: Math.round(row.downMs / 1_000),
      share: shareOf(row),
    });
  }
  return days;
}
