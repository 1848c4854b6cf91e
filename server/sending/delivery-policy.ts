import type { SendOutcome } from "../adapters/adapter.ts";
import type { Availability } from "../health/health-monitor.ts";
import { isFinalForConnection } from "../kernel/message-failures.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import type { Wait } from "../recipient-limits/message-limits.ts";
import { classPolicies, recognisedRetries, sandboxReceiptWait, shortestAttempt } from "./message-class.ts";
import type { MessageFailure, MessageReason, TransitionChange } from "./notification-change.ts";
import type { Delivery, DeliveryAttempt } from "./queries.ts";
import { refusalOf } from "./refusal.ts";
import type { AskedConsent, RefusalCode } from "./refusal.ts";

/** A message is given up after so many attempts, however much time is left. */
const maxAttempts = 25;

/** The next step for a message that a job names. */
export type NextStep =
  | { do: "nothing" }
  | { do: "attempt" }
  /** An attempt of a dead worker: nobody knows whether the provider has the message. */
  | { do: "recover"; attempt: number }
  | { do: "expire" }
  /** Too little time is left for another attempt: it ends when that is over, and not before. */
  | { do: "wait" }
  | { do: "end"; as: Ending };

/** How a message ends without another attempt. */
export type Ending = Pick<TransitionChange, "to" | "reason" | "failure" | "decision">;

/**
 * The connection whose provider may have the message: the one of the newest attempt with an unknown outcome, whatever came after it.
 * No other one may take it, since that one would send it a second time.
 */
export function inDoubtOver(attempts: readonly DeliveryAttempt[]): string | undefined {
  return attempts.findLast(({ outcome }) => outcome === "unknown")?.connectionId;
}

/**
 * Decides from the message alone, so that a repeated, early or late job is harmless. `attemptLives`: a process is still
 * at the open attempt. `recognised`: the connection of inDoubtOver() recognises a repetition. `inCampaign`: it is one of very many,
 * of which none is worth that somebody gets it twice.
 */
export function nextStep(
  delivery: Delivery,
  attemptLives: boolean,
  { recognised = false, inCampaign = false }: { recognised?: boolean; inCampaign?: boolean } = {},
): NextStep {
  // Also when a receipt has ended the message meanwhile: an open attempt must be closed.
  if (delivery.openAttempt !== null) {
    return attemptLives ? { do: "nothing" } : { do: "recover", attempt: delivery.openAttempt };
  }
  if (delivery.dueAt === null) return { do: "nothing" };
  // Clocks and timers differ a little: due within the second is due.
  if (delivery.dueAt.getTime() > delivery.now.getTime() + 1_000) return { do: "nothing" };
  if (delivery.status === "sent")
    return { do: "end", as: undetermined("The provider sent no receipt in time.") };
  const ofClass = inCampaign ? 0 : classPolicies[delivery.class].unknownRetries;
  const retries = recognised ? recognisedRetries : ofClass;
  if (delivery.unknownOutcomes > retries) return notRetried;
  const step = stepBeforeAttempt(delivery);
  // It may have arrived: what forbids another attempt must not claim that it did not, and a late receipt still counts.
  return step.do !== "attempt" && delivery.unknownOutcomes > 0 ? notRetried : step;
}

const undetermined = (detail: string): Ending => ({
  to: "undetermined",
  reason: { code: "no_receipt", detail },
});

/** How a message ends that is not to be sent any more: canceled, unless an attempt may have sent it. @param why of each */
export function unsent(unknownOutcomes: number, why: { canceled: string; inDoubt: string }): Ending {
  if (unknownOutcomes > 0) return undetermined(why.inDoubt);
  return { to: "canceled", reason: { code: "canceled", detail: why.canceled } };
}

/** An attempt may have succeeded: the message is left alone. */
export const inDoubt = undetermined(
  "The provider didn't confirm it, and no receipt arrived. It isn't retried, so that nobody gets it twice.",
);
const notRetried: NextStep = { do: "end", as: inDoubt };

const rejected = (reason: MessageReason): NextStep => ({ do: "end", as: { to: "rejected", reason } });

const templateDisabled: MessageReason = {
  code: "template_disabled",
  detail: "The template was switched off in this environment before the message was sent.",
};

/** The end of a message whose recipient does not want it by now, or must not get it. */
export function refused(
  { unknownOutcomes }: Pick<Delivery, "unknownOutcomes">,
  code: RefusalCode,
  asked: AskedConsent,
): Ending {
  return unknownOutcomes > 0 ? inDoubt : { to: "rejected", reason: refusalOf(code, asked) };
}

/**
 * What becomes of a message that has to wait for its recipient's sake, when so many ms are left of its time after the wait: it is put
 * off, or ends, since its time would be up by then. `spread` in [0, 1): with a minute of it, what waits for one moment is not due in one.
 */
