/**
 * What an SMTP server's answer, or its absence, means for the message. Judged by the reply code and the
 * command it answers; nodemailer's own error codes say the same for a temporary and a permanent refusal.
 */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import type { KnownFailure } from "../http-call.ts";
import { providerText } from "../provider-text.ts";
import { transportOutcome } from "../transport-outcome.ts";

/** The members that nodemailer puts on its errors. */
type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

const unavailable: KnownFailure = {
  retry: "later",
  code: "provider_unavailable",
  detail: "The mail server cannot be reached at the moment",
};
const credentials: KnownFailure = {
  retry: "failover",
  code: "provider_credentials",
  detail: "The mail server does not accept the connection's user name and password",
};
const deferred: KnownFailure = {
  retry: "later",
  code: "provider_deferred",
  detail: "The mail server asks to try again later",
};
const invalidRecipient: KnownFailure = {
  retry: "never",
  code: "invalid_recipient",
  detail: "The mail server does not know the recipient",
};
const contentRejected: KnownFailure = {
  retry: "never",
  code: "content_rejected",
  detail: "The mail server refuses the content of the message",
};

/**
 * @param bodyBegun whether a byte of the message itself was handed to the connection. Without a reply
 *   from then on, it is unknown whether the server accepted it.
 */
export function smtpOutcome(thrown: unknown, bodyBegun: boolean): SendOutcome {
  if (thrown instanceof OutboundError) return transportOutcome(thrown);
  const error: SmtpError = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error.responseCode) {
    return {
      kind: "not_sent",
      ...verdictOfReply(error, error.responseCode),
      ...said(error, error.responseCode),
    };
  }
  if (bodyBegun) {
    const timedOut = error.code === "ETIMEDOUT" || error.code === "EABORT";
    return timedOut
      ? {
          kind: "unknown",
          code: "provider_timeout",
          detail: "The mail server did not confirm the message in time",
        }
      : {
          kind: "unknown",
          code: "provider_connection_lost",
          detail: "The connection broke before the mail server confirmed the message",
        };
  }
  return { kind: "not_sent", ...verdictWithoutReply(error) };
}

function verdictOfReply(error: SmtpError, reply: number): KnownFailure {
  const command = error.command ?? "";
  const enhanced = /^\d{3}[ -]([245])\.(\d{1,3})\.(\d{1,3})\b/.exec(error.response ?? "");
  const topic = enhanced ? `${enhanced[2]}.${enhanced[3]}` : "";
  const loginRefused = reply === 530 || reply === 534 || reply === 535 || reply === 538;
  if (loginRefused || (error.code === "EAUTH" && reply >= 500)) return credentials;
  if (reply < 500) return reply === 421 || command.startsWith("AUTH") ? unavailable : deferred;
  if (command === "MAIL FROM") {
    if (topic === "3.4" || reply === 552) return tooLarge;
    return {
      retry: "failover",
      code: "sender_rejected",
      detail: "The mail server does not accept this sender",
    };
  }
  if (command === "RCPT TO") return verdictOfRecipient(reply, topic);
  if (command === "DATA") return topic === "3.4" || reply === 552 ? tooLarge : contentRejected;
  return {
    retry: "failover",
    code: "provider_rejected",
    detail: "The mail server does not talk to this service",
  };
}

const tooLarge: KnownFailure = {
  retry: "failover",
  code: "message_too_large",
  detail: "The message is larger than the mail server allows",
};

/** Refusals for policy (5.7.x, "relay access denied") speak about us, not about the mailbox. */
function verdictOfRecipient(reply: number, topic: string): KnownFailure {
  if (topic.startsWith("7.") || (topic === "" && (reply === 554 || reply === 521))) {
    return {
      retry: "failover",
      code: "provider_rejected",
      detail: "The mail server does not take mail for this recipient from this service",
    };
  }
  if (topic === "2.2" || reply === 552) {
    return { retry: "never", code: "mailbox_full", detail: "The recipient's mailbox is full" };
  }
  return invalidRecipient;
}

function verdictWithoutReply(error: SmtpError): KnownFailure {
  if (error.code === "EAUTH" || error.code === "ENOAUTH") return credentials;
  if (error.code === "ETLS")
    return { ...unavailable, code: "provider_tls_failed", detail: "TLS with the mail server failed" };
  if (error.code === "EENVELOPE") return invalidRecipient;
  if (error.code === "EMESSAGE") return tooLarge;
  return unavailable;
}

function said(error: SmtpError, reply: number): { providerCode: string; providerMessage?: string } {
  const text = providerText(error.response ?? "");
  return { providerCode: String(reply), ...(text === "" ? {} : { providerMessage: text }) };
}
