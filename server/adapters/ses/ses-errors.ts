/**
 * What Amazon SES refuses, by the exception's name.
 * Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors and CommonErrors
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import { messageTooLarge, quotaUsedUp, senderUnverified, sendingPaused } from "../email-failures.ts";
import { errorTable } from "../error-table.ts";
import type { LeftOut } from "../error-table.ts";
import { refusedOutcome } from "../http-call.ts";
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  badCredentials,
  contentRejected,
  failureOf,
  rateLimited,
  requestRefused,
} from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { textOf } from "../untrusted.ts";

/** The key is known. A policy may allow some identities or addresses and not others, so it says nothing of other senders. */
const senderForbidden: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The access key's policy does not allow to send as this sender",
};

export const sesErrors = errorTable([
  [accountRestricted, ["AccountSuspendedException"]],
  [sendingPaused, ["SendingPausedException"]],
  [senderUnverified, ["MailFromDomainNotVerifiedException"]],
  [senderForbidden, ["AccessDeniedException", "NotAuthorized"]],
  [contentRejected, ["MessageRejected"]],
  [rateLimited, ["TooManyRequestsException", "ThrottlingException", "Throttling", "RequestLimitExceeded"]],
  [quotaUsedUp, ["LimitExceededException"]],
  [messageTooLarge, ["RequestEntityTooLargeException"]],
  [
    badCredentials,
    [
      ...["ExpiredTokenException", "IncompleteSignatureException", "IncompleteSignature"],
      ...["InvalidClientTokenId", "InvalidSignatureException", "MissingAuthenticationTokenException"],
      ...["MissingAuthenticationToken", "OptInRequired", "RequestExpired", "SignatureDoesNotMatch"],
      ...["UnrecognizedClientException"],
    ],
  ],
  [
    requestRefused,
    [
      ...[
        "BadRequestException",
        "NotFoundException",
        "InvalidAction",
        "MissingAction",
        "MalformedHttpRequestException",
      ],
      ...[
        "MalformedQueryString",
        "InvalidParameterCombination",
        "InvalidParameterValue",
        "InvalidQueryParameter",
      ],
      ...["MissingParameter", "UnknownOperationException", "ValidationError", "ValidationException"],
    ],
  ],
]);

export const sesLeftOut: readonly LeftOut[] = [
  {
    codes: [
      "InternalFailure",
      "InternalServiceErrorException",
      "ServiceUnavailable",
      "ServiceUnavailableException",
    ],
    why: "a 5xx: the message may have been taken, whatever the name is",
  },
  {
    codes: ["RequestTimeoutException", "RequestAbortedException"],
    why: "a 408 or no answer: the message may have been taken",
  },
];

/** The name stands in a header, with an address behind it, or in the body. */
export function sesComplaint(answer: Pick<OutboundResponse, "headers" | "body">): {
  name: string;
  message: string;
} {
  const body = jsonObject(answer.body);
  const type = answer.headers["x-amzn-errortype"] ?? textOf(body?.__type) ?? textOf(body?.code) ?? "";
  const name = /([A-Za-z]{1,80})(?::.*)?$/.exec(type.slice(0, 200))?.[1] ?? "";
  return { name, message: providerText(textOf(body?.message) ?? textOf(body?.Message) ?? "") };
}

/** The outcome of an answer that is not 2xx. */
export function sesRefusal(answer: OutboundResponse): SendOutcome {
  const { name, message } = sesComplaint(answer);
  const said = {
    ...(name === "" ? {} : { providerCode: name }),
    ...(message === "" ? {} : { providerMessage: message }),
  };
  return refusedOutcome(answer, said, failureBy(answer.status, name, message));
}

function failureBy(status: number, name: string, message: string): KnownFailure | undefined {
  if (status >= 500) return undefined;
  // The same name for two things: an identity that is not verified (in the sandbox also the recipient's), and bad content.
  if (name === "MessageRejected" && /not verified/i.test(message)) return senderUnverified;
  if (/daily message quota exceeded/i.test(message)) return quotaUsedUp;
  return failureOf(sesErrors, name);
}
