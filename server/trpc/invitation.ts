import { acceptInvitation, readInvitation } from "../access/accept-invitation.ts";
import { acceptInvitationSchema } from "../access/schemas.ts";
import { sharedDb } from "../kernel/db.ts";
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

/**
 * What the accept page asks: with a token alone what the invitation is for; with `accept` to become a member. The page signs in
 * like everybody afterwards. Answers the facts, or what a failed procedure tells the portal.
 */
export async function handleInvitation(request: Request): Promise<Response> {
  const requestId = newId();
  const answer = (status: number, body: unknown) =>
    Response.json(body, { status, headers: { "cache-control": "no-store", "x-request-id": requestId } });
  try {
    if (!isSameOrigin(request.headers, env().publicUrl)) {
      throw new DomainError("permission_denied", "This request did not come from the portal's own pages.");
    }
    const length = request.headers.get("content-length");
    if (length === null || Number(length) > maxBodyBytes) {
      throw new DomainError("payload_too_large", "The body is too large, or does not say how long it is.");
    }
    const body: unknown = await request.json().catch(() => {
      throw new DomainError("invalid_json", "The body could not be read as JSON.");
    });
    checkInput(body);
    const { token, accept } = acceptInvitationSchema.parse(body);
    const db = sharedDb("web");
    if (!accept) return answer(200, await readInvitation(db, { token, requestId }));
    const from = {
      // Judged by the front door: where the request came from, whatever its sender claimed.
      ip: request.headers.get("x-forwarded-for"),
      userAgent: request.headers.get("user-agent"),
      requestId,
      device: cookieOf(request.headers.get("cookie"), deviceCookie),
    };
    return answer(200, await acceptInvitation(db, { token, ...accept, ...from }));
  } catch (error) {
    if (isUnexpected(error)) logger().error({ err: error, requestId }, "an invitation was not answered");
    const facts = errorFacts(toTrpcError(error), requestId);
    return answer(facts.status, facts);
  }
}
