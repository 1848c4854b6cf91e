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
import { refusedOutcome } from "../http-call.ts";
import type { KnownFailure } from "../http-call.ts";
import { accountRestricted, badCredentials, failureOf } from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { textOf } from "../untrusted.ts";

const BY_NAME: Record<string, KnownFailure> = {
  missing_api_key: badCredentials,
  invalid_api_key: badCredentials,
  restricted_api_key: badCredentials,
  invalid_from_address: senderUnverified,
  invalid_attachment: emailRejected,
  daily_quota_exceeded: quotaUsedUp,
  monthly_quota_exceeded: quotaUsedUp,
  security_error: accountRestricted,
};

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
  const known = failureOf(BY_NAME, name);
  if (known || name !== "validation_error") return known;
  if (/\bdomain\b.*\b(not verified|verify)\b|`from`/i.test(message)) return senderUnverified;
  return message.includes("`to`") ? invalidMailbox : undefined;
}
