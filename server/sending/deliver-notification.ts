import { Batcher } from "../kernel/batcher.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import type { OutboundMessage, SendOutcome } from "../providers/adapters/adapter.ts";
import { simulatedCallbackJobs } from "./simulated-callbacks.ts";
import { tenantConnections } from "../providers/load-connection.ts";
import type { ProviderConnection } from "../providers/load-connection.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { afterAttempt, chooseConnection, inDoubt, nextStep } from "./delivery-policy.ts";
import type { LaneLimiter } from "./connection-limiter.ts";
import { classPolicies, receiptWindow } from "./message-class.ts";
import { callAdvance, selectDeliveries } from "./queries.ts";
import type { AppliedChange, DeliveryRow, NotificationChange } from "./queries.ts";
import { renderMessage } from "./render-message.ts";
import type { RenderedMessage } from "./render-message.ts";
import { routeFacts, routeMessage } from "./route-message.ts";

/** How a lane's deliveries share round trips; see Batcher. `maxParallel`: 2 unless told. */
export interface Batching {
  delayMs: number;
  maxItems: number;
  maxParallel?: number;
}

/** What a lane's deliveries work with. */
export interface DeliveryDeps {
  db: Db;
  http: OutboundClient;
  log: Logger;
  limiter: LaneLimiter;
  /** This process, as attempts name it. */
  worker: string;
  isAlive: (worker: string) => Promise<boolean>;
  /** Base URL of the public callback route. */
  publicUrl: string;
  /** The longest that one call to a provider may take, ms. */
  attemptTimeoutMs: number;
  onOutcome?: (facts: {
    adapter: string;
    outcome: string;
    code: string;
    seconds: number;
    lane: string;
  }) => void;
}

/**
 * Delivers notifications for one lane. Loads and writes of concurrent deliveries share round trips; no connection to the
 * database is held while a provider is called.
 */
export class Deliverer {
  private readonly deps: DeliveryDeps;
  private readonly loads: Batcher<{ tenantId: string; notificationId: string }, DeliveryRow | null>;
  private readonly claims: Batcher<NotificationChange, AppliedChange | null>;
  private readonly results: Batcher<NotificationChange, AppliedChange | null>;

  constructor(deps: DeliveryDeps, batching: Batching) {
    this.deps = deps;
    const options = { maxParallel: 2, ...batching };
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
    this.claims = new Batcher(advance, { ...options, exclusiveKey });
    this.results = new Batcher(advance, { ...options, exclusiveKey });
  }

  /** Carries out what one job asks for. Throws only when the database does not answer; the job is then run again. */
  async deliver(payload: { tenantId: string; notificationId: string }): Promise<void> {
    const row = await this.loads.add(payload);
    if (!row) return;
    const opener = row.open_attempt === null ? undefined : row.tried?.at(-1)?.worker;
    const step = nextStep(row, opener !== undefined && (await this.deps.isAlive(opener)));
    const key = { tenantId: row.tenant_id, id: row.id };
    switch (step.do) {
      case "nothing":
        return;
      case "recover":
        await this.finish(row, null, step.attempt, {
          kind: "unknown",
          code: "worker_lost",
          detail: "The process that was sending it ended before the provider's answer was recorded.",
        });
        return;
      case "expire":
        await this.results.add({
          ...key,
          to: "expired",
          reason: { code: "expired", detail: "Its time-to-live passed before it could be sent." },
          ...(row.failure ? { failure: row.failure } : {}),
          data: {
            reason: { code: "expired", detail: "Its time-to-live passed before it could be sent." },
            ...(row.failure ? { failure: row.failure } : {}),
          },
        });
        return;
      case "give_up":
        await this.fail(row, row.failure ?? { code: "too_many_attempts", detail: "Every attempt failed." });
        return;
      case "undetermined":
        await this.endUndetermined(row, step.detail);
        return;
      case "reject":
        await this.results.add({
          ...key,
          to: "rejected",
          reason: step.reason,
          data: { reason: step.reason },
        });
        return;
      case "attempt":
        await this.attempt(row);
    }
  }

