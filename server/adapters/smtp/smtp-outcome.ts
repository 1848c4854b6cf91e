/**
 * What an SMTP server's answer, or its absence, means for the message. Judged by the reply code and the
 * command it answers; nodemailer's own error codes say the same for a temporary and a permanent refusal.
 */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { SendOutcome } from "../adapter.ts";
import {
  invalidMailbox,
  mailboxFull,
  policyRejected,
  refusalOfStatus,
  senderRefused,
  senderUnauthenticated,
  statusOf,
} from "../email-failures.ts";
import type { KnownFailure } from "../http-call.ts";
import { providerText } from "../provider-text.ts";
import { transportOutcome } from "../transport-outcome.ts";
import { tlsFailure } from "./tls-failure.ts";

/** The members that nodemailer puts on its errors. `originalCode`: what Node or OpenSSL called it. */
type SmtpError = Error & {
  code?: string;
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
};

type Verdict = KnownFailure & { hardBounce?: true };

const unavailable: KnownFailure = {
  retry: "later",
  code: "provider_unavailable",
  detail: "The mail server cannot be reached at the moment",
};
const sessionRefused: KnownFailure = {
  ...unavailable,
  detail: "The mail server does not talk to this service",
};
const credentials: KnownFailure = {
  retry: "failover",
  code: "provider_credentials",
  detail: "The mail server does not accept the connection's user name and password",
};
const loginRequired: KnownFailure = {
  retry: "failover",
  code: "provider_login_required",
  detail:
    "The mail server takes mail only after a login: check that the connection has a user name and a password",
};
const tlsRequired: KnownFailure = {
  retry: "failover",
  code: "provider_tls_failed",
  detail:
    "The mail server takes mail only over an encrypted connection: choose STARTTLS or TLS as the connection's security",
};
const noStartTls: KnownFailure = {
  retry: "later",
  code: "provider_tls_failed",
  detail:
    "The mail server does not start TLS when it is asked to: choose TLS as the connection's security if it expects that from the first byte, which it usually does on port 465",
};
const deferred: KnownFailure = {
  retry: "later",
  code: "provider_deferred",
  detail: "The mail server asks to try again later",
};
const contentRejected: KnownFailure = {
  retry: "never",
  code: "content_rejected",
  detail: "The mail server refuses the content of the message",
};
const unknownRecipient: KnownFailure = {
  ...invalidMailbox,
  detail: "The mail server does not know the recipient",
};
const notRelayed: KnownFailure = {
  retry: "failover",
  code: "provider_rejected",
  detail: "The mail server does not take mail for this recipient from this service",
};
const tooLarge: KnownFailure = {
  retry: "failover",
  code: "message_too_large",
  detail: "The message is larger than the mail server allows",
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

function verdictOfReply(error: SmtpError, reply: number): Verdict {
  const command = error.command ?? "";
  const response = error.response ?? "";
  const topic = statusOf(response, reply);
  // 530 and 538 say what is missing, not that what was given is wrong: RFC 3207, RFC 4954.
  if (reply === 538 || (reply === 530 && /\b(start)?tls\b|\bssl\b|encrypt/i.test(response.slice(0, 1_000))))
    return tlsRequired;
  if (reply === 530 && !command.startsWith("AUTH")) return loginRequired;
  if (reply === 534 || reply === 535 || (error.code === "EAUTH" && reply >= 500)) return credentials;
  if (command === "STARTTLS") return noStartTls;
  if (reply < 500) return reply === 421 || command.startsWith("AUTH") ? unavailable : deferred;
  if (command === "MAIL FROM") return verdictOfSender(reply, topic);
  if (command === "RCPT TO") return verdictOfRecipient(reply, topic, response);
  if (command === "DATA") return verdictOfMessage(reply, topic);
  return sessionRefused;
}

function verdictOfSender(reply: number, topic: string): Verdict {
  if (topic === "3.4" || reply === 552) return tooLarge;
  return refusalOfStatus(topic) === senderUnauthenticated
    ? senderUnauthenticated
    : { ...senderRefused, detail: "The mail server does not accept this sender" };
}

/** Refusals for policy (5.7.x, "relay access denied") speak about us, not about the mailbox. */
function verdictOfRecipient(reply: number, topic: string, response: string): Verdict {
  if (topic === "" && (reply === 554 || reply === 521)) return notRelayed;
  if (topic === "7.1" && /\brelay/i.test(response.slice(0, 1_000))) return notRelayed;
  if (topic === "" && reply === 552) return mailboxFull;
  return recipientIn(topic) ?? refusalOfStatus(topic) ?? unknownRecipient;
}

/** Many servers name the recipient, the sender or their policy only here, when they have seen the whole message. */
function verdictOfMessage(reply: number, topic: string): Verdict {
  if (topic === "" && reply === 552) return tooLarge;
  if (topic === "" || topic === "0.0" || topic.startsWith("6.")) return contentRejected;
  return recipientIn(topic) ?? refusalOfStatus(topic) ?? policyRejected;
}

/** What RFC 3463 and RFC 7505 keep for an address or a domain that does not exist, or not any more. */
const nobodyThere = new Set(["1.1", "1.2", "1.3", "1.6", "1.10", "2.1", "4.4", "4.310"]);

function recipientIn(topic: string): Verdict | undefined {
  return nobodyThere.has(topic) ? { ...unknownRecipient, hardBounce: true } : undefined;
}

function verdictWithoutReply(error: SmtpError): Verdict {
  if (error.code === "EAUTH" || error.code === "ENOAUTH") return credentials;
  const tls = tlsFailure(error);
  if (tls) return tls;
  if (error.code === "EENVELOPE") return unknownRecipient;
  if (error.code === "EMESSAGE") return tooLarge;
  return unavailable;
}

function said(error: SmtpError, reply: number): { providerCode: string; providerMessage?: string } {
  const text = providerText(error.response ?? "");
  return { providerCode: String(reply), ...(text === "" ? {} : { providerMessage: text }) };
}
