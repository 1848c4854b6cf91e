import type { KnownErrorCode, ProblemError } from "./schema.ts";

/** What the client itself reports, beside the codes of the API. */
export type ClientErrorCode =
  | "connection_failed"
  | "timeout"
  | "wait_timeout"
  | "unexpected_answer"
  | "invalid_configuration"
  | "invalid_webhook";

/** The codes of this version; a newer service may have others, so treat one you do not know by its status. */
export type ErrorCode = KnownErrorCode | ClientErrorCode | (string & {});

export interface TidingsErrorFacts {
  /** HTTP status; 0 without an answer. */
  status: number;
  code: ErrorCode;
  /** What to change. */
  detail: string;
  /** Each problem in the request, with an RFC 6901 pointer. */
  errors?: readonly ProblemError[];
  /** Quote this when you ask for help. */
  requestId?: string | undefined;
  /** Seconds until it makes sense to try again. */
  retryAfter?: number | undefined;
  /** The problem document as it came, with members of single codes such as `allowed`. */
  problem?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}

/** Every failure of the client. Tell them apart by `code`, by `status`, or by class. */
export class TidingsError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly ProblemError[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly problem: Readonly<Record<string, unknown>> | undefined;

  constructor(facts: TidingsErrorFacts) {
    const more = (facts.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`).join("");
    super(
      `${facts.detail} (${facts.status ? `${facts.status} ` : ""}${facts.code})${more}`,
      facts.cause === undefined ? undefined : { cause: facts.cause },
    );
    this.name = new.target.name;
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.problem = facts.problem;
  }
}

/** 401: the key is missing, unknown, expired or revoked. */
export class AuthenticationError extends TidingsError {}
/** 403: the key is valid and may not do this. */
export class PermissionDeniedError extends TidingsError {}
/** 404: it does not exist, or is not yours. */
export class NotFoundError extends TidingsError {}
/** 409: the state of the resource does not allow it. */
export class ConflictError extends TidingsError {}
/** 400, 413, 415, 422: `errors` says what to change. */
export class InvalidRequestError extends TidingsError {}
/** 429: a quota or a rate; `retryAfter` says how long. */
export class RateLimitError extends TidingsError {}
/** 5xx. */
export class ServerError extends TidingsError {}
/** No answer: DNS, TLS, a refused or broken connection. */
export class ConnectionError extends TidingsError {}
/** No answer in time. */
export class TimeoutError extends ConnectionError {}
/** A webhook that is not authentic, or too old. Answer it with 401. */
export class WebhookVerificationError extends TidingsError {}

/** The error of an answer that is no success. */
export function errorOf(
  status: number,
  body: unknown,
  headers: Headers,
  retryAfter: number | undefined,
): TidingsError {
  const problem = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : undefined;
  const isProblem = typeof problem?.code === "string";
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const facts: TidingsErrorFacts = {
    status,
    code: isProblem ? (problem.code as string) : "unexpected_answer",
    detail: isProblem
      ? (text(problem.detail) ?? text(problem.title) ?? "")
      : status >= 300 && status < 400
        ? `The answer is a redirect to ${headers.get("location") ?? "another address"}. Use that address as baseUrl`
        : "The answer is not from Tidings. Check baseUrl and any proxy in between",
    errors: isProblem && Array.isArray(problem.errors) ? (problem.errors as ProblemError[]) : [],
    requestId: text(problem?.requestId) ?? headers.get("x-request-id") ?? undefined,
    retryAfter,
    problem: isProblem ? problem : undefined,
  };
  return new (classOf(status))(facts);
}

function classOf(status: number): typeof TidingsError {
  switch (status) {
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionDeniedError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 429:
      return RateLimitError;
    case 400:
    case 413:
    case 415:
    case 422:
      return InvalidRequestError;
    default:
      return status >= 500 ? ServerError : TidingsError;
  }
}
