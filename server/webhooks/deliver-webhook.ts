import { systemCtx } from "../access/system-ctx.ts";
import { Batcher } from "../kernel/batcher.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { counter, gauge, histogram } from "../kernel/metrics.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import type { Slot } from "../kernel/slot-gate.ts";
import { inSpan, resumeTrace } from "../kernel/tracing.ts";
import type { Span } from "../kernel/tracing.ts";
import { isSuspended } from "../tenancy/suspension.ts";
import { loadDeliveries, moveDeliveries, recordAttempts } from "./delivery-queries.ts";
import type { AttemptResult, DeliveryRef, Move, StoredDelivery } from "./delivery-queries.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { endpointGate, paceOf } from "./endpoint-gate.ts";
import { postEvent } from "./post-event.ts";
import type { PostOutcome } from "./post-event.ts";
import { nextDelay } from "./retry-schedule.ts";

/** An endpoint is switched off when all attempts of this period failed. */
const failingMs = 5 * 24 * 3_600_000;
/** A job that runs earlier than its delivery is due by more than this is not the delivery's own. */
const earlyMs = 2_000;
/** Longer than an attempt can take: when a call that left its slot is checked again. */
const leaseMs = 30_000;
const defaultDetachAfterMs = 500;
/** When a delivery of a suspended organisation is looked at again. */
const suspendedMs = 10 * 60_000;
/** How many of a runner's slots deliveries may hold while they wait for their turn, and for how long. */
const line = { maxWaiting: 16, patienceMs: 250 };
const defaultMaxOpenCalls = 1_000;

const attemptSeconds = histogram(
  "tidings_webhook_attempt_seconds",
  "Duration of webhook attempts by result",
  ["result"],
);
const delaySeconds = histogram(
  "tidings_webhook_delay_seconds",
  "From what an event tells of to the attempt that delivered it, of deliveries that needed only one",
);
const putOff = counter("tidings_webhook_put_off_total", "Deliveries put off because their endpoint was busy");
const openCalls = gauge("tidings_webhook_open_calls", "Webhook calls that are open");

export interface WebhookDelivererDeps {
  db: Db;
  outbound: OutboundClient;
  /** Replaces the database's clock, which all processes use; for tests. */
  now?: () => Date;
  /** In [0, 1): the jitter of the schedule. */
  random?: () => number;
  /** How long a call may occupy its slot, ms. */
  detachAfterMs?: number;
  /** Calls open at once in this process, including those that left their slots. */
  maxOpenCalls?: number;
}

export interface WebhookDeliverer {
  /**
   * Runs one job. Harmless when repeated: the row decides. Resolves when the attempt is recorded, or earlier when the
   * endpoint is slow: the call then continues outside the slot, and a later job exists in case this process dies.
   */
  deliver(ref: DeliveryRef): Promise<void>;
  /** Resolves when no call is open any more; for a graceful shutdown. */
  settled(): Promise<void>;
}

type Clock = () => Date;

/** The database's clock, which read `then` a moment ago. */
function clockFrom(then: Date): Clock {
  const from = performance.now();
  return () => new Date(then.getTime() + performance.now() - from);
}

type Deliverable = Parameters<typeof postEvent>[1];

function attemptSpan(delivery: Deliverable): Span | undefined {
  return resumeTrace(delivery.traceContext, {
    name: `webhook ${delivery.content.event}`,
    kind: "client",
    attributes: {
      "http.request.method": "POST",
      "tidings.tenant.id": delivery.tenantId,
      "tidings.notification.id": delivery.content.notification?.notificationId,
      "tidings.webhook.delivery.id": delivery.id,
      "tidings.webhook.endpoint.id": delivery.endpointId,
      "tidings.webhook.event": delivery.content.event,
      "tidings.attempt.number": delivery.attempts + 1,
    },
  });
}