export function putOff(
  delivery: Pick<Delivery, "unknownOutcomes" | "expiresAt">,
  wait: Wait,
  spread: number,
): { dueAt: number; reason: MessageReason } | Ending {
  const { code, detail, until } = wait;
  // It may have arrived: hours later nobody sends it again.
  if (delivery.unknownOutcomes > 0) return inDoubt;
  const left = delivery.expiresAt.getTime() - until;
  if (wait.never || left < shortestAttempt) {
    return { to: "expired", reason: { code, detail: `${detail} Its time would be up before.` } };
  }
  return { dueAt: until + Math.floor(spread * Math.min(spreadOver, left / 2)), reason: { code, detail } };
}

/** What becomes of a message whose mailboxes are held: nobody knows for how long, so it waits until its time is up, or ends. */
export function holdBack(
  delivery: Pick<Delivery, "unknownOutcomes" | "expiresAt">,
  detail: string,
): { dueAt: number; reason: MessageReason } | Ending {
  if (delivery.unknownOutcomes > 0) return inDoubt;
  return { dueAt: delivery.expiresAt.getTime(), reason: { code: "mail_hold", detail } };
}

const spreadOver = 60_000;

/** The end of a message whose recipient has had as many as they get. */
export function capped({ unknownOutcomes }: Pick<Delivery, "unknownOutcomes">, detail: string): Ending {
  return unknownOutcomes > 0 ? inDoubt : { to: "rejected", reason: { code: "frequency_cap", detail } };
}

/** The end of a message that cannot be made any more, such as for its template or an attachment. */
export function unmade(
  { unknownOutcomes }: Pick<Delivery, "unknownOutcomes">,
  failure: MessageFailure,
): Ending {
  return unknownOutcomes > 0 ? inDoubt : { to: "failed", failure };
}

/** The end of a message whose time is up. `unavailable`: why its connections cannot be asked. */
export function expired(
  delivery: Pick<Delivery, "failure">,
  unavailable: () => MessageFailure | null,
): Ending {
  return {
    to: "expired",
    reason: { code: "expired", detail: "Its time-to-live passed before it could be sent." },
    failure: delivery.failure ?? unavailable() ?? undefined,
  };
}

/** The end of a message that no connection carries, or none that has not refused it for good. */
export function withoutRoute(delivery: Pick<Delivery, "attempts" | "failure">): Ending {
  if (inDoubtOver(delivery.attempts) !== undefined) return inDoubt;
  const last = delivery.attempts.at(-1);
  if (delivery.failure && last && refusesForGood(last)) return { to: "failed", failure: delivery.failure };
  return {
    to: "failed",
    failure: {
      code: "no_route",
      detail: "No active connection supports this channel here. Check the routing rules of this environment.",
    },
  };
}

function stepBeforeAttempt(delivery: Delivery): NextStep {
  const left = delivery.expiresAt.getTime() - delivery.now.getTime();
  if (left < shortestAttempt) return { do: left > 0 ? "wait" : "expire" };
  if (delivery.attemptCount >= maxAttempts) {
    const failure = delivery.failure ?? { code: "too_many_attempts", detail: "Every attempt failed." };
    return { do: "end", as: { to: "failed", failure } };
  }
  if (delivery.templateDisabled) return rejected(templateDisabled);
  return delivery.erased ? rejected(refusalOf("suppressed")) : { do: "attempt" };
}

/** Where the next attempt goes: over a connection now, or not before `until` (ms since the epoch), or nowhere. */
export type Choice =
  { do: "use"; connectionId: string } | { do: "wait"; connectionId: string; until: number } | { do: "none" };

const refusesForGood = ({ outcome, code }: DeliveryAttempt) =>
  outcome === "not_sent" && isFinalForConnection(code);

/** The connections that would refuse the message each time. */
export function refusedForGood(attempts: readonly DeliveryAttempt[]): ReadonlySet<string> {
  return new Set(attempts.filter(refusesForGood).map(({ connectionId }) => connectionId));
}

/**
 * The connection for the next attempt: the first that can be asked and has not yet refused this message; once all have,
 * the one that did least often, and never one that refused it for good. One that asked the message to wait is asked again while the class's patience lasts.
 * After an unknown outcome, however long ago, it is the same connection or, if that is gone or refuses it, none: another provider would
 * send it a second time. No message waits for a connection that is out while another one can be asked.
 */
