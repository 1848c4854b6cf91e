/**
 * What Resend's error names mean.
 * Source: https://resend.com/docs/api-reference/errors
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import {
  emailRejected,
  invalidMailbox,
  messageTooLarge,
  quotaUsedUp,
  senderUnverified,
} from "../email-failures.ts";
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
} from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { textOf } from "../untrusted.ts";

export const resendErrors = errorTable([
  [badCredentials, ["missing_api_key", "invalid_api_key", "restricted_api_key", "invalid_access"]],
  [senderUnverified, ["invalid_from_address"]],
  [emailRejected, ["invalid_attachment"]],
  [quotaUsedUp, ["daily_quota_exceeded", "monthly_quota_exceeded"]],
  [rateLimited, ["rate_limit_exceeded"]],
  [accountRestricted, ["security_error"]],
  [
    requestRefused,
    ["invalid_idempotency_key", "invalid_parameter", "invalid_region", "missing_required_field"],
  ],
  [requestRefused, ["not_found", "method_not_allowed"]],
]);

export const resendLeftOut: readonly LeftOut[] = [
  { codes: ["validation_error"], why: "stands for many things: its words decide" },
  {
    codes: ["concurrent_idempotent_requests", "invalid_idempotent_request"],
    why: "an earlier attempt reached Resend, whose events will report the outcome",
  },
  {
    codes: ["application_error", "internal_server_error"],
    why: "a 5xx: the message may have been taken, whatever the name is",
  },
];

export function resendComplaint(body: Buffer): { name: string; message: string } {
  const error = jsonObject(body);
  return { name: textOf(error?.name, 100) ?? "", message: providerText(textOf(error?.message) ?? "") };
}

/** The outcome of an answer that is not 2xx. */
export function resendRefusal(answer: OutboundResponse): SendOutcome {
  const { name, message } = resendComplaint(answer.body);
  const said = {
    ...(name === "" ? {} : { providerCode: name }),
    ...(message === "" ? {} : { providerMessage: message }),
  };
  // The key is known: an earlier attempt for this notification reached Resend. Its events will report the outcome.
  if (name === "concurrent_idempotent_requests" || name === "invalid_idempotent_request") {
    return {
      kind: "unknown",
      code: "provider_repetition",
      detail: "Resend already has a message with this idempotency key, and did not say what became of it",
      ...said,
    };
  }
  return refusedOutcome(answer, said, failureBy(answer.status, name, message));
}

function failureBy(status: number, name: string, message: string): KnownFailure | undefined {
  if (status >= 500) return undefined;
  if (status === 413) return messageTooLarge;
  const known = failureOf(resendErrors, name);
  if (known || name !== "validation_error") return known;
  if (/\bdomain\b.*\b(not verified|verify)\b|`from`/i.test(message)) return senderUnverified;
  return message.includes("`to`") ? invalidMailbox : undefined;
}
