/** What messaging providers refuse, in our words: the values of the adapters' tables of error codes. */
import type { Receipt } from "./adapter.ts";
import type { KnownFailure } from "./http-call.ts";
import { providerText } from "./provider-text.ts";

export const invalidRecipient: KnownFailure = {
  code: "invalid_recipient",
  retry: "never",
  detail: "The number does not exist or cannot receive this kind of message",
};
export const optedOut: KnownFailure = {
  code: "opted_out",
  retry: "never",
  detail: "The recipient has opted out of this sender's messages",
};
export const recipientBlocked: KnownFailure = {
  code: "recipient_blocked",
  retry: "never",
  detail: "The recipient or the carrier blocks this message",
};
export const recipientUnreachable: KnownFailure = {
  code: "recipient_unreachable",
  retry: "never",
  detail: "The recipient's device or network cannot be reached",
};
export const recipientNotVerified: KnownFailure = {
  code: "recipient_not_verified",
  retry: "failover",
  detail: "A trial account may only write to verified numbers",
};
export const rateLimited: KnownFailure = {
  code: "provider_rate_limited",
  retry: "later",
  detail: "The provider takes no more messages at the moment",
};
export const unavailable: KnownFailure = {
  code: "provider_unavailable",
  retry: "later",
  detail: "The provider cannot take the message at the moment",
};
export const requestRefused: KnownFailure = {
  code: "provider_rejected",
  retry: "failover",
  detail: "The provider refuses the request",
};
export const mediaUnavailable: KnownFailure = {
  code: "attachment_unavailable",
  retry: "never",
  detail: "The provider could not fetch the message's media",
};
export const ownNumber: KnownFailure = {
  code: "invalid_recipient",
  retry: "never",
  detail: "The recipient is the sender itself",
};
export const badCredentials: KnownFailure = {
  code: "provider_credentials",
  retry: "failover",
  detail: "The provider does not accept the connection's credentials",
};
export const accountRestricted: KnownFailure = {
  code: "account_restricted",
  retry: "failover",
  detail: "The provider has restricted the connection's account",
};
export const outOfFunds: KnownFailure = {
  code: "provider_out_of_funds",
  retry: "failover",
  detail: "The connection's account at the provider has no funds left",
};
export const senderRejected: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The provider does not accept this sender for this recipient",
};
export const contentRejected: KnownFailure = {
  code: "content_rejected",
  retry: "never",
  detail: "The provider refuses the content of the message",
};
export const contentFiltered: KnownFailure = {
  code: "content_filtered",
  retry: "never",
  detail: "The message was filtered as unwanted by a carrier or the provider",
};
export const templateRejected: KnownFailure = {
  code: "template_rejected",
  retry: "never",
  detail: "The template does not exist at the provider, is not approved, or its variables do not fit",
};
export const outsideConversation: KnownFailure = {
  code: "outside_conversation",
  retry: "never",
  detail: "Without an approved template the recipient must have written in the last 24 hours",
};
export const marketingLimited: KnownFailure = {
  code: "recipient_blocked",
  retry: "never",
  detail: "WhatsApp limits how much marketing the recipient gets",
};
export const regionNotEnabled: KnownFailure = {
  code: "region_not_enabled",
  retry: "failover",
  detail: "The connection is not enabled for the recipient's country",
};
export const providerExpired: KnownFailure = {
  code: "provider_expired",
  retry: "failover",
  detail: "The provider did not deliver the message in its time",
};
export const providerFault: KnownFailure = {
  code: "provider_error",
  retry: "failover",
  detail: "The provider could not deliver the message",
};

/** An entry of a table of codes that came from outside; undefined for what it does not hold. */
export function failureOf(
  table: Readonly<Record<string, KnownFailure>>,
  code: string | number,
): KnownFailure | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}

/**
 * What a receipt says about a message that failed; the provider's refusal to write to somebody who opted out is an opt-out.
 * @param said what the provider wrote about it
 */
export function failedStatus(
  failure: KnownFailure | undefined,
  said: { code?: string | undefined; words?: string | undefined },
): Partial<Receipt> {
  return {
    status: "failed",
    code: failure?.code ?? "undelivered",
    detail: failure?.detail ?? "The provider could not deliver the message",
    ...(said.code === undefined ? {} : { providerCode: said.code }),
    ...(said.words === undefined ? {} : { providerMessage: providerText(said.words) }),
    ...(failure?.code === "opted_out" ? { event: "opted_out" as const } : {}),
  };
}
