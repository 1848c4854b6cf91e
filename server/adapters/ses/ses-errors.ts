/**
 * What Amazon SES refuses, by the exception's name.
 * Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors and CommonErrors
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import { quotaUsedUp, senderUnverified, sendingPaused } from "../email-failures.ts";
import { refusedOutcome } from "../http-call.ts";
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  badCredentials,
  contentRejected,
  failureOf,
  rateLimited,
} from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { textOf } from "../untrusted.ts";

const BY_NAME: Record<string, KnownFailure> = {
  AccountSuspendedException: accountRestricted,
  SendingPausedException: sendingPaused,
  MailFromDomainNotVerifiedException: senderUnverified,
  MessageRejected: contentRejected,
  TooManyRequestsException: rateLimited,
  ThrottlingException: rateLimited,
  LimitExceededException: quotaUsedUp,
  AccessDeniedException: badCredentials,
  ExpiredTokenException: badCredentials,
  IncompleteSignatureException: badCredentials,
  InvalidClientTokenId: badCredentials,
  InvalidSignatureException: badCredentials,
  MissingAuthenticationTokenException: badCredentials,
  NotAuthorized: badCredentials,
  OptInRequired: badCredentials,
  SignatureDoesNotMatch: badCredentials,
  UnrecognizedClientException: badCredentials,
};

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
  return failureOf(BY_NAME, name);
}
