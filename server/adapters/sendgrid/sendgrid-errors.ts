/**
 * What SendGrid's refusals mean. They have no codes: the status, the field that is wrong and the words decide.
 * Source: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors
 */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import { invalidMailbox, messageTooLarge, quotaUsedUp, senderUnverified } from "../email-failures.ts";
import { errorTable } from "../error-table.ts";
import type { LeftOut } from "../error-table.ts";
import { refusedOutcome } from "../http-call.ts";
import type { KnownFailure } from "../http-call.ts";
import { badCredentials, failureOf, rateLimited, requestRefused } from "../known-failures.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { objectsOf, textOf } from "../untrusted.ts";

/** What a status of SendGrid's list means where neither the field nor the words say more. */
export const sendgridErrors = errorTable([
  [badCredentials, [401, 403]],
  [requestRefused, [400, 404, 405, 406, 415]],
  [messageTooLarge, [413]],
  [rateLimited, [429]],
]);

export const sendgridLeftOut: readonly LeftOut[] = [
  { codes: [500, 502, 503, 504], why: "a 5xx: the message may have been taken" },
];

/** The first complaint of an error answer. */
export function sendgridComplaint(body: Buffer): { field: string; message: string } {
  const [first] = objectsOf(jsonObject(body)?.errors, 1);
  return { field: textOf(first?.field, 100) ?? "", message: providerText(textOf(first?.message) ?? "") };
}

/** The outcome of an answer that is not 202. */
export function sendgridRefusal(answer: OutboundResponse, now: number = Date.now()): SendOutcome {
  const { field, message } = sendgridComplaint(answer.body);
  const said = message === "" ? {} : { providerMessage: message };
  // SendGrid says when the limit is lifted, in seconds since 1970, and not always how long to wait.
  const reset = Number(answer.headers["x-ratelimit-reset"]);
  const wait = Number.isFinite(reset) ? Math.max(0, Math.ceil(reset - now / 1_000)) : undefined;
  const headers = { ...(wait === undefined ? {} : { "retry-after": String(wait) }), ...answer.headers };
  return refusedOutcome({ status: answer.status, headers }, said, failureBy(answer.status, field, message));
}

function failureBy(status: number, field: string, message: string): KnownFailure | undefined {
  if (status >= 500) return undefined;
  if (/maximum credits exceeded/i.test(message)) return quotaUsedUp;
  if (status === 403 && (field.startsWith("from") || /sender identity/i.test(message)))
    return senderUnverified;
  if (status === 400 && /^personalizations\.\d+\.to/.test(field)) return invalidMailbox;
  if (status === 400 && field.startsWith("from")) return senderUnverified;
  return failureOf(sendgridErrors, status);
}
