import { TRPCError } from "@trpc/server";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";
import { z } from "zod";
import { fieldErrors } from "../kernel/closest-issues.ts";
import { DomainError, errorTable } from "../kernel/errors.ts";
import type { ErrorCode, FieldError } from "../kernel/errors.ts";
import { isUnavailable } from "../kernel/unavailable.ts";

/** `error.data` of a failed procedure. `code` is from the one error table. */
export interface ErrorFacts {
  code: ErrorCode;
  status: number;
  title: string;
  detail: string;
  errors: readonly FieldError[];
  /** Seconds until it makes sense to try again. */
  retryAfter?: number;
  /** Further members, e.g. `allowed`. */
  extra: Readonly<Record<string, unknown>>;
  requestId: string | null;
}

const byStatus: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
};

/** Maps whatever was thrown to the error table; undefined for unforeseen errors. */
function foreseen(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (error instanceof z.core.$ZodError) {
    return new DomainError("invalid_request", "Check the highlighted fields", {
      errors: fieldErrors(error),
    });
  }
  if (isUnavailable(error)) {
    return new DomainError(
      "service_overloaded",
      "The service cannot work on this right now. Try again shortly.",
    );
  }
  if (error instanceof TRPCError) {
    const cause = foreseen(error.cause);
    if (cause) return cause;
    switch (error.code) {
      case "NOT_FOUND":
        return new DomainError("not_found", "There is no such procedure.");
      case "PARSE_ERROR":
        return new DomainError("invalid_json", "The body could not be read as JSON.");
      case "METHOD_NOT_SUPPORTED":
        return new DomainError("method_not_allowed", "Queries are read with GET, mutations sent with POST.");
      case "UNSUPPORTED_MEDIA_TYPE":
        return new DomainError("unsupported_media_type", "Send the body as application/json.");
      case "PAYLOAD_TOO_LARGE":
        return new DomainError("payload_too_large", "The body is too large.");
      case "BAD_REQUEST":
        if (error.cause instanceof SyntaxError) {
          return new DomainError("invalid_json", "The input could not be read as JSON.");
        }
        return new DomainError("invalid_request", "The request is not valid.");
      default:
        return undefined;
    }
  }
  return undefined;
}

/** Whether an error is the service's own fault and has to be logged. */
export function isUnexpected(error: unknown): boolean {
  const known = foreseen(error);
  return known === undefined || known.status === 500;
}

/** Any failure as a DomainError; unforeseen ones reveal nothing. */
export function toDomainError(error: unknown): DomainError {
  return (
    foreseen(error) ??
    new DomainError(
      "internal_error",
      "Something went wrong on our side. Try again; if it stays, tell us the request id.",
    )
  );
}

/** A failure with the HTTP status of the error table, so that proxies and browsers see the right one. */
export function toTrpcError(error: unknown): TRPCError {
  const known = toDomainError(error);
  return new TRPCError({
    code: byStatus[known.status] ?? "INTERNAL_SERVER_ERROR",
    message: known.message,
    cause: known,
  });
}

/** The public facts of a failure. */
export function errorFacts(error: unknown, requestId: string | null): ErrorFacts {
  const known = toDomainError(error);
  const { status, title } = errorTable[known.code];
  return {
    code: known.code,
    status,
    title,
    detail: known.message,
    errors: known.errors,
    ...(known.retryAfter === undefined ? {} : { retryAfter: known.retryAfter }),
    extra: known.extra,
    requestId,
  };
}
