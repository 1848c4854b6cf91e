/** What e-mail providers refuse, in our words; what they share with other channels is in known-failures.ts. */
import type { Receipt } from "./adapter.ts";
import type { KnownFailure } from "./http-call.ts";
import { failureOf } from "./known-failures.ts";
import { providerText } from "./provider-text.ts";
import { textOf } from "./untrusted.ts";

export const invalidMailbox: KnownFailure = {
  code: "invalid_recipient",
  retry: "never",
  detail: "The address does not exist or cannot receive e-mail",
};
export const mailboxFull: KnownFailure = {
  code: "mailbox_full",
  retry: "never",
  detail: "The recipient's mailbox is full",
};
/** It may work again: a server that cannot be reached, a mailbox that is locked or slow. */
export const mailboxUnavailable: KnownFailure = {
  code: "mailbox_unavailable",
  retry: "never",
  detail: "The recipient's mailbox or its server does not take mail at the moment",
};
export const messageTooLarge: KnownFailure = {
  code: "message_too_large",
  retry: "failover",
  detail: "The message is larger than the provider or the recipient's server takes",
};
export const emailRejected: KnownFailure = {
  code: "content_rejected",
  retry: "never",
  detail: "The recipient's server refuses the content of the message",
};
/** RFC 3463 5.7.x: about this message, its sender or where it comes from, and not about the mailbox. */
export const policyRejected: KnownFailure = {
  code: "policy_rejected",
  retry: "failover",
  detail:
    "The mail server refuses the message by its policy: for its content, its sender or the server that it comes from",
};
/** RFC 7372 and RFC 8616, and the codes that large mailbox providers use beside them. */
export const senderUnauthenticated: KnownFailure = {
  code: "sender_unauthenticated",
  retry: "failover",
  detail:
    "The mail server does not accept the sender's authentication: check SPF, DKIM and DMARC of the sender's domain",
};
export const senderRefused: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The recipient's server does not accept the sender",
};
export const senderUnverified: KnownFailure = {
  code: "sender_rejected",
  retry: "failover",
  detail: "The sender's address or domain is not verified at the provider",
};
/** Not a bounce: this message was not even tried. */
export const suppressedByProvider: KnownFailure = {
  code: "suppressed_by_provider",
  retry: "failover",
  detail: "The provider did not try, because the address is on its own suppression list",
};
export const quotaUsedUp: KnownFailure = {
  code: "provider_quota_exceeded",
  retry: "failover",
  detail: "The account's quota at the provider is used up",
};
export const sendingPaused: KnownFailure = {
  code: "account_restricted",
  retry: "failover",
  detail: "The provider has paused sending for the connection's account",
};
export const undelivered: KnownFailure = {
  code: "undelivered",
  retry: "failover",
  detail: "The recipient's server did not take the message",
};

/**
 * What a bounce says, by the status code of RFC 3463 that stands in it ("5.1.1", "smtp; 550 5.2.2 over quota").
 * `status` is the code found.
 */
export function bounceFailure(said: string | undefined): KnownFailure & { status?: string } {
  const found = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/.exec(said?.slice(0, 2_000) ?? "");
  if (!found) return undelivered;
  const [status, kind, subject, detail] = found;
  const failure = failureOfStatus(Number(subject), Number(detail));
  const passing = kind === "4" && (failure === invalidMailbox || failure === undelivered);
  return { ...(passing ? mailboxUnavailable : failure), status };
}

/** Subject and detail of the status code of RFC 3463 after a reply, such as "7.26" of "550-5.7.26 ..."; empty without one. */
export function statusOf(response: string, reply: number): string {
  const [, kind, subject, detail] = /^\d{3}[ -]([245])\.(\d{1,3})\.(\d{1,3})\b/.exec(response) ?? [];
  const fits = kind === String(reply)[0];
  return fits && subject !== undefined && detail !== undefined
    ? `${String(Number(subject))}.${String(Number(detail))}`
    : "";
}

/** What a server's own refusal means by its status ("7.26"); undefined for one that says nothing more than no. */
export function refusalOfStatus(status: string): KnownFailure | undefined {
  const [subject = Number.NaN, detail = Number.NaN] = status.split(".").map(Number);
  // "Delivery not authorised" and "other", not about an address: a relay, a loop, a broken session.
  if (subject === 3 && detail !== 4) return notTaken;
  if (subject === 4 || subject === 5) return notTaken;
  const failure = failureOfStatus(subject, detail);
  return failure === undelivered || (subject === 1 && detail === 0) ? undefined : failure;
}

const notTaken: KnownFailure = {
  code: "provider_rejected",
  retry: "failover",
  detail: "The mail server refuses the message",
};

/** 5.7.x about SPF, DKIM, DMARC and ARC; 5.7.25 (no name for the sending address) is the sending server's. */
const ofAuthentication = new Set([20, 21, 22, 23, 24, 26, 27, 29, 30, 32, 40, 509, 515]);

function failureOfStatus(subject: number, detail: number): KnownFailure {
  // 5.7.60 is how Exchange says that the login may not send as this sender.
  if ((subject === 1 && (detail === 7 || detail === 8)) || (subject === 7 && detail === 60))
    return senderRefused;
  if (subject === 1) return invalidMailbox;
  if (subject === 2) {
    if (detail === 2) return mailboxFull;
    return detail === 3 ? messageTooLarge : invalidMailbox;
  }
  if (subject === 3 && detail === 4) return messageTooLarge;
  if (subject === 7) return ofAuthentication.has(detail) ? senderUnauthenticated : policyRejected;
  return subject === 6 ? emailRejected : undelivered;
}

/**
 * A bounce in the words of Amazon SES and of those who send through it. `permanent`: the address will never work.
 * Source: https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html#event-publishing-retrieving-sns-contents-bounce-object
 * @param said what the recipient's server answered
 */
export function typedBounce(
  type: string | undefined,
  subType: string | undefined,
  said: string | undefined,
): { permanent: boolean; failure: KnownFailure; status?: string } {
  const { status, ...byStatus } = bounceFailure(said);
  const known = failureOf(BOUNCE_TYPES, subType ?? "") ?? byStatus;
  const failure = type === "Transient" && known.code === undelivered.code ? mailboxUnavailable : known;
  return { permanent: type === "Permanent", failure, ...(status === undefined ? {} : { status }) };
}

const BOUNCE_TYPES: Record<string, KnownFailure> = {
  NoEmail: invalidMailbox,
  Suppressed: invalidMailbox,
  OnAccountSuppressionList: suppressedByProvider,
  MailboxFull: mailboxFull,
  MessageTooLarge: messageTooLarge,
  ContentRejected: emailRejected,
  AttachmentRejected: emailRejected,
};

/** A receipt of a message that failed; `said` is what the provider wrote about it. */
export function failedReceipt({ code, detail }: KnownFailure, said: unknown): Partial<Receipt> {
  const words = providerText(textOf(said, 2_000) ?? "");
  return { status: "failed", code, detail, ...(words === "" ? {} : { providerMessage: words }) };
}