  private async attempt(row: DeliveryRow): Promise<void> {
    const ctx = { db: this.deps.db, tenantId: row.tenant_id };
    const [rules, connections] = await Promise.all([
      environmentRules(ctx, row.environment_id),
      tenantConnections(ctx),
    ]);
    const route = routeMessage(rules, connections, {
      facts: routeFacts(row),
      sandbox: row.sandbox,
      spread: spreadOf(row.id),
      tenant: { dataRegion: row.data_region, settings: row.settings },
    });
    const connectionId = chooseConnection(route.candidates, row.tried);
    const connection = connectionId === null ? undefined : connections.get(connectionId);
    if (!connection) {
      if (row.tried?.at(-1)?.outcome === "unknown") {
        await this.endUndetermined(row, inDoubt);
        return;
      }
      await this.fail(row, {
        code: "no_route",
        detail:
          "No enabled provider connection carries this channel here. Check the routing rules of this environment.",
      });
      return;
    }
    const permit = await this.deps.limiter.acquireSoon(connection, Date.now());
    if (!permit.granted) {
      const policy = classPolicies[row.class];
      await this.results.add({
        tenantId: row.tenant_id,
        id: row.id,
        dueAt: new Date(permit.retryAt).toISOString(),
        task: policy.task,
        priority: policy.priority,
      });
      return;
    }
    try {
      await this.attemptOver(row, connection, route.candidates.length, () => permit.release());
    } finally {
      permit.release();
    }
  }

  private async attemptOver(
    row: DeliveryRow,
    connection: ProviderConnection,
    candidates: number,
    answered: () => void,
  ): Promise<void> {
    const rendered = await renderMessage(
      { db: this.deps.db, tenantId: row.tenant_id },
      row,
      connection,
      this.deps.http,
    );
    if (!rendered.ok) {
      await this.fail(row, rendered.failure);
      return;
    }
    const claimed = await this.claims.add({
      tenantId: row.tenant_id,
      id: row.id,
      claim: true,
      to: "sending",
      worker: this.deps.worker,
      connectionId: connection.id,
      provider: connection.name,
      ...(rendered.message.segments === null ? {} : { segments: rendered.message.segments }),
      data: { provider: connection.name },
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
      idempotencyKey: row.id,
      expiresAt: row.expires_at,
      callbackUrl: `${this.deps.publicUrl}/api/callbacks/${connection.id}`,
    };
    const started = performance.now();
    const outcome = await this.call(connection, message);
    // The provider is free for the next one while the outcome is being written.
    answered();
    this.deps.onOutcome?.({
      adapter: connection.adapter.name,
      outcome: outcome.kind,
      code: outcome.kind === "sent" ? "" : outcome.code,
      seconds: (performance.now() - started) / 1_000,
      lane: classPolicies[row.class].task,
    });
    await this.finish(row, { connection, rendered: rendered.message, message, candidates }, number, outcome);
  }

  private async call(connection: ProviderConnection, message: OutboundMessage): Promise<SendOutcome> {
    try {
      return await connection.adapter.send(connection.connection, message, {
        http: this.deps.http,
        timeoutMs: this.deps.attemptTimeoutMs,
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
      candidates: number;
    } | null,
    attempt: number,
    outcome: SendOutcome,
  ): Promise<void> {
    const policy = classPolicies[row.class];
    const asked = new Set(row.tried?.map((entry) => entry.connectionId));
    if (carried) asked.add(carried.connection.id);
    const after = afterAttempt(
      row,
      {
        number: attempt,
        outcome,
        untried: Math.max(0, (carried?.candidates ?? 0) - asked.size),
        supportsIdempotency: carried?.connection.adapter.supportsIdempotency ?? false,
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
      change.dueAt = new Date(Date.now() + after.delayMs).toISOString();
      change.task = policy.task;
      change.priority = policy.priority;
    }
    change.data = data;
    await this.results.add(change);
  }

  private async endUndetermined(row: DeliveryRow, detail: string): Promise<void> {
    const reason = { code: "no_receipt", detail };
    await this.results.add({
      tenantId: row.tenant_id,
      id: row.id,
      to: "undetermined",
      reason,
      data: { reason },
    });
  }

  private async fail(row: DeliveryRow, failure: NonNullable<NotificationChange["failure"]>): Promise<void> {
    await this.results.add({ tenantId: row.tenant_id, id: row.id, to: "failed", failure, data: { failure } });
  }
}

/** A number in [0, 1) that is the message's own: its random bits. */
function spreadOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) / 0x1_0000_0000;
}
