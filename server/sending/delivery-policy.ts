import { consentPolicy, testPolicy } from "../consent/consent-policy.ts";
import type { SendOutcome } from "../providers/adapters/adapter.ts";
import { classPolicies, sandboxReceiptWait } from "./message-class.ts";
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
 * attempt is still running.
 */
export function nextStep(row: DeliveryRow, attemptLives: boolean): NextStep {
  // Also when a receipt has ended the message meanwhile: an attempt is not under way forever.
  if (row.open_attempt !== null) {
    return attemptLives ? { do: "nothing" } : { do: "recover", attempt: row.open_attempt };
  }
  if (row.due_at === null) return { do: "nothing" };
  // Clocks and timers may differ by a little; what is due within the second is due.
  if (row.due_at.getTime() > row.now.getTime() + 1_000) return { do: "nothing" };
  if (row.status === "sent") return { do: "undetermined", detail: "The provider sent no receipt in time." };
  const unsure = row.tried?.at(-1)?.outcome === "unknown";
  if (unsure && row.unknown_outcomes > classPolicies[row.class].unknownRetries) return notTriedAgain;
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
  if (row.expires_at <= row.now) return { do: "expire" };
  if (row.attempts >= maxAttempts) return { do: "give_up" };
  if (row.template_disabled) return { do: "reject", reason: templateDisabled };
  const policy = consentPolicy(row.settings, row);
  const reason = refusal({
    policy: row.is_test ? testPolicy(policy) : policy,
    suppressed: row.suppressed,
    consent: row.consent,
  });
  return reason ? { do: "reject", reason } : { do: "attempt" };
}

/**
 * The connection for the next attempt: the first that has not yet refused this message; once all have, the one that did
 * least often. After an unknown outcome the same connection again or, if it is gone, none: no silent failover (DECISIONS §4).
 */
export function chooseConnection(
  candidates: readonly { connectionId: string }[],
  tried: DeliveryRow["tried"],
): string | null {
  const last = tried?.at(-1);
  if (last?.outcome === "unknown") {
    return candidates.some((candidate) => candidate.connectionId === last.connectionId)
      ? last.connectionId
      : null;
  }
  const failures = (connectionId: string) =>
    tried?.filter((attempt) => attempt.connectionId === connectionId && attempt.outcome === "not_sent")
      .length ?? 0;
  let best: { connectionId: string; failures: number } | null = null;
  for (const { connectionId } of candidates) {
    const count = failures(connectionId);
    if (!best || count < best.failures) best = { connectionId, failures: count };
  }
  return best?.connectionId ?? null;
}

/** What follows from an attempt's outcome. */
export type AfterAttempt =
  { then: "sent"; final: boolean } | { then: "failed" } | { then: "again"; delayMs: number };

/** `untried`: candidates that have not been asked yet. `random` in [0, 1) spreads retries by ±20 %. */
export function afterAttempt(
  row: Pick<DeliveryRow, "class" | "sandbox">,
  attempt: { number: number; outcome: SendOutcome; untried: number; supportsIdempotency: boolean },
  random: number,
): AfterAttempt {
  const { outcome } = attempt;
  const policy = classPolicies[row.class];
  if (outcome.kind === "sent") return { then: "sent", final: outcome.final };
  if (outcome.kind === "not_sent") {
    if (outcome.retry === "never") return { then: "failed" };
    if (attempt.untried > 0) return { then: "again", delayMs: 0 };
    const backoff = Math.min(
      policy.backoff.longest,
      policy.backoff.first * 2 ** Math.min(attempt.number - 1, 20),
    );
    const delay = backoff * (0.8 + 0.4 * random);
    return { then: "again", delayMs: Math.round(Math.max(delay, outcome.retryAfterMs ?? 0)) };
  }
  // The provider recognises the repetition: no need to wait for a receipt first.
  if (attempt.supportsIdempotency) {
    return { then: "again", delayMs: Math.round(policy.backoff.first * (0.8 + 0.4 * random)) };
  }
  return { then: "again", delayMs: row.sandbox ? sandboxReceiptWait : policy.receiptWait };
}
