import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { ProviderConnection } from "../providers/load-connection.ts";
import type { Evidence } from "./attempt-window.ts";
import { probePause, probeRules, slowRules } from "./health-rules.ts";
import {
  countFailedProbe,
  insertIncident,
  insertIncidentIfNews,
  openClosed,
  reopen,
  setClosed,
  setHalfOpen,
  setNextProbe,
  setSlow,
} from "./queries.ts";
import type { Breaker } from "./schemas.ts";
import { tellOfHealth } from "./tell-of-health.ts";
import { forgetHealth } from "./tenant-health.ts";

type Subject = Pick<ProviderConnection, "id" | "tenantId" | "unitId" | "name">;
export interface HealthChanges {
  db: Db;
  now: () => Date;
  random: () => number;
}

/**
 * Changes of a connection's health. Each is one transaction with its incident and what people are told; each is a
 * compare-and-set: of several processes that come to the same finding one writes it, and the others get false.
 */
async function change(
  deps: HealthChanges,
  subject: Subject,
  work: (ctx: Ctx, tx: Tx, key: { tenantId: string; connectionId: string }) => Promise<boolean>,
): Promise<boolean> {
  const ctx = { ...systemCtx(deps.db, subject.tenantId, "Connection health"), now: deps.now };
  const key = { tenantId: subject.tenantId, connectionId: subject.id };
  const changed = await inTenant(ctx, (tx) => work(ctx, tx, key));
  forgetHealth(subject.tenantId);
  return changed;
}

function audited(ctx: Ctx, tx: Tx, subject: Subject, action: string, data: Record<string, unknown>) {
  return recordAudit(ctx, tx, {
    action,
    targetType: "provider",
    targetId: subject.id,
    unitId: subject.unitId,
    data: { name: subject.name, ...data },
  });
}

/** Takes a connection out of the routes because of what its calls show. */
export function openConnection(deps: HealthChanges, subject: Subject, evidence: Evidence): Promise<boolean> {
  return change(deps, subject, async (ctx, tx, key) => {
    const now = deps.now();
    const openings = await openClosed(tx, key, {
      ...evidence,
      from: new Date(evidence.from),
      now,
      relapseSince: new Date(now.getTime() - probeRules.relapse),
    });
    if (openings === null) return false;
    await setNextProbe(tx, key, new Date(now.getTime() + probePause(openings, deps.random())));
    const { code, detail } = evidence;
    await insertIncident(tx, key, { kind: "opened", code, detail, at: now });
    await audited(ctx, tx, subject, "provider.unavailable", { code, detail });
    await tellOfHealth(ctx, tx, subject, {
      code: "provider_unavailable",
      since: now,
      reason: { code, detail },
    });
    return true;
  });
}

/** A connection on trial failed; people know already that it is unavailable. */
export function failTrial(
  deps: HealthChanges,
  subject: Subject,
  reason: { code: string; detail: string },
): Promise<boolean> {
  return change(deps, subject, async (_ctx, tx, key) => {
    const now = deps.now();
    const openings = await reopen(tx, key, { ...reason, now });
    if (openings === null) return false;
    await setNextProbe(tx, key, new Date(now.getTime() + probePause(openings, deps.random())));
    await insertIncident(tx, key, { kind: "opened", ...reason, at: now });
    return true;
  });
}

/** Notes what a probe of an open connection has shown: on trial, or to be asked again after a longer pause. */
export function recordProbe(deps: HealthChanges, subject: Subject, problem: string | null): Promise<boolean> {
  return change(deps, subject, async (_ctx, tx, key) => {
    const now = deps.now();
    if (problem === null) {
      const until = new Date(now.getTime() + probeRules.trial);
      if (!(await setHalfOpen(tx, key, { until, now }))) return false;
      await insertIncident(tx, key, { kind: "probed", code: "passed", detail: null, at: now });
      return true;
    }
    const openings = await countFailedProbe(tx, key, now);
    if (openings === null) return false;
    await setNextProbe(tx, key, new Date(now.getTime() + probePause(openings, deps.random())));
    await insertIncidentIfNews(tx, key, { kind: "probed", code: "failed", detail: problem, at: now });
    return true;
  });
}

/** Puts a connection back to work. `from`: the states in which that is right. */
export function closeConnection(
  deps: HealthChanges,
  subject: Subject,
  from: Breaker[] = ["half_open"],
): Promise<boolean> {
  return change(deps, subject, async (ctx, tx, key) => {
    const now = deps.now();
    const before = await setClosed(tx, key, { from, now });
    if (!before) return false;
    await insertIncident(tx, key, { kind: "closed", code: null, detail: null, at: now });
    await audited(ctx, tx, subject, "provider.recovered", { since: before.since.toISOString() });
    await tellOfHealth(ctx, tx, subject, { code: "provider_recovered", since: before.since, reason: null });
    return true;
  });
}

/** Notes that a connection is slow, or no longer. */
export function recordSlowness(
  deps: HealthChanges,
  subject: Subject,
  slow: boolean,
  detail: string,
): Promise<boolean> {
  return change(deps, subject, async (ctx, tx, key) => {
    const now = deps.now();
    const settledBefore = new Date(now.getTime() - slowRules.dwell);
    if (!(await setSlow(tx, key, { slow, now, settledBefore }))) return false;
    await insertIncident(tx, key, { kind: slow ? "slow" : "recovered", code: null, detail, at: now });
    await audited(ctx, tx, subject, slow ? "provider.slow" : "provider.not_slow", {
      detail,
    });
    if (slow) {
      await tellOfHealth(ctx, tx, subject, {
        code: "provider_slow",
        since: now,
        reason: { code: "slow", detail },
      });
    }
    return true;
  });
}
