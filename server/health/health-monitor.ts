import { LRUCache } from "lru-cache";
import type { SendOutcome } from "../adapters/adapter.ts";
import { claimProbes, deleteHealth, tenantHealth } from "../connections/connection-state.ts";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Trial } from "../connections/schemas.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { AttemptWindow } from "./attempt-window.ts";
import type { Evidence } from "./attempt-window.ts";
import { closeConnection, failTrial, openConnection, recordProbe, recordSlowness } from "./change-health.ts";
import type { ProbeFinding } from "./change-health.ts";
import { probeRules, restAfterBusy, slowRules } from "./health-rules.ts";
import { classifyOutcome } from "./classify-outcome.ts";
import type { Verdict } from "./classify-outcome.ts";

export interface HealthMonitorDeps {
  db: Db;
  http: OutboundClient;
  log: Logger;
  now?: () => Date;
  /** In [0, 1). */
  random?: () => number;
}

/** `from`: when a connection may be used, ms since the epoch; in the past: now. `out`: do not wait for it. */
export interface Availability {
  from: number;
  out: boolean;
}

/** What is kept of a connection between calls: nothing secret. */
type Subject = Pick<ProviderConnection, "id" | "tenantId" | "unitId" | "name" | "slowAfterMs">;

/** What this process knows of a connection; the shared state is in the database. */
interface Watched {
  connection: Subject;
  window: AttemptWindow;
  /** "Too many requests" answers in a row, and until when calls rest because of them, ms since the epoch. */
  busyInARow: number;
  restSince: number;
  restUntil: number;
  /** `failed`: no more messages until the other processes know. `answered`: the provider answered some of it without a failure. */
  trial: { of: number; underWay: number; passed: number; failed: boolean; answered: boolean };
  /** When to probe the connection itself; null: nothing counts against it. */
  askAt: number | null;
  /** A change that is being written. */
  changing: boolean;
  /** Resolves when the last change is written; never rejects. */
  written: Promise<void>;
  /** New calls since its slowness was last checked. */
  unjudged: boolean;
}

/** How many connections a process keeps calls of, the busiest ones, and for how long after their last use. */
const watchedAtMost = 2_000;
const idleMs = 30 * 60_000;
/** Length to which a provider's error text is cut for the connection and its incidents. */
const longestProblem = 500;
const judgedEvery = 5;

/**
 * Watches the connections of one worker process: records every call, takes a failing connection out of the routes for
 * all processes, probes it after a pause and puts it back. docs/failover.md.
 */
export class HealthMonitor {
  private readonly deps: Required<HealthMonitorDeps>;
  private readonly watched = new LRUCache<string, Watched>({
    max: watchedAtMost,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  });
  private readonly writing = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private ticks = 0;

  constructor(deps: HealthMonitorDeps) {
    this.deps = { now: () => new Date(), random: Math.random, ...deps };
  }

  /** Starts checking every second for what is due. */
  start(): void {
    this.timer = setInterval(() => {
      this.tick().catch((error: unknown) => {
        this.deps.log.warn({ err: error }, "looking after the connections' health failed");
      });
    }, 1_000);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.settled();
  }

