import { systemCtx } from "../access/system-ctx.ts";
import type { OutboundMessage, SendOutcome } from "../adapters/adapter.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import { recordProviderOptOut } from "../consent/record-provider-opt-out.ts";
import { MailHolds } from "../deliverability/holds.ts";
import type { HeldBack } from "../deliverability/holds.ts";
import { countUnits } from "../costs/month-units.ts";
import { classifyOutcome } from "../health/classify-outcome.ts";
import type { HealthMonitor } from "../health/health-monitor.ts";
import { unavailableReason } from "../health/unavailable-reason.ts";
import { isWindowOpen } from "../inbound/service-window.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { inSpan, resumeTrace, startSpan } from "../kernel/tracing.ts";
import { capStanding, RecipientLimits } from "../recipient-limits/message-limits.ts";
import type { FrequencyCap, MessageLimits, Wait } from "../recipient-limits/message-limits.ts";
import { isBuiltIn } from "../templates/built-in-templates.ts";
import { isSuspended } from "../tenancy/suspension.ts";
import { attachmentBudget } from "./attachment-budget.ts";
import { claimOf, claimTookTooLong, timeLeft } from "./claim-attempt.ts";
import { conclusionOf, writeOutcome } from "./conclude-attempt.ts";
import type { EndedAttempt } from "./conclude-attempt.ts";
import type { LaneLimiter } from "./connection-limiter.ts";
import {
  capped,
  expired,
  holdBack,
  inDoubtOver,
  nextStep,
  putOff,
  refused,
  unmade,
  withoutRoute,
} from "./delivery-policy.ts";
import type { Ending, NextStep } from "./delivery-policy.ts";
import { DeliveryStore } from "./delivery-store.ts";
import type { Batching } from "./delivery-store.ts";
import { FairQueue } from "./fair-queue.ts";
import type { HeldAttempts } from "./held-attempts.ts";
import { deliveryLanes } from "./lanes.ts";
import type { DeliveryLane } from "./lanes.ts";
import { classPolicies, shortestAttempt } from "./message-class.ts";
import { availableOthers, loadMessageRoute, nextConnection, recognisesRepeats } from "./message-route.ts";
import { noteSoftBounce } from "./note-soft-bounce.ts";
import type { FailedOutcome, MessageReason } from "./notification-change.ts";
import { selectStanding } from "./notification-queries.ts";
import { attemptIsUnderWay, interrupted, outcomeOfLost } from "./open-attempt.ts";
import type { Delivery, DeliveryKey } from "./queries.ts";
import { recordDecision } from "./recorded-decision.ts";
import type { DecidedRoute } from "./recorded-decision.ts";
import type { AskedConsent, RefusalCode } from "./refusal.ts";
import { recordHardBounce } from "./record-hard-bounce.ts";
import { renderMessage } from "./render-message.ts";
import type { RenderedMessage } from "./render-message.ts";
import { reserveConnection } from "./reserve-connection.ts";
import type { Reservation } from "./reserve-connection.ts";
import { callProvider, outboundMessage } from "./send-attempt.ts";
import { SharedSpread } from "./shared-spread.ts";
import type { WaitingMessages } from "./resume-waiting.ts";

/** Dependencies of a lane's deliveries. */
export interface DeliveryDeps {
  lane: DeliveryLane;
  /** How many messages it works on at once; further ones wait, tenants taking turns. */
  places: number;
  db: Db;
  http: OutboundClient;
  log: Logger;
  limiter: LaneLimiter;
  health: HealthMonitor;
  /** Resumes messages that wait for a connection that works again. */
  waiting: Pick<WaitingMessages, "note">;
  /** The name of this process, as attempts record it. */
  worker: string;
  /** The attempts that this process holds, in all its lanes. */
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

/**
 * After a rendering that took this long the route is looked up again, ms: with the age of the rules well below two
 * seconds.
 */
const routeGoodForMs = 250;

/** After others of the same call stood in a message's way, ms: they have been counted by then. */
const roomAgainAfter = 1_000;

/**
 * Delivers notifications for one lane: each is loaded, a decision taken, a connection chosen, the message rendered, the
 * attempt claimed, the provider called and the outcome written. Loads and writes of concurrent deliveries share round
 * trips; no connection to the database is held while a provider is called.
 */
export class Deliverer {
  private readonly deps: DeliveryDeps;
  private readonly store: DeliveryStore;
  private readonly limits: RecipientLimits;
  private readonly holds: MailHolds;
  private readonly spread = new SharedSpread();
  private readonly queue: FairQueue;
  private readonly task: string;

