/**
 * Vonage's error codes in our vocabulary: those of the answer and those of rejected and undeliverable messages.
 * Source: https://developer.vonage.com/en/api-errors/messages and https://developer.vonage.com/en/api-errors
 */
import { errorTable } from "../error-table.ts";
import type { LeftOut } from "../error-table.ts";
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  badCredentials,
  contentFiltered,
  contentRejected,
  failureOf,
  invalidRecipient,
  marketingLimited,
  mediaUnavailable,
  optedOut,
  outOfFunds,
  outsideConversation,
  providerExpired,
  providerFault,
  rateLimited,
  recipientBlocked,
  recipientNotVerified,
  recipientUnreachable,
  regionNotEnabled,
  requestRefused,
  senderRejected,
  templateRejected,
  unavailable,
} from "../known-failures.ts";

/** Of the Messages API: in statuses, and at the end of the type of an answer. */
export const vonageErrors = errorTable([
  [rateLimited, [1000, 1241, 1460, 1472]],
  [requestRefused, [1010, 1020, 1080, 1130, 1140, 1150, 1242, 1400, 1410, 1440]],
  [templateRejected, [1022]],
  [providerFault, [1030, 1100, 1230, 1330, 1490]],
  [unavailable, [1331]],
  [invalidRecipient, [1040, 1170, 1190, 1300, 1430]],
  [recipientBlocked, [1050, 1270, 1280, 2003]],
  [accountRestricted, [1060]],
  [outOfFunds, [1070]],
  [contentRejected, [1090, 1381, 1382, 1451, 2002]],
  [mediaUnavailable, [1380]],
  [senderRejected, [1120, 1420, 1476, 1480, 1481, 1484]],
  [recipientNotVerified, [1160]],
  [recipientUnreachable, [1180, 1200, 1220, 1260, 1290, 1310]],
  [contentFiltered, [1210, 1282, 1470, 1473, 1474, 1475, 1482, 2001]],
  [optedOut, [1240]],
  // India's registers of consent: this message may not go to this recipient, which is not a no to everything.
  [recipientBlocked, [1483]],
  [regionNotEnabled, [1250, 1251]],
  [outsideConversation, [1340]],
  [providerExpired, [1360]],
  [marketingLimited, [1461]],
]);

export const vonageLeftOut: readonly LeftOut[] = [
  { codes: [1021], why: "a field that is not sent: tags" },
  { codes: [1320], why: "a message that was sent before: nothing failed" },
  { codes: [1350, 1370], why: "Facebook Messenger, which is no channel here" },
  { codes: [1431], why: "one message has one recipient here" },
  { codes: [1450], why: "a reference that is too long: ours are short" },
];

/** Names of errors that all of Vonage's APIs share: the last part of the type of an answer. */
export const vonageGeneralErrors = errorTable([
  [
    badCredentials,
    ["unauthorized", "forbidden", "unprovisioned", "jwt-expired", "jwt-revoked", "invalid-api-key"],
  ],
  [badCredentials, ["invalid-signature", "invalid-ip", "multiple-auth-methods"]],
  [outOfFunds, ["low-balance"]],
  [accountRestricted, ["account-suspended", "application-suspended"]],
  [rateLimited, ["throttled"]],
  [requestRefused, ["not-found", "invalid-params", "invalid-id", "invalid-json", "wrong-verb"]],
  [requestRefused, ["accept-header", "content-type-header"]],
  [regionNotEnabled, ["unavailable-legal"]],
]);

/** Of the answer: the same numbers meant other things in other versions, the titles stayed. */
const TITLES: Record<string, KnownFailure> = {
  "invalid sender": senderRejected,
  "invalid recipient": invalidRecipient,
  "invalid template": templateRejected,
  "low balance": outOfFunds,
};

export function vonageStatusFailure(code: string): KnownFailure | undefined {
  return failureOf(vonageErrors, code);
}

/** @param code as vonageErrorCode() finds it. */
export function vonageAnswerFailure(
  status: number,
  title: string,
  code: string | undefined,
): KnownFailure | undefined {
  if (status === 402) return outOfFunds;
  // Of these the status says more than a number.
  if (status < 400 || status >= 500 || [401, 403, 408, 429].includes(status)) return undefined;
  const known = failureOf(TITLES, title.toLowerCase());
  if (known || code === undefined) return known;
  return failureOf(vonageGeneralErrors, code) ?? failureOf(vonageErrors, code);
}

/** The code at the end of an error's type, such as https://developer.vonage.com/api-errors/messages#1340. */
export function vonageErrorCode(type: string | undefined): string | undefined {
  return /#([\w-]{1,40})$/.exec(type ?? "")?.[1];
}