  /** Resolves when every change caused by observed calls is written. */
  async settled(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing);
  }

  /** Resolves when what this process has found out about a connection is in the database. */
  async recorded(connectionId: string): Promise<void> {
    await this.watched.get(connectionId)?.written;
  }

  /** From when a message may go over a connection, `now` in ms since the epoch. */
  availability(connectionId: string, health: ConnectionHealth | undefined, now: number): Availability {
    const known = this.watched.get(connectionId);
    if (health?.breaker === "open") {
      // The probe takes a moment, and other processes learn of it within a second.
      return { from: Math.max(health.nextProbeAt?.getTime() ?? 0, now) + 2_000, out: true };
    }
    if (health?.breaker === "half_open" && known && isFull(known, health)) {
      return { from: now + 1_000, out: true };
    }
    return { from: known?.restUntil ?? 0, out: false };
  }

  /**
   * Reports that a call begins, and with `end` its outcome. `health`: the state when the connection was chosen. `end`
   * without an outcome: no call was made; only the first `end` counts.
   */
  begin(
    connection: ProviderConnection,
    health: ConnectionHealth | undefined,
  ): { end: (call?: { outcome: SendOutcome; startedAt: Date; durationMs: number }) => void } {
    // In the sandbox, outcomes depend on the recipients' addresses.
    if (connection.adapter.name === "simulator") return { end: () => undefined };
    const watched = this.watch(connection);
    const onTrial = health?.breaker === "half_open";
    if (onTrial) {
      const of = health.nextProbeAt?.getTime() ?? 0;
      if (watched.trial.of !== of) watched.trial = newTrial(of);
      watched.trial.underWay++;
    }
    const { trial } = watched;
    let ended = false;
    return {
      end: (call) => {
        if (ended) return;
        ended = true;
        if (onTrial) trial.underWay--;
        if (call) this.learn(watched, health, call);
      },
    };
  }

  private watch(connection: ProviderConnection): Watched {
    let watched = this.watched.get(connection.id);
    if (!watched) {
      watched = {
        connection: subjectOf(connection),
        window: new AttemptWindow(),
        busyInARow: 0,
        restSince: 0,
        restUntil: 0,
        trial: newTrial(0),
        askAt: null,
        changing: false,
        written: Promise.resolve(),
        unjudged: false,
      };
      this.watched.set(connection.id, watched);
    }
    watched.connection = subjectOf(connection);
    return watched;
  }

  private learn(
    watched: Watched,
    health: ConnectionHealth | undefined,
    call: { outcome: SendOutcome; startedAt: Date; durationMs: number },
  ): void {
    const { connection, window } = watched;
    const { outcome } = call;
    const now = this.deps.now().getTime();
    const startedAt = call.startedAt.getTime();
    const verdict = classifyOutcome(outcome);
    if (verdict === "unasked") return;
    const { code, detail } = outcome.kind === "sent" ? { code: "", detail: "" } : outcome;
    watched.unjudged = true;
    if (verdict === "busy") this.rest(watched, outcome, startedAt, now);
    if (verdict === "works") watched.busyInARow = 0;
    const evidence = window.record({
      startedAt,
      endedAt: now,
      verdict,
      code,
      detail,
      slow: call.durationMs > connection.slowAfterMs,
      cause: outcome.kind === "sent" ? undefined : outcome.cause,
    });
    if (health?.breaker === "half_open") {
      if (verdict === "fault" || verdict === "refused") {
        watched.trial.failed = true;
        this.write(watched, () => failTrial(this.deps, connection, { code, detail }));
        return;
      }
      watched.trial.answered = true;
      if (isCountedInTrial(verdict, health.trial) && ++watched.trial.passed >= rulesOf(health).successes)
        this.write(watched, () => closeConnection(this.deps, connection));
      return;
    }
    if (verdict === "works") watched.askAt = null;
    else if (verdict === "fault") watched.askAt ??= now + probeRules.suspicion;
    if (evidence && health?.breaker !== "open") this.open(watched, evidence);
  }

  private rest(watched: Watched, outcome: SendOutcome, startedAt: number, now: number): void {
    // Concurrent calls report the same thing once.
    if (startedAt < watched.restSince) return;
    watched.restSince = now;
    watched.busyInARow++;
    const asked = outcome.kind === "not_sent" ? outcome.retryAfterMs : undefined;
    const rest = Math.min(asked ?? restAfterBusy(watched.busyInARow), probeRules.longestRest);
    watched.restUntil = Math.max(watched.restUntil, now + rest);
  }

  private open(watched: Watched, evidence: Evidence): void {
    const { connection } = watched;
    this.write(watched, async () => {
      const opened = await openConnection(this.deps, connection, evidence);
      watched.window.forgetFaults();
      watched.askAt = null;
      if (opened) {
        this.deps.log.warn(
          { tenantId: connection.tenantId, connectionId: connection.id, code: evidence.code },
          "a connection is unavailable",
        );
      }
    });
  }

  /** One change of a connection at a time; what is missed meanwhile, the next call shows again. */
  private write(watched: Watched, work: () => Promise<unknown>): void {
    if (watched.changing) return;
    watched.changing = true;
    const written = work()
      .catch((error: unknown) => {
        this.deps.log.error(
          { err: error, connectionId: watched.connection.id },
          "a connection's health was not recorded",
        );
      })
      .then(() => {
        watched.changing = false;
        this.writing.delete(written);
      });
    watched.written = written;
    this.writing.add(written);
  }

  /** Does what is due: probes open or suspect connections, ends trials, checks slowness. */
  async tick(): Promise<void> {
    const now = this.deps.now();
    this.ticks++;
    const due: Promise<void>[] = [this.probeDue(now)];
    for (const watched of this.watched.values()) {
      if (watched.askAt !== null && watched.askAt <= now.getTime()) due.push(this.probeSuspect(watched));
      if (watched.unjudged && this.ticks % judgedEvery === 0) due.push(this.judgeSlowness(watched, now));
    }
    for (const result of await Promise.allSettled(due)) if (result.status === "rejected") throw result.reason;
    await this.settled();
  }

  private async probeDue(now: Date): Promise<void> {
    const { db } = this.deps;
    const claimed = await claimProbes(db, {
      now,
      until: new Date(now.getTime() + probeRules.lease),
      limit: 50,
    });
    await Promise.all(
      claimed.map(async ({ tenantId, connectionId, breaker, trial }) => {
        const connection = (await tenantConnections({ db, tenantId })).get(connectionId);
        const { underWay, answered } = this.watched.get(connectionId)?.trial ?? newTrial(0);
        if (!connection?.enabled) {
          await deleteHealth(db.prisma, { tenantId, connectionId });
        } else if (breaker === "open") {
          await recordProbe(this.deps, connection, await this.ask(connection));
        } else if (underWay === 0 || answered) {
          // Nothing has shown that it works: its probes did not pass, and no message was sent.
          if (trial === "blind") await failTrial(this.deps, connection, null);
          else await closeConnection(this.deps, connection);
        }
      }),
    );
  }

  /** Whether a provider answers at all, which is less than that nothing is wrong. What did not even ask it says nothing. */
  private async ask(connection: ProviderConnection): Promise<ProbeFinding> {
    try {
      const result = await connection.adapter.test(connection.connection, {
        http: this.deps.http,
        timeoutMs: probeRules.timeout,
      });
      if (result.ok) return { is: "passed" };
      return {
        is: result.reachable ? "reachable" : result.unasked ? "unasked" : "failed",
        problem: result.problem.slice(0, longestProblem),
      };
    } catch (error) {
      this.deps.log.error({ err: error, adapter: connection.adapter.name }, "an adapter failed");
      return { is: "unasked", problem: "The adapter failed while testing the connection." };
    }
  }

  /** Probes a connection whose last call failed, so that no more messages are needed to find out. */
  private async probeSuspect(watched: Watched): Promise<void> {
    watched.askAt = null;
    const { db } = this.deps;
    const { id, tenantId } = watched.connection;
    const connection = (await tenantConnections({ db, tenantId })).get(id);
    const health = (await tenantHealth({ db, tenantId })).get(id);
    if (!connection?.enabled || (health && health.breaker !== "closed")) return;
    const startedAt = this.deps.now().getTime();
    const probe = await this.ask(connection);
    if (probe.is !== "failed") return;
    const now = this.deps.now().getTime();
    const evidence = watched.window.record({
      startedAt,
      endedAt: now,
      verdict: "fault",
      code: "provider_unavailable",
      detail: probe.problem,
      slow: false,
    });
    if (evidence) this.open(watched, evidence);
    else watched.askAt = now + probeRules.suspicion;
  }

  private async judgeSlowness(watched: Watched, now: Date): Promise<void> {
    watched.unjudged = false;
    const { connection } = watched;
    const health = (await tenantHealth({ db: this.deps.db, tenantId: connection.tenantId })).get(
      connection.id,
    );
    const slow = health?.slow ?? false;
    const { calls, share } = watched.window.slowness(
      now.getTime(),
      slow ? health?.slowSince?.getTime() : undefined,
    );
    if (calls < slowRules.minCalls) return;
    if (slow ? share > slowRules.leave : share < slowRules.enter) return;
    const detail = `${String(Math.round(share * 100))}% of its last ${String(calls)} calls took longer than ${String(connection.slowAfterMs / 1_000)} s.`;
    await recordSlowness(this.deps, connection, !slow, detail);
  }
}

function subjectOf({ id, tenantId, unitId, name, slowAfterMs }: ProviderConnection): Subject {
  return { id, tenantId, unitId, name, slowAfterMs };
}

function newTrial(of: number): Watched["trial"] {
  return { of, underWay: 0, passed: 0, failed: false, answered: false };
}

function rulesOf(health: ConnectionHealth) {
  return probeRules.trials[health.trial ?? "full"];
}

/** Whether the running trial has as many messages as it may. */
function isFull(watched: Watched, health: ConnectionHealth): boolean {
  const { of, underWay, failed } = watched.trial;
  if (of !== (health.nextProbeAt?.getTime() ?? 0)) return false;
  return failed || underWay >= rulesOf(health).slots;
}

/** Where not even the probe passed, any answer shows that the provider is there, even a refusal for now. */
function isCountedInTrial(verdict: Verdict, trial: Trial | null): boolean {
  return verdict === "works" || (trial === "blind" && (verdict === "busy" || verdict === "nothing"));
}
