/**
 * Twilio's error numbers in our vocabulary: those of the REST answer and those of failed deliveries.
 * Source: https://www.twilio.com/docs/api/errors
 */

import type { KnownFailure } from "../http-call.ts";

export type TwilioFailure = KnownFailure;

const invalidRecipient: TwilioFailure = {
  code: "invalid_recipient",
  retry: "never",
  detail: "The number does not exist or cannot receive this kind of message",
};
const optedOut: TwilioFailure = {
  code: "opted_out",
  retry: "never",
  detail: "The recipient has opted out of this sender's messages",
};
const rateLimited: TwilioFailure = {
  code: "provider_rate_limited",
  retry: "later",
  detail: "The provider takes no more messages at the moment",
};
const unavailable: TwilioFailure = {
  code: "provider_unavailable",
  retry: "later",
  detail: "The provider cannot take the message at the moment",
};
const credentials: TwilioFailure = {
  code: "provider_credentials",
  retry: "failover",
  detail: "The provider does not accept the connection's credentials",
};
const sender: TwilioFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The provider does not accept this sender for this recipient",
};
const content: TwilioFailure = {
  code: "content_rejected",
  retry: "never",
  detail: "The provider refuses the content of the message",
};
const filtered: TwilioFailure = {
  code: "content_filtered",
  retry: "never",
  detail: "The message was filtered as unwanted by a carrier or the provider",
};
const template: TwilioFailure = {
  code: "template_rejected",
  retry: "never",
  detail: "The template does not exist at the provider, is not approved, or its variables do not fit",
};
const unreachable: TwilioFailure = {
  code: "recipient_unreachable",
  retry: "never",
  detail: "The recipient's device or network cannot be reached",
};
const region: TwilioFailure = {
  code: "region_not_enabled",
  retry: "failover",
  detail: "The connection is not enabled for the recipient's country",
};
const providerFault: TwilioFailure = {
  code: "provider_error",
  retry: "failover",
  detail: "The provider could not deliver the message",
};

const FAILURES: Record<number, TwilioFailure> = {
  20001: { code: "provider_rejected", retry: "failover", detail: "The provider refuses the request" },
  20003: credentials,
  20005: credentials,
  20403: credentials,
  20404: credentials,
  20429: rateLimited,
  14107: rateLimited,
  21211: invalidRecipient,
  21217: invalidRecipient,
  21265: invalidRecipient,
  21401: invalidRecipient,
  21407: invalidRecipient,
  21408: region,
  21602: content,
  21603: sender,
  21604: invalidRecipient,
  21606: sender,
  21608: {
    code: "recipient_not_verified",
    retry: "failover",
    detail: "A trial account may only write to verified numbers",
  },
  21609: {
    code: "callback_url_rejected",
    retry: "failover",
    detail: "The provider does not accept the callback address",
  },
  21610: optedOut,
  21611: rateLimited,
  21612: region,
  21614: invalidRecipient,
  21617: content,
  21619: content,
  21620: content,
  21654: template,
  21655: template,
  21656: template,
  21660: sender,
  21701: sender,
  21703: sender,
  21704: sender,
  21730: unavailable,
  30001: rateLimited,
  30002: credentials,
  30003: unreachable,
  30004: {
    code: "recipient_blocked",
    retry: "never",
    detail: "The recipient or the carrier blocks this message",
  },
  30005: invalidRecipient,
  30006: invalidRecipient,
  30007: filtered,
  30008: providerFault,
  30010: {
    code: "price_limit",
    retry: "failover",
    detail: "The message costs more than the connection's limit",
  },
  30022: rateLimited,
  30023: rateLimited,
  30024: sender,
  30032: sender,
  30034: sender,
  30036: {
    code: "provider_expired",
    retry: "failover",
    detail: "The provider did not deliver the message in its time",
  },
  30410: providerFault,
  30450: filtered,
  63001: credentials,
  63003: invalidRecipient,
  63005: content,
  63007: sender,
  63010: providerFault,
  63012: providerFault,
  63013: filtered,
  63016: {
    code: "outside_conversation",
    retry: "never",
    detail: "Without an approved template the recipient must have written in the last 24 hours",
  },
  63018: rateLimited,
  63019: content,
  63021: content,
  63024: invalidRecipient,
  63027: template,
  63028: template,
  63030: content,
  63032: {
    code: "recipient_blocked",
    retry: "never",
    detail: "WhatsApp does not let this message reach the recipient",
  },
  63033: { code: "recipient_blocked", retry: "never", detail: "The recipient has blocked the sender" },
  63049: {
    code: "recipient_blocked",
    retry: "never",
    detail: "WhatsApp limits how much marketing the recipient gets",
  },
};

/** @param number Twilio's `code`, `error_code` or `ErrorCode`; undefined for one we do not know. */
export function twilioFailure(number: number): TwilioFailure | undefined {
  return Object.hasOwn(FAILURES, number) ? FAILURES[number] : undefined;
}
