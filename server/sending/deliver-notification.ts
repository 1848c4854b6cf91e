import { setTimeout as pause } from "node:timers/promises";
import type { OutboundMessage, SendOutcome } from "../adapters/adapter.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { HealthMonitor } from "../health/health-monitor.ts";
import { unavailableReason } from "../health/unavailable-reason.ts";
import { Batcher } from "../kernel/batcher.ts";
import type { InTurn } from "../kernel/batcher.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { isStatementError } from "../kernel/unavailable.ts";
import { linkProblemJob } from "../links/report-problem.ts";
import { attachmentRoom } from "./attachment-room.ts";
import type { LaneLimiter } from "./connection-limiter.ts";
import { afterAttempt, inDoubt, nextStep } from "./delivery-policy.ts";
import type { HeldAttempts } from "./held-attempts.ts";
import { deliveryLanes } from "./lanes.ts";
import type { DeliveryLane } from "./lanes.ts";
import { attemptLostAfter, classPolicies, receiptWindow, shortestAttempt } from "./message-class.ts";
import { chooseOn, findWay, othersOn, recognisesRepeats, triedNow } from "./message-way.ts";
import type { Way } from "./message-way.ts";
import { callAdvance, selectDeliveries } from "./queries.ts";
import type { AppliedChange, DeliveryRow, NotificationChange } from "./queries.ts";
import { renderMessage } from "./render-message.ts";
import type { RenderedMessage } from "./render-message.ts";
import { simulatedCallbackJobs } from "./simulated-callbacks.ts";
import { TurnGate } from "./turn-gate.ts";
import type { WaitingMessages } from "./wake-waiting.ts";

/** How a lane's deliveries share round trips; see Batcher. `maxParallel`: 2 unless told. */
export interface Batching {
  delayMs: number;
  maxItems: number;
  maxParallel?: number;
  inTurn?: InTurn;
}

/** What a lane's deliveries work with. */
export interface DeliveryDeps {
  lane: DeliveryLane;
  /** How many messages it works on at once; what its jobs carry beyond that waits, tenants taking turns. */
  places: number;
  db: Db;
  http: OutboundClient;
  log: Logger;
  limiter: LaneLimiter;
  health: HealthMonitor;
  /** Brings those forward who wait for a connection that works again. */
  waiting: Pick<WaitingMessages, "note">;
  /** This process, as attempts name it. */
  worker: string;
  /** The attempts that this process is at, in all its lanes. */
  held: HeldAttempts;
  /** Whether another worker process lives. */
  isAlive: (worker: string) => Promise<boolean>;
  /** Base URL of the public callback route. */
  publicUrl: string;
  /** The longest that one call to a provider may take, whatever the message's class allows, ms. */
  attemptTimeoutMs: number;
  onOutcome?: (facts: {
    adapter: string;
    outcome: string;
    code: string;
    seconds: number;
    lane: string;
  }) => void;
}

/** An attempt for which a connection is chosen and has room. */
interface Begun {
  way: Way;
  /** Connections that had no room for it, and until when, ms since the epoch. */
  busyUntil: ReadonlyMap<string, number>;
  loadedAt: number;
  call: ReturnType<HealthMonitor["begin"]>;
  answered: () => void;
}

/** A claim that took longer may have been settled by others meanwhile, and its message may have expired, ms. */
const longestClaim = 3_000;

/** An attempt that never called its provider. */
const interrupted: SendOutcome = {
  kind: "not_sent",
  retry: "later",
  code: "interrupted",
  detail: "The database was interrupted before the provider was called.",
};

/** After so long a rendering the route is looked up again, ms: with the age of the rules well below two seconds. */
const routeGoodForMs = 250;

/**
 * Delivers notifications for one lane. Loads and writes of concurrent deliveries share round trips; no connection to the
 * database is held while a provider is called.
 */
export class Deliverer {
  private readonly deps: DeliveryDeps;
  private readonly loads: Batcher<{ tenantId: string; notificationId: string }, DeliveryRow | null>;
  private readonly claims: Batcher<NotificationChange, AppliedChange | null>;
  private readonly results: Batcher<NotificationChange, AppliedChange | null>;
  private readonly gate: TurnGate;

