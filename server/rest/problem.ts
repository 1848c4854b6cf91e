import { FastResponse } from "srvx";
import { env } from "../kernel/env.ts";
import { errorTable } from "../kernel/errors.ts";
import type { ErrorCode, DomainError } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";

/** An error as in RFC 9457, with our members after the standard ones. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ErrorCode;
  requestId: string;
  errors: readonly { pointer: string; code: string; detail: string }[];
  [extra: string]: unknown;
}

/** Default of Retry-After in seconds, for errors without their own. */
const defaultRetryAfter: Partial<Record<ErrorCode, number>> = {
  rate_limited: 1,
  request_in_progress: 1,
  sending_held: 60,
  service_overloaded: 2,
  sign_in_slowed: 30,
};

/**
 * The problem document. It names the request but not its path, so that the answer for a foreign id is the same, byte for
 * byte, as for an unknown one.
 */
export function problemOf(error: DomainError, requestId: string): Problem {
  const { status, title } = errorTable[error.code];
  return {
    type: `${env().publicUrl}/docs/errors#${error.code}`,
    title,
    status,
    detail: error.message,
    instance: isUuid(requestId) ? `urn:uuid:${requestId}` : `#${requestId}`,
    code: error.code,
    requestId,
    errors: error.errors,
    ...error.extra,
  };
}

export function problemResponse(
  error: DomainError,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const retryAfter = error.retryAfter ?? defaultRetryAfter[error.code];
  const { status } = errorTable[error.code];
  return new FastResponse(JSON.stringify(problemOf(error, requestId)), {
    status,
    headers: {
      ...headers,
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...(retryAfter === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryAfter))) }),
      ...(status === 401 ? { "www-authenticate": 'Bearer realm="tidings"' } : {}),
    },
  });
}