export function chooseConnection(
  candidates: readonly { connectionId: string }[],
  delivery: Pick<Delivery, "class" | "attempts">,
  options: { now: number; availability: (connectionId: string) => Availability },
): Choice {
  const { now, availability } = options;
  const use = (connectionId: string): Choice => {
    const { from } = availability(connectionId);
    return from > now ? { do: "wait", connectionId, until: from } : { do: "use", connectionId };
  };
  const isCandidate = (connectionId: string) =>
    candidates.some((candidate) => candidate.connectionId === connectionId);
  const refused = refusedForGood(delivery.attempts);
  const bound = inDoubtOver(delivery.attempts);
  if (bound !== undefined) return isCandidate(bound) && !refused.has(bound) ? use(bound) : { do: "none" };

  const stay = stickToConnection(delivery);
  const stays = stay !== null && stay.spent + stay.backoff <= patienceOf(delivery) ? stay.connectionId : null;
  const failures = (connectionId: string) =>
    connectionId === stays
      ? -1
      : delivery.attempts.filter(
          (attempt) => attempt.connectionId === connectionId && attempt.outcome === "not_sent",
        ).length;
  const preferred = candidates
    .filter(({ connectionId }) => !refused.has(connectionId))
    .map(({ connectionId }) => ({ connectionId, failures: failures(connectionId) }))
    .sort((a, b) => a.failures - b.failures);
  let soonest: Choice = { do: "none" };
  for (const { connectionId } of preferred) {
    const choice = use(connectionId);
    if (choice.do !== "wait") return choice;
    const spent = connectionId === stays ? (stay?.spent ?? 0) : 0;
    const first = connectionId === preferred[0]?.connectionId && !availability(connectionId).out;
    if (first && choice.until - now + spent <= patienceOf(delivery)) return choice;
    if (soonest.do !== "wait" || choice.until < soonest.until) soonest = choice;
  }
  return soonest;
}

const patienceOf = (delivery: Pick<Delivery, "class">) => classPolicies[delivery.class].providerPatience;

/** Codes of connections that work but ask to wait; after any other failure the next connection is asked at once. */
const namesRetryTime: ReadonlySet<string | null> = new Set<FailureCode>([
  "provider_rate_limited",
  "provider_deferred",
]);

/**
 * The connection that asked the message to wait in its last consecutive attempts: how long the message has been with it
 * and how long the next pause would be, ms. Null when the last attempt ended otherwise.
 */
function stickToConnection(
  delivery: Pick<Delivery, "class" | "attempts">,
): { connectionId: string; spent: number; backoff: number } | null {
  const last = delivery.attempts.at(-1);
  if (last?.outcome !== "not_sent" || !namesRetryTime.has(last.code) || last.finishedAt === null) return null;
  let attempts = 0;
  let began = last.startedAt;
  for (const attempt of delivery.attempts.toReversed()) {
    if (attempt.connectionId !== last.connectionId) break;
    attempts++;
    began = attempt.startedAt;
  }
  return {
    connectionId: last.connectionId,
    spent: Date.parse(last.finishedAt) - Date.parse(began),
    backoff: backoffOf(delivery.class, attempts),
  };
}

/** The pause after the `number`-th attempt, ms. */
function backoffOf(notificationClass: Delivery["class"], number: number): number {
  const { first, longest } = classPolicies[notificationClass].backoff;
  return Math.min(longest, first * 2 ** Math.min(number - 1, 20));
}

/** What follows from an attempt that did not send the message for certain. `inDoubt`: it ends, but an earlier one may have sent it. */
export type AfterAttempt = { then: "failed" | "inDoubt" } | { then: "again"; delayMs: number };

/**
 * `delivery` has the attempt that has just ended as the last of `attempts`. `left`: how many connections of the route
 * have not refused the message for good, this one and those that are out included; `others`: how many of them besides
 * this one could be asked now; `untried`: how many of those have not been asked yet. `random` in [0, 1) spreads retries
 * by ±20 %.
 */
export function afterAttempt(
  delivery: Pick<Delivery, "class" | "sandbox" | "attempts" | "unknownOutcomes">,
  attempt: {
    number: number;
    outcome: Exclude<SendOutcome, { kind: "sent" }>;
    left: number;
    others: number;
    untried: number;
    supportsIdempotency: boolean;
  },
  random: number,
): AfterAttempt {
  const { outcome } = attempt;
  const policy = classPolicies[delivery.class];
  const spread = 0.8 + 0.4 * random;
  if (outcome.kind === "not_sent") {
    // Where every connection has refused it for good, no pause helps.
    if (outcome.retry === "never" || attempt.left === 0)
      return { then: delivery.unknownOutcomes > 0 ? "inDoubt" : "failed" };
    const asked = outcome.retryAfterMs ?? 0;
    const stay = stickToConnection(delivery);
    if (stay && attempt.others > 0) {
      const stays = stay.spent + Math.max(stay.backoff, asked) <= policy.providerPatience;
      if (stays) return { then: "again", delayMs: Math.round(Math.max(stay.backoff * spread, asked)) };
    }
    if (attempt.untried > 0) return { then: "again", delayMs: 0 };
    const delay = backoffOf(delivery.class, attempt.number) * spread;
    return { then: "again", delayMs: Math.round(Math.max(delay, attempt.others > 0 ? 0 : asked)) };
  }
  // The provider recognises the repetition: no need to wait for a receipt first.
  if (attempt.supportsIdempotency && delivery.unknownOutcomes < recognisedRetries) {
    return { then: "again", delayMs: Math.round(policy.backoff.first * spread) };
  }
  return { then: "again", delayMs: delivery.sandbox ? sandboxReceiptWait : policy.receiptWait };
}