  constructor(deps: DeliveryDeps, batching: Batching) {
    this.deps = deps;
    this.gate = new TurnGate(deps.places);
    const options = { maxParallel: 2, ...batching };
    const { inTurn } = batching;
    this.loads = new Batcher(async (wanted) => {
      const rows = await selectDeliveries(deps.db, wanted);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return wanted.map((item) => byId.get(item.notificationId) ?? null);
    }, options);
    const advance = async (changes: NotificationChange[]) => {
      const applied = await callAdvance(deps.db, null, changes);
      const byId = new Map(applied.map((row) => [row.id, row]));
      return changes.map((change) => byId.get(change.id) ?? null);
    };
    const exclusiveKey = (change: NotificationChange) => change.id;
    // After a lost connection nobody knows whether a claim was made; asked again alone it would look as if it was not.
    this.claims = new Batcher(advance, {
      ...options,
      exclusiveKey,
      retryAlone: isStatementError,
      // A place at the provider stands empty until the claim is made.
      ...(inTurn && { inTurn: (flush: () => Promise<void>) => inTurn(flush, "soon") }),
    });
    this.results = new Batcher(advance, { ...options, exclusiveKey });
  }

  /**
   * Carries out what one job asks for. Throws only when the database does not answer; the job is then run again, and finds
   * done what was done.
   */
  async deliver({
    tenantId,
    notificationIds,
  }: {
    tenantId: string;
    notificationIds: string[];
  }): Promise<void> {
    const results = await Promise.allSettled(
      notificationIds.map((notificationId) =>
        this.gate.pass(tenantId, () => this.deliverOne({ tenantId, notificationId })),
      ),
    );
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  private async deliverOne(payload: { tenantId: string; notificationId: string }): Promise<void> {
    const row = await this.loads.add(payload);
    if (!row) return;
    const loadedAt = performance.now();
    const step = nextStep(
      row,
      await this.attemptLives(row),
      row.unknown_outcomes > 0 && (await this.isRecognised(row)),
    );
    switch (step.do) {
      case "nothing":
        return;
      case "recover":
        await this.finish(row, null, step.attempt, this.lostOutcome(row));
        this.deps.held.end(row.id);
        return;
      case "expire":
        await this.expire(row);
        return;
      case "give_up":
        await this.fail(row, row.failure ?? { code: "too_many_attempts", detail: "Every attempt failed." });
        return;
      case "undetermined":
        await this.endUndetermined(row, step.detail);
        return;
      case "reject":
        await this.end(row, "rejected", step.reason);
        return;
      case "attempt":
        await this.attempt(row, loadedAt);
    }
  }

  /** Whether somebody is at the message's open attempt. A process that lives may still have lost one, and none takes long. */
  private async attemptLives(row: DeliveryRow): Promise<boolean> {
    const open = row.open_attempt === null ? undefined : row.tried?.at(-1);
    if (!open) return false;
    if (open.worker === this.deps.worker) return this.deps.held.knowledgeOf(row.id) === "held";
    if (row.now.getTime() - Date.parse(open.startedAt) > attemptLostAfter) return false;
    return this.deps.isAlive(open.worker);
  }

  /** What is known of an attempt that nobody is at. */
  private lostOutcome(row: DeliveryRow): SendOutcome {
    const own = row.tried?.at(-1)?.worker === this.deps.worker;
    if (own && this.deps.held.knowledgeOf(row.id) === "never_called") {
      return interrupted;
    }
    return {
      kind: "unknown",
      code: "worker_lost",
      detail: "The process that was sending it ended before the provider's answer was recorded.",
    };
  }

  /** Whether the connection of the last attempt recognises a repetition of it. */
  private async isRecognised(row: DeliveryRow): Promise<boolean> {
    const connections = await tenantConnections({ db: this.deps.db, tenantId: row.tenant_id });
    return recognisesRepeats(connections.get(row.tried?.at(-1)?.connectionId ?? ""));
  }

  private async attempt(row: DeliveryRow, loadedAt: number): Promise<void> {
    const way = await findWay(this.deps.db, row);
    const busyUntil = new Map<string, number>();
    for (;;) {
      const choice = chooseOn(way, row, this.deps.health, { busyUntil });
      const connection = choice.do === "none" ? undefined : way.connections.get(choice.connectionId);
      if (!connection || choice.do === "none") {
        await this.endWithoutRoute(row);
        return;
      }
      if (choice.do === "wait") {
        const busyHere = busyUntil.has(connection.id);
        const dueAt = await this.lookAgain(
          row,
          busyHere ? choice.until : this.deps.limiter.lineUp(connection, choice.until),
        );
        const { breaker } = way.health.get(connection.id) ?? { breaker: "closed" };
        if (breaker !== "closed" && !busyHere) await this.noteWaiting(row, connection.id, dueAt);
        return;
      }
      // Before anything is waited for: of many messages that come at once, as many as there are places on trial take one.
      const call = this.deps.health.begin(connection, way.health.get(connection.id));
      try {
        const permit = await this.deps.limiter.acquireSoon(connection, Date.now());
        if (!permit.granted) {
          busyUntil.set(connection.id, permit.retryAt);
          continue;
        }
        const answered = () => permit.release();
        try {
          await this.attemptOver(row, connection, { way, busyUntil, loadedAt, call, answered });
        } finally {
          permit.release();
          attachmentRoom.free(row);
        }
      } finally {
        call.end();
      }
      return;
    }
  }

  private async endWithoutRoute(row: DeliveryRow): Promise<void> {
    if (row.tried?.at(-1)?.outcome === "unknown") {
      await this.endUndetermined(row, inDoubt);
      return;
    }
    await this.fail(row, {
      code: "no_route",
      detail:
        "No enabled provider connection carries this channel here. Check the routing rules of this environment.",
    });
  }

  private get task(): string {
    return deliveryLanes[this.deps.lane].name;
  }

  /** Nothing is done now; a job will look at the message at `at` (ms since the epoch), or when its time is up. */
  private async lookAgain(row: DeliveryRow, at: number): Promise<Date> {
    const dueAt = new Date(Math.min(at, row.expires_at.getTime()));
    await this.results.add({
      tenantId: row.tenant_id,
      id: row.id,
      dueAt: dueAt.toISOString(),
      task: this.task,
    });
    return dueAt;
  }

  private noteWaiting(row: DeliveryRow, connectionId: string, dueAt: Date): Promise<void> {
    const { tenant_id: tenantId, id: notificationId } = row;
    return this.deps.waiting.note({ tenantId, connectionId, notificationId, lane: this.deps.lane, dueAt });
  }

  private async expire(row: DeliveryRow): Promise<void> {
    const { candidates, health } = await findWay(this.deps.db, row);
    const reason = { code: "expired", detail: "Its time-to-live passed before it could be sent." };
    const failure = row.failure ?? unavailableReason(candidates, health);
    await this.results.add({
      tenantId: row.tenant_id,
      id: row.id,
      to: "expired",
      reason,
      ...(failure ? { failure } : {}),
      data: { reason, ...(failure ? { failure } : {}) },
    });
  }

  private async attemptOver(row: DeliveryRow, connection: ProviderConnection, begun: Begun): Promise<void> {
    // Another job of this process may be at it.
    if (!this.deps.held.begin(row.id)) return;
    try {
      await this.sendOver(row, connection, begun);
      this.deps.held.end(row.id);
    } catch (error) {
      this.deps.held.abandon(row.id);
      throw error;
    }
  }

  private async sendOver(
    row: DeliveryRow,
    connection: ProviderConnection,
    { way, busyUntil, loadedAt, call, answered }: Begun,
  ): Promise<void> {
    const routedAt = performance.now();
    const rendered = await renderMessage(
      { db: this.deps.db, tenantId: row.tenant_id },
      row,
      connection,
      this.deps.http,
    );
    if (!rendered.ok) {
      if (rendered.retryAt !== undefined) await this.lookAgain(row, rendered.retryAt);
      else await this.fail(row, rendered.failure);
      return;
    }
    // Fetching attachments takes its time; meanwhile the rules may have sent the message elsewhere (within 2 s).
    if (performance.now() - routedAt > routeGoodForMs) {
      const now = await findWay(this.deps.db, row);
      const choice = chooseOn(now, row, this.deps.health, { busyUntil, held: connection.id });
      if (choice.do !== "use" || choice.connectionId !== connection.id) {
        await this.lookAgain(row, Date.now());
        return;
      }
    }
    const left = row.expires_at.getTime() - row.now.getTime() - (performance.now() - loadedAt);
    if (left < shortestAttempt) {
      await this.lookAgain(row, Date.now());
      return;
    }
    const { linkProblem } = rendered.message;
    const claimedAt = performance.now();
    const claimed = await this.claims.add({
      tenantId: row.tenant_id,
      id: row.id,
      claim: true,
      to: "sending",
      worker: this.deps.worker,
      connectionId: connection.id,
      provider: connection.name,
      ...(rendered.message.segments === null ? {} : { segments: rendered.message.segments }),
      ...(linkProblem ? { jobs: [linkProblemJob(row, linkProblem)] } : {}),
      data: {
        provider: connection.name,
        // An answer to this sender is an answer to this message.
        ...(rendered.message.from === undefined ? {} : { from: rendered.message.from }),
        ...(linkProblem ? { problem: linkProblem } : {}),
      },
    });
    if (claimed?.attempt == null) return;
    const number = claimed.attempt;
    const message: OutboundMessage = {
      ...rendered.message.outbound,
      tenantId: row.tenant_id,
      notificationId: row.id,
      attempt: number,
      channel: row.channel,
      to: row.recipient,
      idempotencyKey: `${row.id}.${connection.id.slice(-8)}`,
      expiresAt: row.expires_at,
      callbackUrl: `${this.deps.publicUrl}/api/callbacks/${connection.id}`,
    };
    const claimTook = performance.now() - claimedAt;
    if (claimTook > longestClaim || left - claimTook < shortestAttempt) {
      await this.finish(
        row,
        { connection, rendered: rendered.message, message, way, startedAt: new Date() },
        number,
        interrupted,
      );
      return;
    }
    const startedAt = new Date();
    const started = performance.now();
    const timeoutMs = Math.min(this.deps.attemptTimeoutMs, classPolicies[row.class].attemptTimeout, left);
    this.deps.held.called(row.id);
    const outcome = await this.call(connection, message, timeoutMs);
    // The provider is free for the next one while the outcome is being written.
    answered();
    call.end({ outcome, startedAt, durationMs: performance.now() - started });
    this.deps.onOutcome?.({
      adapter: connection.adapter.name,
      outcome: outcome.kind,
      code: outcome.kind === "sent" ? "" : outcome.code,
      seconds: (performance.now() - started) / 1_000,
      lane: this.task,
    });
    await this.finish(
      row,
      { connection, rendered: rendered.message, message, way, startedAt },
      number,
      outcome,
    );
  }

  private async call(
    connection: ProviderConnection,
    message: OutboundMessage,
    timeoutMs: number,
  ): Promise<SendOutcome> {
    try {
      return await connection.adapter.send(connection.connection, message, {
        http: this.deps.http,
        timeoutMs,
      });
    } catch (error) {
      // An adapter never rejects for what the provider does. What it did before it broke is not known.
      this.deps.log.error(
        { err: error, adapter: connection.adapter.name, notificationId: message.notificationId },
        "an adapter failed",
      );
      return { kind: "unknown", code: "internal_error", detail: "The adapter failed while sending." };
    }
  }

  /** Records an attempt's outcome and what follows from it. `carried` is null when the attempt was another process's. */
  private async finish(
    row: DeliveryRow,
    carried: {
      connection: ProviderConnection;
      rendered: RenderedMessage;
      message: OutboundMessage;
      way: Way;
      startedAt: Date;
    } | null,
    attempt: number,
    outcome: SendOutcome,
  ): Promise<void> {
    const asked = new Set(row.tried?.map((entry) => entry.connectionId));
    const others = carried ? othersOn(carried.way, carried.connection.id, this.deps.health) : [];
    const after = afterAttempt(
      carried
        ? { ...row, tried: [...(row.tried ?? []), triedNow(this.deps.worker, carried, attempt, outcome)] }
        : row,
      {
        number: attempt,
        outcome,
        others: others.length,
        untried: others.filter((id) => !asked.has(id)).length,
        supportsIdempotency: recognisesRepeats(carried?.connection),
      },
      Math.random(),
    );
    const change: NotificationChange = {
      tenantId: row.tenant_id,
      id: row.id,
      attempt,
      outcome: outcome.kind,
    };
    const data: Record<string, unknown> = { attempt };
    if (carried) data.provider = carried.connection.name;
    if (outcome.kind === "sent") {
      if (outcome.providerMessageId !== null) change.providerMessageId = outcome.providerMessageId;
      if (outcome.segments !== undefined) change.segments = outcome.segments;
      const price = outcome.price
        ? { ...outcome.price, source: "reported" as const }
        : carried?.rendered.estimate;
      if (price && !row.sandbox) change.price = price;
      if (carried) change.jobs = simulatedCallbackJobs(carried.connection, carried.message, outcome);
    } else {
      const failure = {
        code: outcome.code,
        detail: outcome.detail,
        ...(outcome.providerCode === undefined ? {} : { providerCode: outcome.providerCode }),
        ...(outcome.providerMessage === undefined ? {} : { providerMessage: outcome.providerMessage }),
      };
      Object.assign(change, failure, { failure });
      data.failure = failure;
    }
    if (after.then === "sent") {
      change.to = "sent";
      change.final = after.final;
      if (!after.final)
        change.dueAt = new Date(
          Date.now() + (carried?.connection.adapter.receiptWindowMs ?? receiptWindow),
        ).toISOString();
    } else if (after.then === "failed") {
      change.to = "failed";
    } else {
      // Not later than its time is up: it then ends when it should. In doubt it waits for its receipt all the same.
      const latest = outcome.kind === "unknown" ? Infinity : row.expires_at.getTime();
      change.dueAt = new Date(Math.min(Date.now() + after.delayMs, latest)).toISOString();
      change.task = this.task;
    }
    change.data = data;
    await this.record(change);
  }

  /**
   * Writes an outcome, however long the database cannot take it: what a provider answered is not forgotten while the
   * process lives. What it will never take (a number out of range) is left out, the outcome itself is not.
   */
  private async record(outcome: NotificationChange): Promise<void> {
    let change = outcome;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        await this.results.add(change);
        return;
      } catch (error) {
        if (isDataError(error)) {
          if (change !== outcome) throw error;
          this.deps.log.error(
            { err: error, notificationId: change.id },
            "an outcome was written without its details",
          );
          change = withoutDetails(outcome);
        } else {
          this.deps.log.warn(
            { err: error, notificationId: change.id },
            "an outcome could not be written yet",
          );
          await pause(pauseMs);
        }
      }
    }
  }

  private async endUndetermined(row: DeliveryRow, detail: string): Promise<void> {
    await this.end(row, "undetermined", { code: "no_receipt", detail });
  }

  private async end(
    row: DeliveryRow,
    to: "rejected" | "undetermined",
    reason: { code: string; detail: string },
  ): Promise<void> {
    await this.results.add({ tenantId: row.tenant_id, id: row.id, to, reason, data: { reason } });
  }

  private async fail(row: DeliveryRow, failure: NonNullable<NotificationChange["failure"]>): Promise<void> {
    await this.results.add({ tenantId: row.tenant_id, id: row.id, to: "failed", failure, data: { failure } });
  }
}

/** Whether the database refuses what it was given (SQLSTATE classes 22 and 23), as opposed to not being able to take it now. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^2[23]/.test(code);
}

/** An outcome without what a provider said in its own words and numbers. */
function withoutDetails(change: NotificationChange): NotificationChange {
  const {
    providerCode: _code,
    providerMessage: _message,
    segments: _segments,
    price: _price,
    ...kept
  } = change;
  const failure = change.failure && { code: change.failure.code, detail: change.failure.detail };
  return {
    ...kept,
    ...(failure ? { failure } : {}),
    ...(change.providerMessageId === undefined
      ? {}
      : { providerMessageId: change.providerMessageId.replaceAll("\0", "").toWellFormed().slice(0, 255) }),
    data: { attempt: change.attempt, ...(failure ? { failure } : {}) },
  };
}
