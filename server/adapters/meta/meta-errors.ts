/**
 * Meta's error codes in our vocabulary: those of the answer and those of failed statuses.
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
 */
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  badCredentials,
  contentRejected,
  failureOf,
  invalidRecipient,
  marketingLimited,
  optedOut,
  outOfFunds,
  outsideConversation,
  providerFault,
  rateLimited,
  recipientNotVerified,
  regionNotEnabled,
  senderRejected,
  templateRejected,
  unavailable,
} from "../known-failures.ts";

const FAILURES: Record<number, KnownFailure> = {
  0: badCredentials,
  2: unavailable,
  3: badCredentials,
  4: rateLimited,
  10: badCredentials,
  33: senderRejected,
  190: badCredentials,
  368: accountRestricted,
  80007: rateLimited,
  130429: rateLimited,
  130472: marketingLimited,
  130497: regionNotEnabled,
  131000: providerFault,
  131005: badCredentials,
  131008: contentRejected,
  131009: contentRejected,
  131016: unavailable,
  131021: invalidRecipient,
  131026: invalidRecipient,
  131030: recipientNotVerified,
  131031: accountRestricted,
  131037: senderRejected,
  131042: outOfFunds,
  131045: senderRejected,
  131047: outsideConversation,
  131048: accountRestricted,
  131049: marketingLimited,
  131050: optedOut,
  131051: contentRejected,
  131052: contentRejected,
  131053: contentRejected,
  131056: {
    code: "provider_rate_limited",
    retry: "later",
    detail: "WhatsApp takes no more messages from this sender to this recipient at the moment",
  },
  131057: unavailable,
  131062: {
    code: "invalid_recipient",
    retry: "never",
    detail: "WhatsApp sends one-time codes to phone numbers only, not to user ids",
  },
  132000: templateRejected,
  132001: templateRejected,
  132005: templateRejected,
  132007: templateRejected,
  132012: templateRejected,
  132015: templateRejected,
  132016: templateRejected,
  132018: templateRejected,
  132068: templateRejected,
  132069: templateRejected,
  133000: senderRejected,
  133004: unavailable,
  133006: senderRejected,
  133010: senderRejected,
};

/** @param code Meta's `error.code`; undefined for one we do not know. */
export function metaFailure(code: number): KnownFailure | undefined {
  // 200 to 299: permissions of the app and its token.
  if (code >= 200 && code <= 299) return badCredentials;
  return failureOf(FAILURES, code);
}
