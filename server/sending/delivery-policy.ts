import type { SendOutcome } from "../adapters/adapter.ts";
import { consentPolicy, testPolicy } from "../consent/consent-policy.ts";
import type { Availability } from "../health/health-monitor.ts";
import { readTenantSettings } from "../tenancy/settings.ts";
import { classPolicies, recognisedRetries, sandboxReceiptWait, shortestAttempt } from "./message-class.ts";
import type { DeliveryRow } from "./queries.ts";
import { refusal } from "./refusal.ts";

/** After so many attempts a message is given up, however much time is left. */
const maxAttempts = 25;

/** What a worker is to do with a delivery that it was woken for. */
export type NextStep =
  | { do: "nothing" }
  | { do: "attempt" }
  /** An attempt of a worker that died: nobody knows whether the provider has the message. */
  | { do: "recover"; attempt: number }
  | { do: "expire" }
  | { do: "give_up" }
  | { do: "undetermined"; detail: string }
  | { do: "reject"; reason: { code: string; detail: string } };

/**
 * Decides from the row alone, so that a repeated, early or late job is harmless. `attemptLives`: the worker of the open
 * attempt is still running. `recognised`: the connection of the last attempt recognises a repetition.
 */
export function nextStep(row: DeliveryRow, attemptLives: boolean, recognised = false): NextStep {
  // Also when a receipt has ended the message meanwhile: an attempt is not under way forever.
  if (row.open_attempt !== null) {
    return attemptLives ? { do: "nothing" } : { do: "recover", attempt: row.open_attempt };
  }
  if (row.due_at === null) return { do: "nothing" };
  // Clocks and timers may differ by a little; what is due within the second is due.
  if (row.due_at.getTime() > row.now.getTime() + 1_000) return { do: "nothing" };
  if (row.status === "sent") return { do: "undetermined", detail: "The provider sent no receipt in time." };
  const unsure = row.tried?.at(-1)?.outcome === "unknown";
  const retries = recognised ? recognisedRetries : classPolicies[row.class].unknownRetries;
  if (unsure && row.unknown_outcomes > retries) return notTriedAgain;
  const step = stepBeforeAttempt(row);
  // It may have arrived: whatever forbids another attempt must not say that it did not, and a late receipt still counts.
  return step.do !== "attempt" && row.unknown_outcomes > 0 ? notTriedAgain : step;
}

/** Why a message whose last attempt may have succeeded is left alone. */
export const inDoubt =
  "The provider may or may not have sent it, and no receipt came. It is not tried again, so that nobody gets it twice.";
const notTriedAgain: NextStep = { do: "undetermined", detail: inDoubt };

const templateDisabled = {
  code: "template_disabled",
  detail: "The template was switched off in this environment before the message was sent.",
};

function stepBeforeAttempt(row: DeliveryRow): NextStep {
  if (row.expires_at.getTime() - row.now.getTime() < shortestAttempt) return { do: "expire" };
  if (row.attempts >= maxAttempts) return { do: "give_up" };
  if (row.template_disabled) return { do: "reject", reason: templateDisabled };
  const policy = consentPolicy(readTenantSettings(row.settings), row);
  const reason = refusal({
    policy: row.is_test ? testPolicy(policy) : policy,
    suppressed: row.suppressed,
    consent: row.consent,
  });
  return reason ? { do: "reject", reason } : { do: "attempt" };
}

/** Where the next attempt goes: over a connection now, or not before `until` (ms since the epoch), or nowhere. */
export type Choice =
  { do: "use"; connectionId: string } | { do: "wait"; connectionId: string; until: number } | { do: "none" };

/**
 * The connection for the next attempt: the first that can be asked and has not yet refused this message; once all have, the
 * one that did least often. One that asked the message to wait is asked again while the class's patience lasts. After an
 * unknown outcome the same connection again or, if it is gone, none: another provider would send it a second time. Nobody
 * waits for a connection that is out while another one can be asked.
 */
