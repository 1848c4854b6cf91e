import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import {
  countFailedProbe,
  forgetHealth,
  setOpen,
  reopen,
  setClosed,
  setHalfOpen,
  setNextProbe,
  setSlow,
} from "../connections/connection-state.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Breaker } from "../connections/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Evidence } from "./attempt-window.ts";
import { probePause, probeRules, slowRules } from "./health-rules.ts";
import { advanceOtherProbes, insertIncident, insertIncidentIfNew, isOnlyMember } from "./queries.ts";
import { notifyHealthChange } from "./notify-health-change.ts";

type Subject = Pick<ProviderConnection, "id" | "tenantId" | "unitId" | "name">;

/**
 * The result of a probe: it passed; the provider answered with a problem; it was not asked, because the probe failed for a reason of
 * its own; it did not answer.
 */
export type ProbeFinding =
  | { is: "passed" }
  | { is: "reachable"; problem: string }
  | { is: "unasked"; problem: string }
  | { is: "failed"; problem: string };

export interface HealthChanges {
  db: Db;
  now: () => Date;
  random: () => number;
}

/**
 * Changes of a connection's health. Each is one transaction with its incident and notices, and a compare-and-set: of
 * several processes with the same finding one writes it, and the others get false.
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

/** When an open connection is probed next: soon while there are messages that only it can take. */
async function planProbe(
  deps: HealthChanges,
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  openings: number,
): Promise<void> {
  const pause = probePause(openings, deps.random(), await isOnlyMember(tx, key));
  await setNextProbe(tx, key, new Date(deps.now().getTime() + pause));
}

function audited(
  ctx: Ctx,
  tx: Tx,
  subject: Subject,
  action: string,
  data: Record<string, unknown>,
  became: { before: object; after: object },
) {
  return recordAudit(ctx, tx, {
    action,
    targetType: "provider",
    targetId: subject.id,
    unitId: subject.unitId,
    data: { name: subject.name, ...data },
    ...became,
  });
}

/** Opens a connection because of what its calls show. */
export function openConnection(deps: HealthChanges, subject: Subject, evidence: Evidence): Promise<boolean> {
  return change(deps, subject, async (ctx, tx, key) => {
    const now = deps.now();
    const openings = await setOpen(tx, key, {
      ...evidence,
      from: new Date(evidence.from),
      now,
      relapseSince: new Date(now.getTime() - probeRules.relapse),
    });
    if (openings === null) return false;
    await planProbe(deps, tx, key, openings);
    // Other open connections may have been the alternative to this one, with long pauses between probes.
    await advanceOtherProbes(tx, key, new Date(now.getTime() + probeRules.longestPauseAlone));
    const { code, detail } = evidence;
    await insertIncident(tx, key, { kind: "opened", code, detail, at: now });
    await audited(
      ctx,
      tx,
      subject,
      "provider.unavailable",
      { code, detail },
      {
        before: { state: "closed" },
        after: { state: "open" },
      },
    );
    await notifyHealthChange(ctx, tx, subject, {
      code: "provider_unavailable",
      since: now,
      reason: { code, detail },
    });
    return true;
  });
}

/**
 * A connection on trial failed; people were notified already. `reason` null: nothing was sent that could have shown
 * that it works.
 */
export function failTrial(
  deps: HealthChanges,
  subject: Subject,
  reason: { code: string; detail: string } | null,
): Promise<boolean> {
  return change(deps, subject, async (_ctx, tx, key) => {
    const now = deps.now();
    const openings = await reopen(tx, key, { reason, now });
    if (openings === null) return false;
    await planProbe(deps, tx, key, openings);
    if (reason) await insertIncidentIfNew(tx, key, { kind: "opened", ...reason, at: now });
    return true;
  });
}

/**
 * Records the result of a probe of an open connection: on trial, or a longer pause. After several failed probes it is
 * tried all the same: a probe may fail for reasons that do not affect sending. One that asked nobody is no reason to wait.
 */
export function recordProbe(deps: HealthChanges, subject: Subject, probe: ProbeFinding): Promise<boolean> {
  return change(deps, subject, async (_ctx, tx, key) => {
    const now = deps.now();
    const until = new Date(now.getTime() + probeRules.trial);
    if (probe.is !== "failed") {
      const trial = probe.is === "passed" ? "full" : "careful";
      if (!(await setHalfOpen(tx, key, { until, trial, now }))) return false;
      const detail = probe.is === "passed" ? null : probe.problem;
      await insertIncidentIfNew(tx, key, { kind: "probed", code: "passed", detail, at: now });
      return true;
    }
    const counted = await countFailedProbe(tx, key, now);
    if (counted === null) return false;
    await insertIncidentIfNew(tx, key, { kind: "probed", code: "failed", detail: probe.problem, at: now });
    if (counted.failedProbes < probeRules.failuresBeforeTrial)
      await planProbe(deps, tx, key, counted.openings);
    else await setHalfOpen(tx, key, { until, trial: "blind", now });
    return true;
  });
}

/** Closes a connection again. `from`: the states from which that is right. */
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
    await audited(
      ctx,
      tx,
      subject,
      "provider.recovered",
      { since: before.since.toISOString() },
      {
        before: { state: "half_open" },
        after: { state: "closed" },
      },
    );
    await notifyHealthChange(ctx, tx, subject, {
      code: "provider_recovered",
      since: before.since,
      reason: null,
    });
    return true;
  });
}

/** Records that a connection has become slow, or no longer is. */
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
    await audited(
      ctx,
      tx,
      subject,
      slow ? "provider.slow" : "provider.not_slow",
      { detail },
      {
        before: { slow: !slow },
        after: { slow },
      },
    );
    if (slow) {
      await notifyHealthChange(ctx, tx, subject, {
        code: "provider_slow",
        since: now,
        reason: { code: "slow", detail },
      });
    }
    return true;
  });
}
