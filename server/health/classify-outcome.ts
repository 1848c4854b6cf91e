import type { SendOutcome } from "../adapters/adapter.ts";
import type { FailureCode } from "../kernel/message-failures.ts";

/**
 * What a call's outcome says about the connection:
 *   `works`    the provider does its work, also when it refuses a recipient or a content
 *   `fault`    the provider's own failure: not reachable, no answer, an answer nobody can read
 *   `refused`  it does not accept the credentials, or asks for some: nothing will get through until somebody changes them
 *   `busy`     it asks to slow down
 *   `nothing`  nothing either way, such as a sender or a country that it does not serve, or that it knows a repeated message
 *   `unasked`  it was not called, because the connection cannot carry the message
 */
export type Verdict = "works" | "fault" | "refused" | "busy" | "nothing" | "unasked";

/**
 * Codes of the provider's own failures before a message was handed over. An unknown outcome counts as one, unless the provider
 * says that it knows the message: only the call before that one failed.
 */
const faults = new Set<FailureCode>([
  "provider_unavailable",
  "provider_tls_failed",
  "provider_timeout",
  "provider_error",
  "provider_connection_lost",
  "provider_answer_unreadable",
  "provider_blocked",
]);

export function classifyOutcome(outcome: SendOutcome): Verdict {
  if (outcome.kind === "sent") return "works";
  if (outcome.kind === "unknown") return outcome.code === "provider_repetition" ? "nothing" : "fault";
  if (outcome.code === "provider_credentials" || outcome.code === "provider_login_required") return "refused";
  if (outcome.unasked) return "unasked";
  if (outcome.code === "provider_rate_limited") return "busy";
  if (faults.has(outcome.code)) return "fault";
  return outcome.retry === "never" ? "works" : "nothing";
}
