import { SharedError } from "./shared-error.ts";

/**
 * Every error that leaves the service: code → HTTP status and title (RFC 9457). REST and tRPC both use this table, so
 * that a failure has the same code and status in both.
 */
export const errorTable = {
  address_not_allowed: { status: 403, title: "The API key can't be used from this address" },
  agent_limit: { status: 403, title: "The agent's key is not allowed to do this" },
  ai_budget_exhausted: { status: 429, title: "The organisation's AI budget for this month is used up" },
  ai_unavailable: { status: 503, title: "The AI service is not available" },
  connection_in_use: { status: 409, title: "Routing rules use the connection" },
  conflict: { status: 409, title: "The state of the resource does not allow this" },
  cursor_expired: { status: 400, title: "The cursor is too old" },
  depth_exceeded: { status: 400, title: "The JSON is nested too deeply" },
  environment_mismatch: { status: 403, title: "The API key belongs to another environment" },
  forbidden_address: { status: 422, title: "The address is not allowed" },
  idempotency_mismatch: { status: 422, title: "The identifier was already used with a different body" },
  internal_error: { status: 500, title: "Something went wrong on our side" },
  invalid_cursor: { status: 400, title: "The cursor is not valid" },
  invalid_encoding: { status: 400, title: "The text contains characters that cannot be stored" },
  invalid_json: { status: 400, title: "The body is not valid JSON" },
  invalid_request: { status: 422, title: "The request is not valid" },
  invalid_signature: { status: 401, title: "The signature is not valid" },
  invalid_template: { status: 422, title: "The template is not valid" },
  invalid_variable: { status: 422, title: "A variable has a value that the template does not allow" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  missing_variable: { status: 422, title: "A variable required by the template is missing" },
  moderation_blocked: { status: 422, title: "Moderation refused the text" },
  moderation_unavailable: { status: 503, title: "The text could not be moderated" },
  not_found: { status: 404, title: "Not found" },
  organisation_required: { status: 409, title: "The organisation is required" },
  organisation_suspended: { status: 403, title: "The organisation is suspended" },
  payload_too_large: { status: 413, title: "The body is too large" },
  permission_denied: { status: 403, title: "Permission denied" },
  promotion_conflict: { status: 409, title: "Another promotion or deployment conflicts with this one" },
  quota_exceeded: { status: 429, title: "The organisation has reached a limit that the operator set" },
  rate_limited: { status: 429, title: "Too many requests" },
  region_not_allowed: { status: 422, title: "The organisation's data may not be processed in this region" },
  request_in_progress: { status: 409, title: "The same request is still in progress" },
  revision_conflict: { status: 409, title: "Someone else has changed it in the meantime" },
  second_factor_failed: { status: 401, title: "Wrong code" },
  second_factor_missing: { status: 403, title: "The organisation requires a second factor" },
  second_factor_required: { status: 401, title: "A second factor is required" },
  sender_not_allowed: { status: 422, title: "The sender is not allowed" },
  sending_held: { status: 503, title: "Sending is on hold" },
  service_overloaded: { status: 503, title: "The service is overloaded" },
  sign_in_failed: { status: 401, title: "Wrong e-mail address or password" },
  sign_in_slowed: { status: 429, title: "Too many failed sign-ins" },
  sign_in_way_not_allowed: { status: 403, title: "The organisation requires another way to sign in" },
  template_exists: { status: 409, title: "A template for the same audience exists" },
  tenant_mismatch: { status: 403, title: "The API key belongs to another tenant" },
  unauthenticated: { status: 401, title: "Authentication is missing or not valid" },
  unknown_application: { status: 422, title: "Unknown application" },
  unknown_contact_group: { status: 422, title: "Unknown contact group" },
  unknown_notification_type: { status: 422, title: "Unknown notification type" },
  unknown_template: { status: 422, title: "No template matches the request" },
  unsupported_media_type: { status: 415, title: "The content type is not supported" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** One problem in a request body: where (RFC 6901 pointer), what kind, and what to change. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}

/** What a domain throws. `detail` is shown to the caller: it says what to change and holds no secret. */
export class DomainError extends SharedError {
  static override readonly kind = "domain";
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  /** Seconds until it makes sense to try again; becomes `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Further members of the problem document, e.g. `allowed`. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      errors?: readonly FieldError[];
      retryAfter?: number;
      extra?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfter = options.retryAfter;
    this.extra = options.extra ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** The error for an unknown id and, byte for byte, for somebody else's. */
export function notFound(): DomainError {
  return new DomainError("not_found", "Not found, or you don't have access to it.");
}
