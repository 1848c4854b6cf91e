import type { z } from "zod";
import type { SignInOrigin } from "../access/sign-in.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { checkInput } from "./check-input.ts";
import { errorFacts, isUnexpected, toTrpcError } from "./errors.ts";
import { isSameOrigin } from "./same-origin.ts";
import { cookieOf, deviceCookie } from "./sign-in-cookies.ts";

/** Largest body: a token, a name and a password. */
const maxBodyBytes = 16 * 1_024;

/** Where a request of somebody who is not signed in comes from. */
export function originOf(headers: Headers): SignInOrigin {
  return {
    // As resolved by the front door, whatever the sender claimed.
    ip: headers.get("x-forwarded-for"),
    userAgent: headers.get("user-agent"),
    requestId: newId(),
    device: cookieOf(headers.get("cookie"), deviceCookie),
  };
}

/**
 * Takes a form of somebody who is not signed in, as JSON from a page of this site. Answers what became of it, or what a failed
 * procedure tells the portal.
 */
export async function takeForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  work: (input: z.output<Schema>, from: SignInOrigin) => Promise<unknown>,
): Promise<Response> {
  const from = originOf(request.headers);
  const { requestId } = from;
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    Response.json(body, {
      status,
      headers: { "cache-control": "no-store", "x-request-id": requestId, ...headers },
    });
  try {
    if (!isSameOrigin(request.headers, env().publicUrl)) {
      throw new DomainError("permission_denied", "This did not come from one of our own pages.");
    }
    if (!request.headers.get("content-type")?.startsWith("application/json")) {
      throw new DomainError("unsupported_media_type", "Send the form as application/json.");
    }
    // Browsers always say how long a body is; without that there would be no bound.
    const length = request.headers.get("content-length");
    if (length === null || Number(length) > maxBodyBytes) {
      throw new DomainError("payload_too_large", "The form is too long, or does not say how long it is.");
    }
    const body: unknown = await request.json().catch(() => {
      throw new DomainError("invalid_json", "The form could not be read as JSON.");
    });
    checkInput(body);
    return answer(200, await work(schema.parse(body), from));
  } catch (error) {
    if (isUnexpected(error)) logger().error({ err: error, requestId }, "a form failed");
    const facts = errorFacts(toTrpcError(error), requestId);
    return answer(
      facts.status,
      facts,
      facts.retryAfter === undefined ? {} : { "retry-after": String(facts.retryAfter) },
    );
  }
}
