/**
 * Vonage's error codes in our vocabulary: those of the answer and those of rejected and undeliverable messages.
 * Source: https://developer.vonage.com/en/api-errors/messages
 */
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  contentFiltered,
  contentRejected,
  failureOf,
  invalidRecipient,
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
  senderRejected,
  templateRejected,
} from "../known-failures.ts";

/** Of messages that were taken, in their statuses. */
const FAILURES: Record<string, KnownFailure> = {
  1000: rateLimited,
  1022: templateRejected,
  1030: providerFault,
  1040: invalidRecipient,
  1050: recipientBlocked,
  1060: accountRestricted,
  1070: outOfFunds,
  1090: contentRejected,
  1100: providerFault,
  1120: senderRejected,
  1160: recipientNotVerified,
  1170: invalidRecipient,
  1180: recipientUnreachable,
  1190: invalidRecipient,
  1200: recipientUnreachable,
  1210: contentFiltered,
  1220: recipientUnreachable,
  1230: providerFault,
  1240: optedOut,
  1241: rateLimited,
  1250: regionNotEnabled,
  1260: recipientUnreachable,
  1270: recipientBlocked,
  1280: recipientBlocked,
  1290: recipientUnreachable,
  1300: invalidRecipient,
  1310: recipientUnreachable,
  1340: outsideConversation,
  1360: providerExpired,
  1420: senderRejected,
  1430: invalidRecipient,
};

/** Of the answer: the same numbers meant other things in other versions, the titles stayed. */
const TITLES: Record<string, KnownFailure> = {
  "invalid sender": senderRejected,
  "invalid recipient": invalidRecipient,
  "invalid template": templateRejected,
  "low balance": outOfFunds,
};

export function vonageStatusFailure(code: string): KnownFailure | undefined {
  return failureOf(FAILURES, code);
}

export function vonageAnswerFailure(status: number, title: string): KnownFailure | undefined {
  if (status === 402) return outOfFunds;
  return status >= 400 && status < 500 ? failureOf(TITLES, title.toLowerCase()) : undefined;
}

/** The code at the end of an error's type, such as https://developer.vonage.com/api-errors/messages#1340. */
export function vonageErrorCode(type: string | undefined): string | undefined {
  return /#([\w-]{1,40})$/.exec(type ?? "")?.[1];
}
