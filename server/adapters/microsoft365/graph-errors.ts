/**
 * What Microsoft Graph refuses, by the code of its error.
 * Source: https://learn.microsoft.com/graph/errors; codes that begin with "Error" are those of Exchange.
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import { invalidMailbox, messageTooLarge, quotaUsedUp } from "../email-failures.ts";
import { refusedOutcome } from "../http-call.ts";
import type { KnownFailure } from "../http-call.ts";
import { accountRestricted, failureOf } from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { objectOf, textOf } from "../untrusted.ts";

const noMailbox: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The sender is no mailbox of this Microsoft 365 organisation",
};
const notAllowed: KnownFailure = {
  code: "provider_credentials",
  retry: "failover",
  detail:
    "The application may not send as this mailbox: it needs Mail.Send with consent, and access to the mailbox",
};

const BY_CODE: Record<string, KnownFailure> = {
  ErrorInvalidRecipients: invalidMailbox,
  ErrorInvalidUser: noMailbox,
  ErrorNonExistentMailbox: noMailbox,
  MailboxNotEnabledForRESTAPI: noMailbox,
  MailboxNotSupportedForRESTAPI: noMailbox,
  Request_ResourceNotFound: noMailbox,
  ResourceNotFound: noMailbox,
  ErrorAccessDenied: notAllowed,
  Authorization_RequestDenied: notAllowed,
  ErrorSendAsDenied: {
    code: "sender_rejected",
    retry: "failover",
    detail: "The mailbox may not send under this address",
  },
  ErrorMessageSizeExceeded: messageTooLarge,
  RequestEntityTooLarge: messageTooLarge,
  ErrorExceededMessageLimit: quotaUsedUp,
  ErrorMessageSubmissionBlocked: accountRestricted,
  ErrorAccountSuspend: accountRestricted,
};

/** The outcome of an answer that is not 202. */
export function graphRefusal(answer: OutboundResponse): SendOutcome {
  const error = objectOf(jsonObject(answer.body)?.error);
  const code = textOf(error.code, 100);
  const message = providerText(textOf(error.message) ?? "");
  const said = {
    ...(code === undefined ? {} : { providerCode: code }),
    ...(message === "" ? {} : { providerMessage: message }),
  };
  const tooLarge = answer.status === 413 ? messageTooLarge : undefined;
  const known = answer.status >= 500 ? undefined : (failureOf(BY_CODE, code ?? "") ?? tooLarge);
  return refusedOutcome(answer, said, known);
}
