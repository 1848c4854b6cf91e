import type { ErrorCode } from "../kernel/errors.ts";

/** What to do about an error, for /docs/errors; empty where the title says it all. */
export const errorAdvice: Partial<Record<ErrorCode, string>> = {
  address_not_allowed: "Call from a network the key allows, or ask its owner to add yours.",
  agent_limit: "The detail says which limit. Ask the key's owner to change it, or use another key.",
  ai_budget_exhausted: "Raise the budget in the organisation's AI settings, or wait for the next month.",
  ai_unavailable: "The detail says why and what to do. Templates can always be written without it.",
  conflict: "Read the resource again first. Repeating the request will not help.",
  cursor_expired:
    "Start again without a cursor, or with since. What happened before is not in the feed any more.",
  depth_exceeded: "Nest arrays and objects at most 32 levels deep.",
  environment_mismatch: "Use a key of that environment.",
  forbidden_address: "Use an address that is reachable from the public internet.",
  idempotency_mismatch:
    "The same transactionId or Idempotency-Key was used with another body. Use a new identifier for a new request.",
  internal_error:
    "Try again with the same transactionId or Idempotency-Key: nothing is sent twice. Report the requestId if it persists.",
  invalid_cursor:
    "Pass nextCursor of the previous page unchanged and with the same filters, or start without a cursor.",
  invalid_encoding:
    "Send UTF-8 without NUL characters and without halves of surrogate pairs, also as \\u escapes.",
  invalid_json:
    "Send one JSON value (RFC 8259) without duplicate names in an object. The detail says where the error is.",
  invalid_request: "Fix what errors lists: pointer says where, detail says how.",
  invalid_signature: "Sign the request as described in the documentation of this route.",
  invalid_template: "Fix what errors lists. Nothing was saved.",
  invalid_variable: "Send a value of the type declared by the template. errors contains the variable.",
  missing_variable: "Send a value for each variable that the template declares as required.",
  method_not_allowed: "The Allow header lists the methods of this path.",
  moderation_blocked: "Change the passages in the findings.",
  moderation_unavailable: "The AI service gave no usable answer. Nothing was saved. Retry after Retry-After.",
  not_found: "The path or ID is wrong, or you don't have access. The answer is the same on purpose.",
  organisation_required: "Enter the organisation at sign-in. Several have an account for this address.",
  organisation_suspended:
    "The operator has suspended the organisation. Accepted messages wait until they expire.",
  payload_too_large: "The detail says how much there may be. Split it into several requests.",
  permission_denied: "Use a key or role with the permission in the detail.",
  promotion_conflict:
    "conflicts lists the templates and what blocks them. Wait for that promotion, reject it, or request again.",
  quota_exceeded:
    "The detail says which limit and until when. Nothing in the request was accepted. Ask your operator for more.",
  rate_limited: "Wait as long as Retry-After says. RateLimit shows how much is left.",
  request_in_progress: "The first request with this identifier has no answer yet. Try again after a second.",
  second_factor_failed: "Enter the next code from the app, or an unused recovery code.",
  second_factor_missing: "Set up a second factor under Your account.",
  second_factor_required: "Sign in again with the code of the authenticator app, or a recovery code.",
  sender_not_allowed:
    "Use a sender that a connection lists for the application's unit, or add it to the connection. The operator assigns senders of an operator's channel.",
  sending_held:
    "Nothing was accepted. Send the same request again after Retry-After, with the same transactionId or Idempotency-Key.",
  service_overloaded: "Wait as long as Retry-After says, then send the same request again.",
  sign_in_failed: "Check both. The answer doesn't say which one is wrong.",
  sign_in_slowed: "Wait as long as Retry-After says.",
  sign_in_way_not_allowed: "Sign in as the detail says, or ask an administrator of the organisation.",
  template_exists: "Change the existing template instead.",
  tenant_mismatch: "Omit X-Tenant-Id or send the key's own tenant.",
  unauthenticated: "Send Authorization: Bearer and a key that has not expired and was not revoked.",
  unknown_application: "Use an application that the key has access to.",
  unknown_contact_group: "Use the name of a contact group of this tenant.",
  unknown_notification_type: "Use an existing type and subtype. The answer lists them.",
  unknown_template: "Create the template, or deploy it to the key's environment.",
  unsupported_media_type: "Send Content-Type: application/json, in UTF-8 and without Content-Encoding.",
};
