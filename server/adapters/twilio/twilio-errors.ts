/**
 * Twilio's error numbers in our vocabulary: those of the REST answer and those of failed deliveries.
 * Source: https://www.twilio.com/docs/api/errors
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
  outsideConversation,
  ownNumber,
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

export const twilioErrors = errorTable([
  [
    requestRefused,
    [400, 410, 20001, 20002, 20004, 20007, 20008, 20409, 20410, 20412, 20413, 20422, 20423, 20426],
  ],
  [
    requestRefused,
    [21605, 21624, 21627, 21652, 21653, 21658, 30012, 30013, 30015, 30044, 30400, 30404, 63011, 63055],
  ],
  [badCredentials, [403, 404, 20003, 20006, 20403, 20404, 21470, 21471, 63001]],
  // Nothing gets through until somebody has talked to Twilio, as with wrong credentials.
  [{ ...badCredentials, detail: "The connection's account is not active" }, [10001, 20005, 21472, 30002]],
  [accountRestricted, [10002, 20010, 21622, 30037, 63020, 63051, 63056, 63112, 63120]],
  [rateLimited, [14107, 20429, 21611, 30001, 30022, 30023, 30027, 30454, 63017, 63018, 63038, 63039, 63119]],
  [unavailable, [21730, 30017, 63053, 63117]],
  [invalidRecipient, [21201, 21211, 21214, 21217, 21265, 21268, 21401, 21407, 21421, 21604, 21614, 21635]],
  [invalidRecipient, [30005, 30006, 30011, 30014, 63003, 63024]],
  [ownNumber, [21266, 63031]],
  [optedOut, [21610, 30630, 63033, 63050]],
  [recipientNotVerified, [21219, 21608, 63015]],
  [recipientUnreachable, [30003, 63036]],
  [recipientBlocked, [30004, 63014, 63035]],
  [regionNotEnabled, [21408, 21612, 21662, 30043, 30700, 63058]],
  [
    senderRejected,
    [21210, 21212, 21264, 21267, 21601, 21603, 21606, 21607, 21613, 21616, 21621, 21657, 21659, 21660],
  ],
  [
    senderRejected,
    [21661, 21663, 21668, 21701, 21702, 21703, 21704, 21705, 21709, 21711, 21715, 21729, 21731, 21910],
  ],
  [senderRejected, [30016, 30018, 30024, 30032, 30033, 30034, 30035, 30040, 30041, 30042]],
  [senderRejected, [63002, 63007, 63008, 63022, 63059, 63109, 63111]],
  [
    contentRejected,
    [11751, 12300, 21602, 21617, 21618, 21619, 21620, 21623, 30019, 63005, 63006, 63021, 63030, 63034],
  ],
  [mediaUnavailable, [11200, 11205, 11210, 11215, 11220, 11235, 11236, 11237, 63019, 63037]],
  [contentFiltered, [30007, 30038, 30039, 30450, 63013, 63026]],
  [templateRejected, [21654, 21655, 21656, 63027, 63028, 63029, 63040, 63041, 63042, 63054]],
  [outsideConversation, [63016]],
  [marketingLimited, [63049]],
  [
    {
      code: "recipient_blocked",
      retry: "never",
      detail: "WhatsApp does not let this message reach the recipient",
    },
    [63032],
  ],
  [
    {
      code: "callback_url_rejected",
      retry: "failover",
      detail: "The provider does not accept the callback address",
    },
    [21609],
  ],
  [
    { code: "price_limit", retry: "failover", detail: "The message costs more than the connection's limit" },
    [30010],
  ],
  [providerExpired, [30036]],
  [providerFault, [30008, 30020, 30021, 30046, 30410, 30453, 30485, 30500, 30610, 30615, 30620, 30640]],
  [providerFault, [63009, 63010, 63012, 63023, 63025]],
]);

/** Of the ranges of Twilio's list that are about messages and the REST API: 400 to 503, 20xxx, 21xxx, 30xxx and 63xxx. */
export const twilioLeftOut: readonly LeftOut[] = [
  {
    codes: [503, 20500, 20503, 20504],
    why: "a 5xx: the message may have been taken, whatever the number is",
  },
  { codes: [20009, 20020, 20162], why: "changes of resources, which are not made here" },
  { codes: [20011, 20012], why: "TLS, which the answer that says so has already got through" },
  { codes: [20021, 20023], why: "the registration of numbers" },
  { from: 20101, to: 20161, why: "access tokens, which are not used: the account's credentials are" },
  { from: 21100, to: 21102, why: "sub-accounts and services" },
  { from: 21200, to: 21263, why: "calls and SIP trunks" },
  { from: 21300, to: 21302, why: "calls and applications" },
  { from: 21402, to: 21406, why: "the set-up of numbers" },
  { codes: [21409, 21420, 21422], why: "the set-up of numbers" },
  { from: 21449, to: 21458, why: "the purchase and the set-up of numbers" },
  { from: 21473, to: 21481, why: "transfers and states of accounts" },
  { from: 21501, to: 21504, why: "recordings and transcriptions" },
  { codes: [21615], why: "the address that the purchase of a number needs" },
  { codes: [21626], why: "a field that is not sent: StatusCallbackEvent" },
  { from: 21628, to: 21634, why: "addresses and trunks" },
  { from: 21644, to: 21651, why: "regulatory bundles" },
  { from: 21664, to: 21667, why: "a field that is not sent: FallbackFrom" },
  { from: 21708, to: 21741, why: "the set-up of messaging services, brands and campaigns" },
  { from: 21900, to: 21902, why: "fields that are not sent: DltPEId, DltTemplateId, InvoiceTag" },
  { codes: [30009], why: "a message to us whose part is missing" },
  { codes: [30025, 30026, 30045], why: "a warning: the message was sent" },
  { from: 30028, to: 30031, why: "fields that are not sent: ContentRetention, AddressRetention, MaxRate" },
  { from: 30100, to: 30140, why: "the set-up of Twilio's own link shortening" },
  { codes: [30409], why: "the cancellation of a scheduled message, which is not made here" },
  { from: 30436, to: 30449, why: "the verification of toll-free numbers" },
  { from: 30451, to: 30531, why: "the verification of toll-free numbers" },
  { from: 30646, to: 30649, why: "contacts, consents and permissions that are kept at Twilio" },
  { from: 30701, to: 30999, why: "the registration of brands and campaigns" },
  { from: 63043, to: 63047, why: "the approval of a template, which is asked for apart" },
  { codes: [63052], why: "a warning: the message was sent" },
  { codes: [63057], why: "the approval of a template, which is asked for apart" },
  { from: 63100, to: 63118, why: "the registration of senders" },
];

/** @param number Twilio's `code`, `error_code` or `ErrorCode`; undefined for one we do not know. */
export function twilioFailure(number: number): KnownFailure | undefined {
  return failureOf(twilioErrors, number);
}
