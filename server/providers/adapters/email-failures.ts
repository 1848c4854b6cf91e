/** What e-mail providers refuse, in our words; what they share with other channels is in known-failures.ts. */
import type { KnownFailure } from "./http-call.ts";

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
  code: "provider_rate_limited",
  retry: "failover",
  detail: "The account's quota at the provider is used up",
};
export const sendingPaused: KnownFailure = {
  code: "account_restricted",
  retry: "failover",
  detail: "The provider has paused sending for the connection's account",
};
