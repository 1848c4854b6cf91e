import smpp from "smpp";
import { describe, expect, it } from "vitest";
import { isFailureCode, messageFailures } from "../kernel/message-failures.ts";
import * as lists from "../testing/provider-error-lists.ts";
import { decisionOf, errorTable, whyLeftOut } from "./error-table.ts";
import type { Decision, LeftOut } from "./error-table.ts";
import type { KnownFailure } from "./http-call.ts";
import { invalidRecipient, senderRejected } from "./known-failures.ts";
import { infobipErrors, infobipFailure, infobipLeftOut, infobipStatuses } from "./infobip/infobip-errors.ts";
import { metaErrors, metaFailure, metaLeftOut } from "./meta/meta-errors.ts";
import { graphErrors, graphLeftOut } from "./microsoft365/graph-errors.ts";
import { resendErrors, resendLeftOut } from "./resend/resend-errors.ts";
import { sendgridErrors, sendgridLeftOut } from "./sendgrid/sendgrid-errors.ts";
import { sesErrors, sesLeftOut } from "./ses/ses-errors.ts";
import { smppErrors, smppLeftOut } from "./smpp/smpp-status.ts";
import { twilioErrors, twilioLeftOut } from "./twilio/twilio-errors.ts";
import { vonageErrors, vonageGeneralErrors, vonageLeftOut } from "./vonage/vonage-errors.ts";

interface Provider {
  list: readonly string[];
  table: Readonly<Record<string, KnownFailure>>;
  leftOut: readonly LeftOut[];
  /** What the adapter itself says of a code, where that is more than the table. */
  find?: (code: string) => KnownFailure | undefined;
}

const providers: Record<string, Provider> = {
  Twilio: { list: lists.twilioCodes, table: twilioErrors, leftOut: twilioLeftOut },
  Meta: {
    list: lists.metaCodes,
    table: metaErrors,
    leftOut: metaLeftOut,
    find: (code) => metaFailure(Number(code)),
  },
  Vonage: { list: lists.vonageCodes, table: vonageErrors, leftOut: vonageLeftOut },
  "Vonage, all APIs": { list: lists.vonageGeneralCodes, table: vonageGeneralErrors, leftOut: [] },
  "Infobip, statuses": { list: lists.infobipStatusNames, table: infobipStatuses, leftOut: infobipLeftOut },
  "Infobip, errors": {
    list: lists.infobipErrorNames,
    table: infobipErrors,
    leftOut: infobipLeftOut,
    find: (name) => infobipFailure("", name),
  },
  "Amazon SES": { list: lists.sesNames, table: sesErrors, leftOut: sesLeftOut },
  Resend: { list: lists.resendNames, table: resendErrors, leftOut: resendLeftOut },
  "Microsoft Graph": { list: lists.graphCodes, table: graphErrors, leftOut: graphLeftOut },
  SendGrid: { list: lists.sendgridStatuses, table: sendgridErrors, leftOut: sendgridLeftOut },
  SMPP: { list: lists.smppStatuses, table: smppErrors, leftOut: smppLeftOut },
};

describe.each(Object.entries(providers))("the error codes of %s", (_name, provider) => {
  const { list, table, leftOut } = provider;
  const find = provider.find ?? ((code: string) => (Object.hasOwn(table, code) ? table[code] : undefined));

  it("each lead to a decision, or say why to none", () => {
    expect(new Set(list).size).toBe(list.length);
    const open = list.filter((code) => !find(code) && whyLeftOut(leftOut, code) === undefined);
    expect(open).toEqual([]);
  });

  it("have words and a code of ours that is tried again in the way that the decision says", () => {
    const failures = [...new Set([...Object.values(table), ...list.flatMap((code) => find(code) ?? [])])];
    expect(failures.length).toBeGreaterThan(0);
    const again: Record<Decision, readonly string[]> = {
      message: ["never", "depends"],
      opt_out: ["never"],
      connection: ["elsewhere", "depends", "never"],
      account: ["failover", "later", "doubt"],
      later: ["later"],
    };
    for (const failure of failures) {
      expect(isFailureCode(failure.code), failure.code).toBe(true);
      expect(failure.detail, failure.code).toMatch(/^\p{Lu}.{10,}[^.]$/u);
      expect(again[decisionOf(failure)], failure.detail).toContain(messageFailures[failure.code].again);
    }
  });
});

describe("a decision", () => {
  const decide = (table: Readonly<Record<string, KnownFailure>>, code: string | number) => {
    const failure = table[code];
    return failure && `${failure.code} ${decisionOf(failure)}`;
  };

  it.each([
    [twilioErrors, 21266, "invalid_recipient message"],
    [twilioErrors, 21635, "invalid_recipient message"],
    [twilioErrors, 63015, "recipient_not_verified connection"],
    [twilioErrors, 21606, "sender_rejected connection"],
    [twilioErrors, 21408, "region_not_enabled connection"],
    [twilioErrors, 21610, "opted_out opt_out"],
    [twilioErrors, 63050, "opted_out opt_out"],
    [twilioErrors, 20429, "provider_rate_limited later"],
    [twilioErrors, 20003, "provider_credentials account"],
    [twilioErrors, 63016, "outside_conversation message"],
    [metaErrors, 131026, "invalid_recipient message"],
    [metaErrors, 131042, "provider_out_of_funds account"],
    [metaErrors, 131050, "opted_out opt_out"],
    [metaErrors, 131056, "provider_deferred later"],
    [vonageErrors, 1240, "opted_out opt_out"],
    [vonageErrors, 1120, "sender_rejected connection"],
    [infobipErrors, "EC_UNKNOWN_SUBSCRIBER", "invalid_recipient message"],
    [infobipStatuses, "REJECTED_NETWORK", "region_not_enabled connection"],
    [sesErrors, "MailFromDomainNotVerifiedException", "sender_rejected connection"],
    [sesErrors, "AccessDeniedException", "sender_rejected connection"],
    [sesErrors, "SignatureDoesNotMatch", "provider_credentials account"],
    [sesErrors, "LimitExceededException", "provider_quota_exceeded account"],
    [resendErrors, "rate_limit_exceeded", "provider_rate_limited later"],
    [graphErrors, "ErrorAccessDenied", "sender_rejected connection"],
    [graphErrors, "Authorization_RequestDenied", "provider_credentials account"],
    [graphErrors, "ErrorSendAsDenied", "sender_rejected connection"],
    [smppErrors, 0x0b, "invalid_recipient message"],
    [smppErrors, 0x0a, "sender_rejected connection"],
    [smppErrors, 0x58, "provider_rate_limited later"],
  ] as const)("of %o on %s is %s", (table, code, wanted) => {
    expect(decide(table, code)).toBe(wanted);
  });

  it("is there for every status that the SMPP library can name", () => {
    const missing = Object.values(smpp.errors).filter(
      (status) => !Object.hasOwn(smppErrors, status) && whyLeftOut(smppLeftOut, status) === undefined,
    );
    expect(missing).toEqual([]);
  });

  it("is one for each code: a table that names one twice is refused", () => {
    expect(() =>
      errorTable([
        [invalidRecipient, [1, 2]],
        [senderRejected, [2]],
      ]),
    ).toThrow("The error code 2 has two meanings");
  });
});