  constructor(deps: DeliveryDeps, batching: Batching) {
    this.deps = deps;
    this.store = new DeliveryStore(deps.db, batching);
    this.limits = new RecipientLimits(deps.db, batching);
    this.holds = new MailHolds(deps.db, batching);
    this.queue = new FairQueue(deps.places);
    this.task = deliveryLanes[deps.lane].name;
  }

  /** Runs one job. Throws only when the database does not answer; the job is then retried, and skips what is done. */
  async deliver(job: { tenantId: string; notificationIds: string[] }): Promise<void> {
    const { tenantId, notificationIds } = job;
    const results = await Promise.allSettled(
      notificationIds.map((notificationId) =>
        this.queue.run(tenantId, () => this.deliverOne({ tenantId, notificationId })),
      ),
    );
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  private async deliverOne(key: DeliveryKey): Promise<void> {
    const takenAt = Date.now();
    const delivery = await this.store.load(key);
    if (!delivery) return;
    const loadedAt = performance.now();
    const span = resumeTrace(delivery.traceContext, {
      name: `process ${this.task}`,
      kind: "consumer",
      startTime: takenAt,
      attributes: {
        "messaging.system": "graphile_worker",
        "messaging.destination.name": this.task,
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.message.id": delivery.id,
        "tidings.tenant.id": delivery.tenantId,
        "tidings.environment.id": delivery.environmentId,
        "tidings.application.id": delivery.applicationId,
        "tidings.notification.id": delivery.id,
        "tidings.notification.class": delivery.class,
        "tidings.channel": delivery.channel,
        "tidings.queue.wait_ms": delivery.dueAt ? Math.max(0, takenAt - delivery.dueAt.getTime()) : undefined,
      },
    });
    await inSpan(span, () => this.carryOut(delivery, loadedAt));
  }

  private async carryOut(delivery: Delivery, loadedAt: number): Promise<void> {
    const step = await this.decide(delivery);
    switch (step.do) {
      case "nothing":
        return;
      case "recover":
        await this.recover(delivery, step.attempt);
        return;
      case "expire":
        await this.expire(delivery);
        return;
      case "wait":
        await this.reschedule(delivery, delivery.expiresAt.getTime());
        return;
      case "end":
        await this.end(delivery, step.as);
        return;
      case "attempt":
        await this.attempt(delivery, loadedAt);
    }
  }

  private async decide(delivery: Delivery): Promise<NextStep> {
    const underWay = await attemptIsUnderWay(delivery, this.deps);
    if (delivery.unknownOutcomes === 0) return nextStep(delivery, underWay);
    const connections = await tenantConnections({ db: this.deps.db, tenantId: delivery.tenantId });
    const bound = connections.get(inDoubtOver(delivery.attempts) ?? "");
    return nextStep(delivery, underWay, {
      recognised: recognisesRepeats(bound),
      inCampaign: this.deps.lane === "bulk",
    });
  }

  private async recover(delivery: Delivery, number: number): Promise<void> {
    await this.conclude(delivery, { number, outcome: outcomeOfLost(delivery, this.deps), details: null });
    this.deps.held.end(delivery.id);
  }

  private async expire(delivery: Delivery): Promise<void> {
    const held = delivery.unknownOutcomes === 0 ? await this.holdOf(delivery) : null;
    if (held) {
      const detail = `${held.detail} Its time was up before.`;
      await this.end(delivery, { to: "expired", reason: { code: "mail_hold", detail } });
      return;
    }
    const { candidates, health } = await loadMessageRoute(this.deps.db, delivery);
    await this.end(
      delivery,
      expired(delivery, () => unavailableReason(candidates, health)),
    );
  }

  private async attempt(delivery: Delivery, loadedAt: number): Promise<void> {
    const { db, held: heldAttempts } = this.deps;
    // Until its time is up, or resumeHeldMessages() fetches it back.
    if (await isSuspended(db, delivery.tenantId)) {
      await this.reschedule(delivery, delivery.expiresAt.getTime());
      return;
    }
    const held = await this.holdOf(delivery);
    if (held) {
      await this.putOff(delivery, holdBack(delivery, held.detail));
      return;
    }
    const limits = await this.limitsOf(delivery);
    if (await this.isQuiet(delivery, limits, loadedAt)) return;
    const route = await loadMessageRoute(db, delivery);
    const reserved = await reserveConnection(route, delivery, this.deps);
    if (reserved.do === "none") {
      const decision = recordDecision(route.decided, route.candidates, {
        health: route.health,
        attempts: delivery.attempts,
      });
      await this.end(delivery, { ...withoutRoute(delivery), decision });
      return;
    }
    if (reserved.do === "wait") {
      const dueAt = await this.reschedule(delivery, reserved.until);
      await Promise.all(reserved.outages.map((id) => this.recordWaiting(delivery, id, dueAt)));
      return;
    }
    const { reservation } = reserved;
    let made = true;
    try {
      made = await heldAttempts.during(delivery.id, () =>
        this.makeAttempt(reservation, delivery, { limits, loadedAt, decided: route.decided }),
      );
    } finally {
      reservation.release();
      attachmentBudget.release(delivery);
      reservation.call.end();
    }
    if (made) return;
    // This job may be the one that the other has just asked for: an attempt that failed is followed by the next at once, while what
    // the provider said is still being recorded. Were this job to end for nothing, only the safety net would find the message again.
    await heldAttempts.released(delivery.id);
    await this.deliverOne({ tenantId: delivery.tenantId, notificationId: delivery.id });
  }

  private async makeAttempt(
    reservation: Reservation,
    delivery: Delivery,
    { limits, loadedAt, decided }: { limits: MessageLimits | null; loadedAt: number; decided: DecidedRoute },
  ): Promise<void> {
    const { db, http, worker, publicUrl } = this.deps;
    const { connection, route, busyUntil: busy } = reservation;
    const renderedFrom = performance.now();
    const result = await renderMessage({ db, tenantId: delivery.tenantId }, delivery, connection, http);
    if (!result.ok) {
      if (result.retryAt !== undefined) await this.reschedule(delivery, result.retryAt);
      else await this.end(delivery, unmade(delivery, result.failure));
      return;
    }
    // Fetching attachments takes time; meanwhile the rules may have changed the route (within 2 s).
    const renderMs = performance.now() - renderedFrom;
    const sameRoute = renderMs <= routeGoodForMs || (await this.isStillRoutedOver(reservation, delivery));
    const left = timeLeft(delivery, performance.now() - loadedAt);
    if (!sameRoute || left < shortestAttempt) {
      await this.reschedule(delivery, Date.now());
      return;
    }
    if (await this.isQuiet(delivery, limits, loadedAt)) return;
    const rendered = result.message;
    const window = await this.windowOf(delivery, connection, rendered);
    const claimedFrom = performance.now();
    const cap = limits?.cap ? countedOver(connection, limits.cap) : null;
    const { health } = route;
    const decision = recordDecision(decided, route.candidates, { health, busy, attempts: delivery.attempts });
    const number = await this.store.claim(claimOf(delivery, connection, rendered, { worker, cap, decision }));
    if (typeof number !== "number") {
      await this.leaveUnclaimed(delivery, number, cap);
      return;
    }
    const message = { ...outboundMessage(delivery, number, connection, rendered, publicUrl), ...window };
    const startedAt = new Date();
    const outcome = claimTookTooLong(performance.now() - claimedFrom, left)
      ? interrupted
      : await this.send(delivery, reservation, { message, startedAt, left });
    // In doubt there is no other.
    const bound = inDoubtOver(delivery.attempts);
    const others = bound === undefined ? availableOthers(route, connection.id, this.deps.health) : [];
    const { estimate } = rendered;
    const routed = bound === undefined ? route.candidates.map(({ connectionId }) => connectionId) : [bound];
    const details = { connection, message, estimate: estimate?.estimate, startedAt, route: routed, others };
    // Else a receipt that came before the answer has priced it, and counted it.
    const priced = await this.conclude(delivery, { number, outcome, details });
    const place = { tenantId: delivery.tenantId, connectionId: connection.id };
    if (priced && estimate) countUnits(db, place, estimate, startedAt);
  }

  /**
   * Nothing limits one-time codes, what the service itself sends, and what people send to themselves. What WhatsApp counts as
   * marketing is limited as that.
   */
  private async limitsOf(delivery: Delivery): Promise<MessageLimits | null> {
    if (delivery.class === "authentication" || delivery.isTest || isBuiltIn(delivery)) return null;
    return this.limits.of({ ...delivery, class: delivery.consentClass });
  }

  /** Only marketing by e-mail is held, and as little of it as is limited. */
  private async holdOf(delivery: Delivery): Promise<HeldBack | null> {
    const { channel, consentClass: of, sandbox, isTest } = delivery;
    if (channel !== "email" || of !== "marketing" || sandbox || isTest || isBuiltIn(delivery)) return null;
    return this.holds.of(delivery);
  }

  /** What the recipient has said, for the words of a refusal. */
  private async consentOf(delivery: Delivery): Promise<AskedConsent["consent"]> {
    const { tenantId, sandbox, region, channel, recipient, consentClass } = delivery;
    const [standing] = await selectStanding({ db: this.deps.db, tenantId }, sandbox, region, [
      { channel, address: recipient, class: consentClass },
    ]);
    return standing?.consent ?? null;
  }

  /** What WhatsApp itself knows of real numbers, for the simulator that stands in for it. */
  private async windowOf(
    { tenantId, channel, sandbox, recipient: address, now: at }: Delivery,
    { id: connectionId, adapter }: Reservation["connection"],
    { outbound }: RenderedMessage,
  ): Promise<Pick<OutboundMessage, "windowOpen">> {
    if (adapter.name !== "simulator" || channel !== "whatsapp" || outbound.whatsapp) return {};
    const ctx = { db: this.deps.db, tenantId };
    return { windowOpen: await isWindowOpen(ctx, { sandbox, address, connectionId, at }) };
  }

  /** Whether the message must wait for quiet hours to end; if so, it has been put off. */
  private async isQuiet(
    delivery: Delivery,
    limits: MessageLimits | null,
    loadedAt: number,
  ): Promise<boolean> {
    const wait = limits?.quietAt(delivery.now.getTime() + performance.now() - loadedAt);
    if (!wait) return false;
    await this.wait(delivery, wait);
    return true;
  }

  /** Null: another job has the message, or it is done. */
  private async leaveUnclaimed(
    delivery: Delivery,
    why: RefusalCode | "frequency_cap" | null,
    cap: FrequencyCap | null,
  ): Promise<void> {
    if (why === null) return;
    if (why === "frequency_cap") {
      if (cap) await this.keepToCap(delivery, cap);
      return;
    }
    const { channel, consentClass } = delivery;
    const consent = why === "consent_denied" ? await this.consentOf(delivery) : null;
    await this.end(delivery, refused(delivery, why, { channel, class: consentClass, consent }));
  }

  /** The message was not claimed because its recipient has had as many as they get. */
  private async keepToCap(delivery: Delivery, cap: FrequencyCap): Promise<void> {
    const standing = await capStanding({ db: this.deps.db, tenantId: delivery.tenantId }, cap, delivery.id);
    if (standing.do === "reject") await this.end(delivery, capped(delivery, standing.detail));
    else if (standing.do === "wait") await this.wait(delivery, standing);
    else await this.reschedule(delivery, Date.now() + roomAgainAfter);
  }

  private async wait(delivery: Delivery, wait: Wait): Promise<void> {
    await this.putOff(delivery, putOff(delivery, wait, this.spread.next(delivery.tenantId)));
  }

  private async putOff(
    delivery: Delivery,
    next: { dueAt: number; reason: MessageReason } | Ending,
  ): Promise<void> {
    if ("to" in next) {
      await this.end(delivery, next);
      return;
    }
    const { tenantId, id } = delivery;
    const { reason } = next;
    const dueAt = new Date(next.dueAt);
    await this.store.write({ tenantId, id, kind: "reschedule", dueAt, task: this.task, reason });
  }

  private async isStillRoutedOver(
    { connection, busyUntil }: Reservation,
    delivery: Delivery,
  ): Promise<boolean> {
    const route = await loadMessageRoute(this.deps.db, delivery);
    const options = { busyUntil, reserved: connection.id };
    const choice = nextConnection(route, delivery, this.deps.health, options);
    return choice.do === "use" && choice.connectionId === connection.id;
  }

  /** Calls the provider. `left`: the message's remaining time to live, ms. */
  private async send(
    delivery: Delivery,
    { connection, call, release }: Reservation,
    { message, startedAt, left }: { message: OutboundMessage; startedAt: Date; left: number },
  ): Promise<SendOutcome> {
    const { http, log, held, onOutcome } = this.deps;
    const timeoutMs = Math.min(
      this.deps.attemptTimeoutMs,
      classPolicies[delivery.class].attemptTimeout,
      left,
    );
    const started = performance.now();
    held.called(delivery.id);
    const span = delivery.traceContext === null ? undefined : callSpan(connection, message);
    const outcome = await inSpan(span, async () => {
      const told = await callProvider(connection, message, { http, log, timeoutMs });
      span?.set({ "tidings.outcome": told.kind });
      if (told.kind !== "sent") span?.fail(told.code);
      return told;
    });
    const durationMs = performance.now() - started;
    // The connection is free for the next message while the outcome is being written.
    release();
    call.end({ outcome, startedAt, durationMs });
    onOutcome?.({
      adapter: connection.adapter.name,
      outcome: outcome.kind,
      code: outcome.kind === "sent" ? "" : outcome.code,
      seconds: durationMs / 1_000,
      lane: this.task,
    });
    return outcome;
  }

  /** Returns whether the attempt got its first price. */
  private async conclude(delivery: Delivery, attempt: Omit<EndedAttempt, "worker">): Promise<boolean> {
    const { worker, log } = this.deps;
    const change = conclusionOf(
      delivery,
      { ...attempt, worker },
      { task: this.task, now: new Date(), random: Math.random() },
    );
    const applied = await writeOutcome((outcome) => this.store.write(outcome), change, log);
    if (attempt.outcome.kind !== "sent" && attempt.outcome.code === "opted_out")
      await this.recordOptOut(countedOver(attempt.details?.connection, delivery));
    if (change.outcome === "not_sent") await this.followRefusal(delivery, attempt, change);
    return applied?.priced ?? false;
  }

  private async followRefusal(
    delivery: Delivery,
    attempt: Omit<EndedAttempt, "worker">,
    { next, failure }: FailedOutcome,
  ): Promise<void> {
    const { outcome, details } = attempt;
    if ("dueAt" in next) {
      if (details?.others.length === 0)
        await this.awaitRecovery(delivery, details.connection.id, outcome, next.dueAt);
      return;
    }
    const heard = countedOver(details?.connection, delivery);
    if (outcome.kind === "not_sent" && outcome.hardBounce) await this.recordHardBounce(heard);
    if (next.to === "failed")
      await this.recordBeside(delivery, "soft bounces in a row could not be counted", (ctx) =>
        noteSoftBounce(ctx, heard, failure.code),
      );
  }

  /**
   * The mail server itself refused the recipient, so that no report of a bounce will come: it counts as one, and suppresses.
   * Never in the sandbox, where no mail server is asked.
   */
  private async recordHardBounce(delivery: Delivery): Promise<void> {
    const { tenantId, id, sandbox } = delivery;
    if (sandbox) return;
    await this.recordBeside(delivery, "a hard bounce could not be recorded", async (ctx) => {
      await this.store.write({ tenantId, id, kind: "signal", signal: "bounced", permanent: true });
      await recordHardBounce(ctx, delivery);
    });
  }

  /**
   * A message whose own failure took the connection out, or ended its trial, need not sit out its pause once the connection works
   * again: the pause grows with each attempt, up to minutes.
   */
  private async awaitRecovery(
    delivery: Delivery,
    connectionId: string,
    outcome: SendOutcome,
    dueAt: Date,
  ): Promise<void> {
    const verdict = classifyOutcome(outcome);
    if (verdict !== "fault" && verdict !== "refused") return;
    await this.deps.health.recorded(connectionId);
    await this.recordWaiting(delivery, connectionId, dueAt, true);
  }

  /** The provider writes no more to somebody who told it so: nor do we. Not in the sandbox, whose scenarios can be repeated. */
  private async recordOptOut(delivery: Delivery): Promise<void> {
    const { id, sandbox, channel, recipient } = delivery;
    if (sandbox) return;
    await this.recordBeside(delivery, "a provider's opt-out could not be recorded", (ctx) =>
      inTenant(ctx, (tx) =>
        recordProviderOptOut(ctx, tx, { sandbox, channel, address: recipient, notificationId: id }),
      ),
    );
  }

  /** What a refusal says of the recipient is recorded beside the message. If that fails, the next refusal says it again. */
  private async recordBeside(
    { tenantId, id }: Delivery,
    failure: string,
    work: (ctx: Ctx) => Promise<unknown>,
  ): Promise<void> {
    const { db, log } = this.deps;
    try {
      await work(systemCtx(db, tenantId, "Delivery", id));
    } catch (error) {
      log.warn({ err: error, notificationId: id }, failure);
    }
  }

  private async end({ tenantId, id }: Delivery, ending: Ending): Promise<void> {
    await this.store.write({ tenantId, id, kind: "transition", ...ending });
  }

  /** Schedules the message for `until` (ms since the epoch), or for when its time is up. */
  private async reschedule({ tenantId, id, expiresAt }: Delivery, until: number): Promise<Date> {
    const dueAt = new Date(Math.min(until, expiresAt.getTime()));
    await this.store.write({ tenantId, id, kind: "reschedule", dueAt, task: this.task });
    return dueAt;
  }

  /** It is resumed earlier when the connection works again. */
  private recordWaiting(
    { tenantId, id }: Delivery,
    connectionId: string,
    dueAt: Date,
    whileOut = false,
  ): Promise<void> {
    const { waiting, lane } = this.deps;
    return waiting.note({ tenantId, connectionId, notificationId: id, lane, dueAt, whileOut });
  }
}

/** A provider gets no `traceparent`: it is another company's system, and what traces exist here is not its concern. */
function callSpan(connection: Reservation["connection"], message: OutboundMessage) {
  return startSpan({
    name: `send ${connection.adapter.name}`,
    kind: "client",
    attributes: {
      "tidings.provider": connection.adapter.name,
      "tidings.connection.id": connection.id,
      "tidings.notification.id": message.notificationId,
      "tidings.attempt.number": message.attempt,
      "tidings.channel": message.channel,
    },
  });
}

/**
 * A message or a cap as it counts over a connection: a simulator reaches nobody, in whatever environment, and no recipient has said
 * what it says.
 */
function countedOver<Counted extends { sandbox: boolean }>(
  connection: Reservation["connection"] | undefined,
  counted: Counted,
): Counted {
  return connection?.adapter.name === "simulator" ? { ...counted, sandbox: true } : counted;
}