export function chooseConnection(
  candidates: readonly { connectionId: string }[],
  row: Pick<DeliveryRow, "class" | "tried">,
  options: { now: number; availability: (connectionId: string) => Availability },
): Choice {
  const { now, availability } = options;
  const use = (connectionId: string): Choice => {
    const { from } = availability(connectionId);
    return from > now ? { do: "wait", connectionId, until: from } : { do: "use", connectionId };
  };
  const isCandidate = (connectionId: string) =>
    candidates.some((candidate) => candidate.connectionId === connectionId);
  const last = row.tried?.at(-1);
  if (last?.outcome === "unknown")
    return isCandidate(last.connectionId) ? use(last.connectionId) : { do: "none" };

  const stay = stayOf(row);
  const stays = stay !== null && stay.spent + stay.backoff <= patienceOf(row) ? stay.connectionId : null;
  const failures = (connectionId: string) =>
    connectionId === stays
      ? -1
      : (row.tried?.filter(
          (attempt) => attempt.connectionId === connectionId && attempt.outcome === "not_sent",
        ).length ?? 0);
  const preferred = candidates
    .map(({ connectionId }) => ({ connectionId, failures: failures(connectionId) }))
    .sort((a, b) => a.failures - b.failures);
  let soonest: Choice = { do: "none" };
  for (const { connectionId } of preferred) {
    const choice = use(connectionId);
    if (choice.do !== "wait") return choice;
    const spent = connectionId === stays ? (stay?.spent ?? 0) : 0;
    const first = connectionId === preferred[0]?.connectionId && !availability(connectionId).out;
    if (first && choice.until - now + spent <= patienceOf(row)) return choice;
    if (soonest.do !== "wait" || choice.until < soonest.until) soonest = choice;
  }
  return soonest;
}

const patienceOf = (row: Pick<DeliveryRow, "class">) => classPolicies[row.class].providerPatience;

/** Codes of connections that work but ask to wait; all others that did not send are left at once. */
const asksToWait = new Set(["provider_rate_limited", "provider_deferred"]);

/**
 * The connection that the last attempts, in a row, were asked to wait by: how long the message has been with it and how
 * long its next pause would be, ms. Null when the last attempt ended otherwise.
 */
function stayOf(
  row: Pick<DeliveryRow, "class" | "tried">,
): { connectionId: string; spent: number; backoff: number } | null {
  const last = row.tried?.at(-1);
  if (last?.outcome !== "not_sent" || !asksToWait.has(last.code ?? "") || last.finishedAt === null)
    return null;
  let attempts = 0;
  let began = last.startedAt;
  for (const attempt of row.tried?.toReversed() ?? []) {
    if (attempt.connectionId !== last.connectionId) break;
    attempts++;
    began = attempt.startedAt;
  }
  return {
    connectionId: last.connectionId,
    spent: Date.parse(last.finishedAt) - Date.parse(began),
    backoff: backoffOf(row.class, attempts),
  };
}

/** The pause after the `number`-th attempt, ms. */
function backoffOf(notificationClass: DeliveryRow["class"], number: number): number {
  const { first, longest } = classPolicies[notificationClass].backoff;
  return Math.min(longest, first * 2 ** Math.min(number - 1, 20));
}

/** What follows from an attempt's outcome. */
export type AfterAttempt =
  { then: "sent"; final: boolean } | { then: "failed" } | { then: "again"; delayMs: number };

/**
 * `row` with the attempt that has just ended as the last of `tried`. `others`: further connections that could be asked now,
 * `untried`: how many of them have not been asked yet. `random` in [0, 1) spreads retries by ±20 %.
 */
export function afterAttempt(
  row: Pick<DeliveryRow, "class" | "sandbox" | "tried" | "unknown_outcomes">,
  attempt: {
    number: number;
    outcome: SendOutcome;
    others: number;
    untried: number;
    supportsIdempotency: boolean;
  },
  random: number,
): AfterAttempt {
  const { outcome } = attempt;
  const policy = classPolicies[row.class];
  const spread = 0.8 + 0.4 * random;
  if (outcome.kind === "sent") return { then: "sent", final: outcome.final };
  if (outcome.kind === "not_sent") {
    if (outcome.retry === "never") return { then: "failed" };
    const asked = outcome.retryAfterMs ?? 0;
    const stay = stayOf(row);
    if (stay && attempt.others > 0) {
      const stays = stay.spent + Math.max(stay.backoff, asked) <= policy.providerPatience;
      if (stays) return { then: "again", delayMs: Math.round(Math.max(stay.backoff * spread, asked)) };
    }
    if (attempt.untried > 0) return { then: "again", delayMs: 0 };
    const delay = backoffOf(row.class, attempt.number) * spread;
    return { then: "again", delayMs: Math.round(Math.max(delay, attempt.others > 0 ? 0 : asked)) };
  }
  // The provider recognises the repetition: no need to wait for a receipt first.
  if (attempt.supportsIdempotency && row.unknown_outcomes < recognisedRetries) {
    return { then: "again", delayMs: Math.round(policy.backoff.first * spread) };
  }
  return { then: "again", delayMs: row.sandbox ? sandboxReceiptWait : policy.receiptWait };
}
