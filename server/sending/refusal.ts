import { isAllowed } from "../consent/consent-policy.ts";
import type { ConsentPolicy } from "../consent/consent-policy.ts";
import type { Channel } from "../kernel/channel.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import type { MessageReason } from "./notification-change.ts";

export type RefusalCode = "suppressed" | "consent_denied";

/** What consent was asked about, and what the recipient has said; null: nothing. */
export interface AskedConsent {
  channel: Channel;
  class: NotificationClass;
  consent: "opted_in" | "opted_out" | null;
}

const classWords: Record<NotificationClass, string> = {
  marketing: "marketing messages",
  service: "service messages",
  transactional: "transactional messages",
  authentication: "one-time codes",
};
const channelWords: Record<Channel, string> = { sms: "SMS", email: "e-mail", whatsapp: "WhatsApp" };

/** The sentence for a code; refusal_detail() has the same. Who said no is told apart from who never said yes. */
export function refusalOf(code: "suppressed"): MessageReason;
export function refusalOf(code: RefusalCode, asked: AskedConsent): MessageReason;
export function refusalOf(code: RefusalCode, asked?: AskedConsent): MessageReason {
  if (code === "suppressed" || !asked) return { code, detail: "The address is on the suppression list." };
  const { channel, consent } = asked;
  const what = `${classWords[asked.class]} by ${channelWords[channel]}`;
  // Nobody is asked to agree to codes.
  const ask = (text: string) => (asked.class === "authentication" ? "" : `, or ${text}`);
  if (consent === "opted_out") {
    const again =
      channel === "email" ? "on the page behind the unsubscribe link of a mail" : "by writing START";
    return {
      code,
      detail: `The recipient has opted out of ${what}. They can opt in again ${again}${ask("by agreeing when you ask them (POST /v1/consents/confirmations)")}.`,
    };
  }
  return {
    code,
    detail: `The recipient has never opted in to ${what}, which need that. Record their opt-in (POST /v1/consents)${ask("ask them for it (POST /v1/consents/confirmations)")}.`,
  };
}

/**
 * Why a message must not be sent, or null. send_refusal() applies the same rules in the database, when a message is accepted and
 * when an attempt begins.
 */
export function refusal(
  facts: { policy: ConsentPolicy; suppressed: boolean } & AskedConsent,
): MessageReason | null {
  if (facts.suppressed) return refusalOf("suppressed");
  return isAllowed(facts.policy, facts.consent) ? null : refusalOf("consent_denied", facts);
}
