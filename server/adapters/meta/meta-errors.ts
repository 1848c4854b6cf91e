/**
 * Meta's error codes in our vocabulary: those of the answer and those of failed statuses.
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
 */
import { errorTable } from "../error-table.ts";
import type { LeftOut } from "../error-table.ts";
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  badCredentials,
  contentRejected,
  failureOf,
  invalidRecipient,
  marketingLimited,
  mediaUnavailable,
  optedOut,
  outOfFunds,
  outsideConversation,
  ownNumber,
  providerFault,
  rateLimited,
  recipientBlocked,
  recipientNotVerified,
  regionNotEnabled,
  requestRefused,
  senderRejected,
  templateRejected,
  unavailable,
} from "../known-failures.ts";

export const metaErrors = errorTable([
  [badCredentials, [0, 3, 10, 102, 104, 190, 131005]],
  [accountRestricted, [368, 131031, 131048, 134011, 131059]],
  [outOfFunds, [131042]],
  [rateLimited, [4, 17, 32, 613, 80007, 130429]],
  [
    {
      // Not a limit of the connection: it may go on with everybody else.
      code: "provider_deferred",
      retry: "later",
      detail: "WhatsApp takes no more messages from this sender to this recipient at the moment",
    },
    [131056],
  ],
  [unavailable, [1, 2, 131016, 131057, 133004, 134101, 2494100]],
  [providerFault, [131000, 135000]],
  [requestRefused, [100, 131055, 134100]],
  [invalidRecipient, [131026]],
  [ownNumber, [131021]],
  [
    {
      code: "invalid_recipient",
      retry: "never",
      detail: "WhatsApp sends one-time codes to phone numbers only, not to user ids",
    },
    [131062],
  ],
  [recipientBlocked, [130403]],
  [recipientNotVerified, [131030]],
  [optedOut, [131050]],
  [marketingLimited, [130472, 131049]],
  [outsideConversation, [131047]],
  [regionNotEnabled, [130497]],
  [senderRejected, [33, 131037, 131045, 133000, 133006, 133010, 133015]],
  [contentRejected, [131008, 131009, 131051]],
  [mediaUnavailable, [131052, 131053]],
  [
    templateRejected,
    [131063, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 132068, 132069, 134102],
  ],
]);

export const metaLeftOut: readonly LeftOut[] = [
  { from: 133005, to: 133009, why: "the PIN of a number's registration" },
  { codes: [133016], why: "the registration of a number" },
  { codes: [2388012, 2388091, 2388093, 2388103], why: "the registration and the move of a number" },
  { codes: [1752041, 2593107, 2593108], why: "the onboarding of a business" },
  { from: 2388019, to: 2388073, why: "the creation of a template" },
  { codes: [2388293, 2388299], why: "the creation of a template" },
  { from: 200005, to: 200007, why: "statistics of templates" },
];

/** @param code Meta's `error.code`; undefined for one we do not know. */
export function metaFailure(code: number): KnownFailure | undefined {
  // 200 to 299: permissions of the app and its token.
  if (code >= 200 && code <= 299) return badCredentials;
  return failureOf(metaErrors, code);
}