/** Makes the deliverer of one worker process. */
export function createWebhookDeliverer(deps: WebhookDelivererDeps): WebhookDeliverer {
  const { db, outbound } = deps;
  const random = deps.random ?? Math.random;
  const detachAfterMs = deps.detachAfterMs ?? defaultDetachAfterMs;
  const gate = endpointGate({ maxOpen: deps.maxOpenCalls ?? defaultMaxOpenCalls, ...line });
  /** Deliveries whose jobs occupy a slot, and the calls that are open, by delivery. */
  const inSlot = new Map<string, Promise<undefined>>();
  const calls = new Map<string, Promise<void>>();
  /** A call to a slow endpoint does not hold its slot at all; one to an unknown endpoint gets a short time. */
  const patience = { quick: detachAfterMs, unknown: detachAfterMs / 5, slow: 0 };

  const byDelivery = (item: { id: string }) => item.id;
  const batch = { delayMs: 3, maxItems: 200 };
  const loads = new Batcher<DeliveryRef, StoredDelivery | undefined>((refs) => loadDeliveries(db, refs), {
    ...batch,
    maxParallel: 2,
  });
  /** Returns whether the endpoint has been failing for too long. */
  const results = new Batcher<AttemptResult, boolean>(
    async (items) => {
      const newest = Math.max(...items.map((item) => item.endedAt.getTime()));
      const failing = await recordAttempts(db, items, new Date(newest - failingMs));
      return items.map((item) => failing.has(item.endpointId));
    },
    { ...batch, maxParallel: 1, exclusiveKey: byDelivery },
  );
  const moves = new Batcher<Move, unknown>(
    async (items) => {
      await moveDeliveries(db, items);
      return items.map(() => undefined);
    },
    { ...batch, maxParallel: 1, exclusiveKey: byDelivery },
  );
  const move = (delivery: StoredDelivery, state: Move["state"], at: Date | null) =>
    moves.add({ tenantId: delivery.tenantId, id: delivery.id, attempts: delivery.attempts, state, at });

  async function attempt(delivery: Deliverable, now: Clock, slot: Slot): Promise<void> {
    const startedAt = now();
    const clock = performance.now();
    let outcome: PostOutcome | undefined;
    const span = attemptSpan(delivery);
    try {
      outcome = await inSpan(span, async () => {
        const posted = await postEvent(outbound, delivery, startedAt, span?.context);
        span?.set({ "http.response.status_code": posted.status ?? undefined });
        if (!posted.ok) span?.fail(posted.status === null ? "no_answer" : String(posted.status));
        return posted;
      });
    } finally {
      slot.release({ succeeded: outcome?.ok === true });
    }
    const durationMs = Math.round(performance.now() - clock);
    attemptSeconds.observe({ result: outcome.ok ? "delivered" : "failed" }, durationMs / 1_000);
    if (outcome.ok && delivery.attempts === 0) {
      delaySeconds.observe(Math.max(0, now().getTime() - delivery.content.at.getTime()) / 1_000);
    }
    const failing = await record(delivery, outcome, { startedAt, endedAt: now(), durationMs });
    const reason = outcome.status === 410 ? "gone" : failing ? "failing" : null;
    if (reason) {
      const ctx = { ...systemCtx(db, delivery.tenantId, "Webhooks"), now };
      const { endpointId, endpoint } = delivery;
      await disableEndpoint(ctx, { endpointId, url: endpoint.url, reason });
    }
  }

  function record(
    delivery: Deliverable,
    outcome: PostOutcome,
    took: { startedAt: Date; endedAt: Date; durationMs: number },
  ) {
    const delay =
      outcome.ok || outcome.status === 410
        ? null
        : nextDelay(
            delivery.endpoint.retrySchedule,
            delivery.attempts + 1 - delivery.replayedAfter,
            outcome.retryAfter,
            random(),
          );
    return results.add({
      tenantId: delivery.tenantId,
      id: delivery.id,
      endpointId: delivery.endpointId,
      ...took,
      status: outcome.status,
      error: outcome.error,
      responseBody: outcome.responseBody,
      signature: outcome.signature,
      traceparent: outcome.traceparent,
      ok: outcome.ok,
      retryAt: delay === null ? null : new Date(took.endedAt.getTime() + delay),
    });
  }

  /** Waits for the call as long as it may occupy a slot, then makes sure of the delivery and lets the slot go. */
  async function holdSlot(
    delivery: StoredDelivery,
    now: Clock,
    call: Promise<void>,
    ms: number,
  ): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<"too long">((resolve) => {
      timer = setTimeout(resolve, ms, "too long");
    });
    try {
      if ((await Promise.race([call, tooLong])) !== "too long") return;
    } finally {
      clearTimeout(timer);
    }
    call.catch((error: unknown) => {
      logger().error({ err: error, deliveryId: delivery.id }, "a webhook attempt could not be recorded");
    });
    await move(delivery, "pending", new Date(now().getTime() + leaseMs));
  }

  async function carryOut(delivery: StoredDelivery, now: Clock): Promise<void> {
    const { endpoint, content } = delivery;
    if (!endpoint?.enabled || !content) {
      await move(delivery, "discarded", null);
      return;
    }
    if (await isSuspended(db, delivery.tenantId)) {
      await move(delivery, "pending", new Date(now().getTime() + suspendedMs * (1 + random())));
      return;
    }
    const permit = await gate.acquireSoon({ id: delivery.endpointId }, Date.now());
    if (!permit.granted) {
      putOff.inc();
      await move(delivery, "pending", new Date(now().getTime() + Math.ceil(permit.retryAt) - Date.now()));
      return;
    }
    openCalls.inc();
    const call = attempt({ ...delivery, endpoint, content }, now, permit).finally(() => {
      calls.delete(delivery.id);
      openCalls.dec();
    });
    calls.set(delivery.id, call);
    await holdSlot(delivery, now, call, patience[paceOf(permit.traffic, Date.now())]);
  }

  return {
    deliver: async (ref) => {
      const { deliveryId } = ref;
      // A delivery that was put off for hardly any time may have its next job here before this one has let go of it. Were that job to
      // end for nothing, only the safety net would find the delivery again.
      for (let other = inSlot.get(deliveryId); other; other = inSlot.get(deliveryId)) await other;
      if (calls.has(deliveryId)) return;
      const { promise: done, resolve: letGo } = Promise.withResolvers<undefined>();
      inSlot.set(deliveryId, done);
      try {
        const delivery = await loads.add(ref);
        if (!delivery?.pending) return;
        const now = deps.now ?? clockFrom(delivery.now);
        // Another job exists for when it is due.
        if (delivery.nextAttemptAt && delivery.nextAttemptAt.getTime() > now().getTime() + earlyMs) return;
        await carryOut(delivery, now);
      } finally {
        inSlot.delete(deliveryId);
        letGo(undefined);
      }
    },
    settled: async () => {
      await Promise.allSettled(calls.values());
    },
  };
}
