/**
 * What Microsoft Graph refuses, by the code of its error.
 * Source: https://learn.microsoft.com/graph/errors; codes that begin with "Error" are those of Exchange.
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import { emailRejected, invalidMailbox, messageTooLarge, quotaUsedUp } from "../email-failures.ts";
import { errorTable } from "../error-table.ts";
import type { LeftOut } from "../error-table.ts";
import { refusedOutcome } from "../http-call.ts";
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  badCredentials,
  failureOf,
  rateLimited,
  requestRefused,
  unavailable,
} from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { objectOf, textOf } from "../untrusted.ts";

const noMailbox: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The sender is no mailbox of this Microsoft 365 organisation",
};
/** Also what Exchange answers where a policy leaves out this one mailbox: others may go on sending. */
const notAllowed: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail:
    "The application may not send as this mailbox: it needs Mail.Send with consent, and access to the mailbox",
};
/** Of the directory, about the application and not about a mailbox. */
const noPermission: KnownFailure = {
  code: "provider_credentials",
  retry: "failover",
  detail: "The application has no permission to send: it needs Mail.Send with consent",
};

const maySendAs: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The mailbox may not send under this address",
};

export const graphErrors = errorTable([
  [invalidMailbox, ["ErrorInvalidRecipients", "ErrorInvalidSmtpAddress"]],
  [
    noMailbox,
    [
      ...[
        "ErrorInvalidUser",
        "ErrorNonExistentMailbox",
        "MailboxNotEnabledForRESTAPI",
        "ErrorMissingEmailAddress",
      ],
      ...["MailboxNotSupportedForRESTAPI", "Request_ResourceNotFound", "ResourceNotFound", "itemNotFound"],
      ...["ErrorItemNotFound"],
    ],
  ],
  [notAllowed, ["ErrorAccessDenied", "accessDenied", "notAllowed"]],
  [noPermission, ["Authorization_RequestDenied"]],
  [badCredentials, ["InvalidAuthenticationToken", "unauthenticated", "AuthenticationError"]],
  [maySendAs, ["ErrorSendAsDenied"]],
  [
    messageTooLarge,
    ["ErrorMessageSizeExceeded", "RequestEntityTooLarge", "ErrorAttachmentSizeLimitExceeded"],
  ],
  [quotaUsedUp, ["ErrorExceededMessageLimit", "quotaLimitReached", "ErrorQuotaExceeded"]],
  [
    rateLimited,
    [
      ...["activityLimitReached", "TooManyRequests", "ErrorTooManyObjectsOpened", "ApplicationThrottled"],
      ...["ErrorExceededConnectionCount", "MailboxConcurrency"],
    ],
  ],
  [
    unavailable,
    [
      "ErrorServerBusy",
      "ErrorMailboxStoreUnavailable",
      "ErrorMailboxMoveInProgress",
      "ErrorMessageTransientError",
      "serviceNotAvailable",
    ],
  ],
  [accountRestricted, ["ErrorMessageSubmissionBlocked", "ErrorAccountSuspend"]],
  [emailRejected, ["malwareDetected"]],
  [
    requestRefused,
    [
      ...[
        "invalidRequest",
        "BadRequest",
        "ErrorInvalidRequest",
        "ErrorInvalidParameter",
        "ErrorInvalidProperty",
      ],
      ...[
        "ErrorPropertyValidationFailure",
        "ErrorInvalidArgument",
        "RequestBodyRead",
        "UnableToDeserializePostBody",
      ],
      ...[
        "ErrorInvalidInternetHeaderName",
        "InvalidInternetMessageHeader",
        "notSupported",
        "ErrorMimeContentInvalid",
      ],
      ...["ErrorMimeContentInvalidBase64String"],
    ],
  ],
]);

export const graphLeftOut: readonly LeftOut[] = [
  {
    codes: [
      "generalException",
      "ErrorInternalServerError",
      "ErrorInternalServerTransientError",
      "UnknownError",
    ],
    why: "a 5xx: the message may have been taken, whatever the code is",
  },
  {
    codes: ["invalidRange", "nameAlreadyExists", "resourceModified", "resyncRequired", "syncStateNotFound"],
    why: "files and synchronisation, which are not used",
  },
];

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
  const known = answer.status >= 500 ? undefined : (failureOf(graphErrors, code ?? "") ?? tooLarge);
  return refusedOutcome(answer, said, known);
}
