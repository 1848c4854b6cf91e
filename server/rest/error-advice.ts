import type { ErrorCode } from "../kernel/errors.ts";

/** What to do about an error, for /docs/errors; empty where the title says it all. */
export const errorAdvice: Partial<Record<ErrorCode, string>> = {
  address_not_allowed:
    "Call from a network that the key is allowed for, or have yours added to the key by whoever manages it.",
  agent_limit:
    "The detail says which limit: have it changed by whoever manages the key, or send through a person or another key.",
  ai_budget_exhausted: "Raise the budget in the organisation's AI settings, or wait for the next month.",
  ai_unavailable: "The detail says why and what to do; texts can always be written without it.",
  conflict: "Read the resource again and decide anew; repeating the request will not help.",
  depth_exceeded: "Nest arrays and objects at most 32 levels deep.",
  environment_mismatch: "Use a key of the environment in question.",
  forbidden_address: "Give an address that is reachable from the public internet.",
  idempotency_mismatch:
    "The same transactionId or Idempotency-Key was used with another body. Use a new identifier for a new request.",
  internal_error:
    "Try again with the same transactionId or Idempotency-Key: nothing is sent twice. Report the requestId if it persists.",
  invalid_cursor:
    "Pass nextCursor of the page before unchanged, with the same filters, or start without a cursor.",
  invalid_encoding:
    "Send UTF-8 without NUL characters and without halves of surrogate pairs, also as \\u escapes.",
  invalid_json:
    "Send one JSON value as RFC 8259 has it, with no name twice in an object. The detail says where it goes wrong.",
  invalid_request: "Mend what errors lists: pointer says where, detail says how.",
  invalid_signature: "Sign the request as the documentation of this route says.",
  invalid_template: "Mend what errors lists; nothing was saved.",
  invalid_variable: "Send a value of the type that the template declares; errors names the variable.",
  missing_variable: "Send a value for each variable that the template declares as required.",
  method_not_allowed: "The Allow header lists the methods of this path.",
  moderation_blocked: "Change the passages that the findings name.",
  moderation_unavailable:
    "The AI service that moderates gave no usable answer; nothing was saved. Send the same request again after Retry-After.",
  not_found:
    "The path or id is wrong, or the thing belongs to somebody else; the answer is the same on purpose.",
  organisation_required: "Name the organisation at sign-in; several have an account for this address.",
  organisation_suspended:
    "Whoever runs the service has stopped the organisation; ask them. What was accepted before waits for as long as it may.",
  payload_too_large: "Send at most 1 MiB; split large requests.",
  permission_denied: "Ask for a key or role that holds the permission named in the detail.",
  promotion_conflict:
    "conflicts names the templates and what is in the way: wait for that promotion, reject it, or request anew.",
  quota_exceeded:
    "The detail says which limit and until when; Retry-After says it in seconds. Nothing of the request was accepted. Ask whoever runs the service for more.",
  rate_limited: "Wait for as long as Retry-After says. RateLimit tells how much is left.",
  request_in_progress: "The first request with this identifier has no answer yet; try again after a second.",
  second_factor_failed: "Enter the next code of the app, or a recovery code that was not used yet.",
  second_factor_missing: "Set up a second factor, under Sessions and sign-in.",
  second_factor_required: "Sign in again with the code of the authenticator app, or a recovery code.",
  sender_not_allowed:
    "Name a sender that a connection lists for the application's unit, or have it added to the connection's senders. A number of an operator's channel is lent by the operator.",
  service_overloaded: "Wait for as long as Retry-After says, then send the same request again.",
  sign_in_failed: "Check both; the answer does not tell which of them is wrong.",
  sign_in_slowed: "Wait for as long as Retry-After says.",
  sign_in_way_not_allowed: "Sign in as the detail says, or ask an administrator of the organisation.",
  template_exists: "Change the existing template instead.",
  tenant_mismatch: "Leave X-Tenant-Id out or send the key's own tenant.",
  unauthenticated: "Send Authorization: Bearer and a key that has not expired and was not revoked.",
  unknown_application: "Use the name of an application that the key may use.",
  unknown_contact_group: "Use the name of a contact group of this tenant.",
  unknown_notification_type:
    "Use a type and subtype of the tenant's catalogue; the answer lists what is allowed.",
  unknown_template: "Create the template, or deploy it to the key's environment.",
  unsupported_media_type: "Send Content-Type: application/json, in UTF-8 and without Content-Encoding.",
};
