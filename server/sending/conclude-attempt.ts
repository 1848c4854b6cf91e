import { setTimeout as pause } from "node:timers/promises";
import type { OutboundMessage, SendOutcome } from "../adapters/adapter.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Estimate } from "../costs/estimate-cost.ts";
import type { Logger } from "../kernel/log.ts";
import { afterAttempt, inDoubt, refusedForGood } from "./delivery-policy.ts";
import { receiptWindow } from "./message-class.ts";
import { recognisesRepeats } from "./message-route.ts";
import type { NotificationTarget, OutcomeChange } from "./notification-change.ts";
import type { Delivery } from "./queries.ts";
import { simulatedCallbackJobs } from "./simulated-callbacks.ts";

/** A finished attempt. */
export interface EndedAttempt {
  number: number;
  worker: string;
  outcome: SendOutcome;
  /** Null when another process or an earlier job made it: no more is known of it. */
  details: {
    connection: ProviderConnection;
    message: OutboundMessage;
    estimate: Estimate | undefined;
    startedAt: Date;
    /** The connections of its route, whether they can be asked now or not. */
    route: readonly string[];
    /** Those of them, other than this one, that could be asked now. */
    others: readonly string[];
  } | null;
}

/**
 * The change that ends an attempt: its outcome, and when the message is due again, for a job of `task`. `random` in [0,
 * 1) spreads retries.
 */
export function conclusionOf(
  delivery: Pick<
    Delivery,
    "tenantId" | "id" | "class" | "sandbox" | "attempts" | "unknownOutcomes" | "expiresAt"
  >,
  { number, worker, outcome, details }: EndedAttempt,
  { task, now, random }: { task: string; now: Date; random: number },
): NotificationTarget & OutcomeChange {
  const { tenantId, id } = delivery;
  const base = {
    tenantId,
    id,
    kind: "outcome" as const,
    attempt: number,
    provider: details?.connection.name,
  };
  if (outcome.kind === "sent") {
    const { final, providerMessageId, segments } = outcome;
    const estimate = details?.estimate;
    const price = outcome.price
      ? { ...outcome.price, source: "reported" as const, countedAs: estimate?.countedAs }
      : estimate;
    const window = details?.connection.adapter.receiptWindowMs ?? receiptWindow;
    return {
      ...base,
      outcome: "sent",
      final,
      dueAt: final ? undefined : new Date(now.getTime() + window),
      providerMessageId,
      segments,
      price: delivery.sandbox ? undefined : price,
      jobs: details ? simulatedCallbackJobs(details.connection, details.message, outcome) : [],
    };
  }
  const { kind, code, detail, providerCode, providerMessage } = outcome;
  const asked = new Set(delivery.attempts.map((attempt) => attempt.connectionId));
  const ended = details && {
    number,
    connectionId: details.connection.id,
    worker,
    outcome: kind,
    code,
    startedAt: details.startedAt.toISOString(),
    finishedAt: now.toISOString(),
  };
  const attempts = ended ? [...delivery.attempts, ended] : delivery.attempts;
  const refused = refusedForGood(attempts);
  const others = (details?.others ?? []).filter((connectionId) => !refused.has(connectionId));
  const after = afterAttempt(
    { ...delivery, attempts },
    {
      number,
      outcome,
      // Of an attempt of another process the route is not known: the next one decides.
      left: details
        ? details.route.filter((connectionId) => !refused.has(connectionId)).length
        : Number.POSITIVE_INFINITY,
      others: others.length,
      untried: others.filter((connectionId) => !asked.has(connectionId)).length,
      supportsIdempotency: recognisesRepeats(details?.connection),
    },
    random,
  );
  // At the latest when its time is up, so that it ends then. In doubt it still waits for its receipt.
  const latest = kind === "unknown" ? Infinity : delivery.expiresAt.getTime();
  return {
    ...base,
    outcome: kind,
    failure: { code, detail, providerCode, providerMessage },
    next:
      after.then === "again"
        ? { dueAt: new Date(Math.min(now.getTime() + after.delayMs, latest)), task }
        : after.then === "failed"
          ? { to: "failed" }
          : { to: "undetermined", reason: inDoubt.reason },
  };
}

/**
 * Writes an outcome, retrying as long as the database is unavailable: a provider's answer is not lost while the process
 * lives. Details that the database rejects (a number out of range) are left out, the outcome itself is not.
 */
export async function writeOutcome<T>(
  write: (change: NotificationTarget & OutcomeChange) => Promise<T>,
  outcome: NotificationTarget & OutcomeChange,
  log: Logger,
): Promise<T> {
  let change = outcome;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await write(change);
    } catch (error) {
      if (isDataError(error)) {
        if (change !== outcome) throw error;
        log.error({ err: error, notificationId: change.id }, "an outcome was written without its details");
        change = withoutDetails(outcome);
      } else {
        log.warn({ err: error, notificationId: change.id }, "an outcome could not be written yet");
        await pause(pauseMs);
      }
    }
  }
}

/** Whether the database rejects the values (SQLSTATE classes 22 and 23), as opposed to being unavailable. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^2[23]/.test(code);
}

/** An outcome without what a provider said in its own words and numbers. */
function withoutDetails(change: NotificationTarget & OutcomeChange): NotificationTarget & OutcomeChange {
  const { tenantId, id, kind, attempt } = change;
  const base = { tenantId, id, kind, attempt };
  if (change.outcome === "sent") {
    const { outcome, final, dueAt, jobs } = change;
    const providerMessageId = change.providerMessageId?.replaceAll("\0", "").toWellFormed().slice(0, 255);
    return { ...base, outcome, final, dueAt, providerMessageId, jobs };
  }
  const { outcome, next, failure } = change;
  return { ...base, outcome, next, failure: { code: failure.code, detail: failure.detail } };
}
