import { isAllowed } from "../consent/consent-policy.ts";
import type { ConsentPolicy } from "../consent/consent-policy.ts";
import type { MessageReason } from "./notification-change.ts";

export type RefusalCode = "suppressed" | "consent_denied";

/** The sentence for a code; refusal_detail() has the same. */
export function refusalOf(code: RefusalCode): MessageReason {
  return code === "suppressed"
    ? { code, detail: "The address is on the suppression list." }
    : { code, detail: "The recipient has not consented to this class of message on this channel." };
}

/**
 * Why a message must not be sent, or null. send_refusal() applies the same rules in the database, when a message is accepted and
 * when an attempt begins.
 */
export function refusal(facts: {
  policy: ConsentPolicy;
  suppressed: boolean;
  consent: "opted_in" | "opted_out" | null;
}): MessageReason | null {
  if (facts.suppressed) return refusalOf("suppressed");
  return isAllowed(facts.policy, facts.consent) ? null : refusalOf("consent_denied");
}
