/** Whether a message is tried again, as long as it has time to live, after an attempt that failed with a code. */
export const retryDescriptions = {
  never: "No",
  elsewhere:
    "Immediately through another connection, never again through this one. Without another one it fails",
  failover: "Immediately through another connection, then after a pause",
  later: "After a pause, or through another connection if that takes too long",
  doubt: "Only after waiting for a receipt, so that nobody gets it twice",
  depends: "Through another connection, if that can help",
} as const;

/**
 * Every code that the product writes as the reason or the failure of a message, or as the outcome of an attempt, beside
 * the provider's own words. REST, webhooks and the portal show the code, /docs/errors this table.
 */
export const messageFailures = {
  account_restricted: { title: "The provider has restricted the connection's account", again: "failover" },
  approval_expired: { title: "The agent's message was not approved in time", again: "never" },
  approval_refused: { title: "The agent's message was rejected", again: "never" },
  attachment_unavailable: { title: "An attachment could not be fetched", again: "never" },
  callback_url_rejected: {
    title: "The provider does not accept the service's callback address",
    again: "elsewhere",
  },
  canceled: { title: "The message was canceled before it was sent", again: "never" },
  consent_denied: {
    title: "The recipient has opted out of this class of message on this channel, or never opted in to it",
    again: "never",
  },
  duplicate_recipient: {
    title: "The request contains the same address on the same channel twice",
    again: "never",
  },
  content_filtered: { title: "A carrier or the provider filtered the message as unwanted", again: "never" },
  content_rejected: { title: "The content of the message was refused", again: "never" },
  expired: { title: "The time-to-live passed before the message could be sent or delivered", again: "never" },
  internal_error: {
    title: "Something went wrong on our side while the provider was being called",
    again: "doubt",
  },
  frequency_cap: {
    title: "The recipient has reached the organisation's frequency cap",
    again: "later",
  },
  interrupted: { title: "The attempt was interrupted before the provider was called", again: "later" },
  invalid_message: { title: "The provider does not support this message", again: "depends" },
  invalid_recipient: {
    title: "The address does not exist or cannot receive this kind of message",
    again: "never",
  },
  invalid_variable: { title: "A variable has a value that the template does not allow", again: "never" },
  mail_hold: {
    title: "Marketing to the recipient's mailbox provider is held because of complaints or bounces",
    again: "later",
  },
  mailbox_full: { title: "The recipient's mailbox is full", again: "never" },
  mailbox_unavailable: {
    title: "The recipient's mailbox or server did not accept e-mail at the time",
    again: "never",
  },
  message_too_large: {
    title: "The message is larger than the provider or the recipient's server allows",
    again: "elsewhere",
  },
  missing_variable: { title: "A variable required by the template is missing", again: "never" },
  no_receipt: {
    title: "No receipt arrived in time, so delivery is unconfirmed",
    again: "never",
  },
  no_route: { title: "No active connection can send the message", again: "never" },
  opted_out: { title: "The recipient has opted out at the provider", again: "never" },
  outside_conversation: {
    title: "WhatsApp only accepts approved templates outside a conversation",
    again: "never",
  },
  policy_rejected: {
    title: "The mail server's policy refuses the message because of its content, sender or origin",
    again: "elsewhere",
  },
  price_limit: { title: "The message costs more than the provider account's limit", again: "elsewhere" },
  provider_answer_unreadable: { title: "The provider's answer could not be read", again: "doubt" },
  provider_blocked: { title: "The provider's address is not allowed", again: "failover" },
  provider_connection_lost: { title: "The connection broke before the provider answered", again: "doubt" },
  provider_credentials: {
    title: "The provider does not accept the connection's credentials",
    again: "failover",
  },
  provider_deferred: { title: "The provider asks to try again later", again: "later" },
  provider_error: { title: "The provider failed while it had the message", again: "doubt" },
  provider_expired: { title: "The provider did not deliver the message in time", again: "never" },
  provider_failed: { title: "The provider reports that the message was not delivered", again: "never" },
  provider_login_required: {
    title: "The provider requires a login that the connection does not have",
    again: "failover",
  },
  provider_out_of_funds: {
    title: "The connection's account at the provider has no funds left",
    again: "failover",
  },
  provider_partly_accepted: { title: "The provider accepted only some parts of the message", again: "doubt" },
  provider_quota_exceeded: {
    title: "The quota of the connection's account is used up",
    again: "failover",
  },
  provider_rate_limited: {
    title: "The provider does not accept more messages at the moment",
    again: "later",
  },
  provider_rejected: { title: "The provider refuses the message", again: "elsewhere" },
  provider_repetition: {
    title: "The provider already has a message with the same key and did not report its status",
    again: "doubt",
  },
  provider_timeout: { title: "The provider did not answer in time", again: "doubt" },
  provider_tls_failed: { title: "TLS with the provider failed", again: "later" },
  provider_unavailable: {
    title: "The provider cannot be reached or does not accept messages",
    again: "later",
  },
  quiet_hours: { title: "Quiet hours in the recipient's time zone", again: "later" },
  recipient_blocked: { title: "The recipient or the carrier blocks the message", again: "never" },
  recipient_not_allowed: { title: "The agent's key may not write to this address", again: "never" },
  recipient_not_verified: {
    title: "The provider's trial account may only write to verified numbers",
    again: "elsewhere",
  },
  recipient_unreachable: { title: "The recipient's device or network cannot be reached", again: "never" },
  region_not_enabled: {
    title: "The connection is not enabled for the recipient's country",
    again: "elsewhere",
  },
  render_failed: { title: "The template could not be rendered", again: "never" },
  sender_unauthenticated: {
    title: "The sender's domain does not pass SPF, DKIM or DMARC at the mail server",
    again: "elsewhere",
  },
  sender_not_allowed: { title: "The sender is not allowed", again: "never" },
  sender_rejected: { title: "The provider does not accept the sender", again: "elsewhere" },
  suppressed: { title: "The address is on the suppression list", again: "never" },
  suppressed_by_provider: {
    title: "The address is on the provider's own suppression list",
    again: "elsewhere",
  },
  template_disabled: { title: "The template was switched off before the message was sent", again: "never" },
  template_rejected: {
    title: "The provider does not accept the template or its variables",
    again: "depends",
  },
  template_too_slow: { title: "The template takes too long to render", again: "never" },
  too_many_attempts: { title: "Every attempt failed", again: "never" },
  undeliverable: { title: "The message could not be delivered to the recipient", again: "never" },
  undelivered: { title: "The provider could not deliver the message", again: "never" },
  unknown_template: { title: "No template matches the message, or it no longer exists", again: "never" },
  worker_lost: {
    title: "The process that was sending it ended before the answer was recorded",
    again: "doubt",
  },
} as const satisfies Record<string, { title: string; again: keyof typeof retryDescriptions }>;

export type FailureCode = keyof typeof messageFailures;

/**
 * Whether a connection that refuses a message with this code would refuse it each time: it is not asked again. What
 * concerns the account as a whole (credentials, funds, a quota) is not final, because somebody puts it right.
 */
export function isFinalForConnection(code: unknown): boolean {
  return isFailureCode(code) && ["never", "elsewhere", "depends"].includes(messageFailures[code].again);
}

export function isFailureCode(code: unknown): code is FailureCode {
  return typeof code === "string" && Object.hasOwn(messageFailures, code);
}
