import type { ConsentPolicy } from "../consent/consent-policy.ts";
import type { MessageReason } from "./notification-change.ts";

/** Why a message must not be sent, or null. send_refusal() applies the same rules in the database when accepting. */
export function refusal(facts: {
  policy: ConsentPolicy;
  suppressed: boolean;
  consent: "opted_in" | "opted_out" | null;
}): MessageReason | null {
  if (facts.suppressed) return { code: "suppressed", detail: "The address is on the suppression list." };
  if (
    (facts.policy === "opt_in_required" && facts.consent !== "opted_in") ||
    (facts.policy === "opt_out" && facts.consent === "opted_out")
  ) {
    return {
      code: "consent_denied",
      detail: "The recipient has not consented to this class of message on this channel.",
    };
  }
  return null;
}
