import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { safeTarget } from "../../components/access/safe-target.ts";
import { callerGroup } from "../kernel/client-address.ts";
import { sharedDb } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { findProviders } from "../sso/find-providers.ts";
import { finishSignIn } from "../sso/finish-sign-in.ts";
import { journeySeconds } from "../sso/journey.ts";
import { findProvidersSchema, ssoLimits, startSignInSchema } from "../sso/schemas.ts";
import type { RefusalReason } from "../sso/schemas.ts";
import { SignInRefused } from "../sso/sign-in-refused.ts";
import { startSignIn } from "../sso/start-sign-in.ts";
import { beginSession } from "./begin-session.ts";
import { secureCookies } from "./session-token.ts";
import { cookieOf } from "./sign-in-cookies.ts";
import { originOf, takeForm } from "./take-form.ts";

/** In each web process; counted by address, so that a company behind one of them still gets in on Monday morning. */
const limiter = new RateLimiterMemory({ keyPrefix: "sso", points: ssoLimits.callsPerMinute, duration: 60 });

/** Throws `rate_limited`. */
async function countCall(door: string, ip: string | null): Promise<void> {
  try {
    await limiter.consume(`${door} ${ip === null ? "unknown" : callerGroup(ip)}`);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new DomainError("rate_limited", "Too many sign-ins from your network. Try again in a minute.", {
      retryAfter,
    });
  }
}

/** Where there is TLS the browser takes it from nobody but this very host. */
const journeyCookie = () => (secureCookies() ? "__Host-tidings-sso" : "tidings-sso");
const keep = (value: string, seconds: number) =>
  `${journeyCookie()}=${value}; Path=/; Max-Age=${String(seconds)}; HttpOnly; SameSite=Lax${secureCookies() ? "; Secure" : ""}`;

/** Which identity providers vouch for the people of a domain. */
export function handleFindProviders(request: Request): Promise<Response> {
  return takeForm(request, findProvidersSchema, async ({ domain }, { ip }) => {
    await countCall("find", ip);
    return findProviders(sharedDb("web"), domain);
  });
}

/** Somebody leaves for an identity provider: where to, and what their browser keeps. */
export async function handleStartSignIn(request: Request): Promise<Response> {
  let kept: string | undefined;
  const response = await takeForm(request, startSignInSchema, async (input, { ip }) => {
    await countCall("start", ip);
    try {
      const started = await startSignIn(sharedDb("web"), { ...input, target: safeTarget(input.target) });
      kept = started.kept;
      return { url: started.url };
    } catch (error) {
      if (error instanceof SignInRefused) return { refused: error.reason };
      throw error;
    }
  });
  if (kept !== undefined) response.headers.append("set-cookie", keep(kept, journeySeconds));
  return response;
}

/** Errors that the sign-in page words otherwise for who comes from a provider: they typed no password, for one. */
const saidOfProviders: Partial<Record<ErrorCode, RefusalReason>> = {
  rate_limited: "sso_busy",
  sign_in_failed: "sso_expired",
};

/** Somebody comes back: into the portal, or to the sign-in page, which says why not. */
export async function handleSsoCallback(
  request: Request,
  context: { params: Promise<{ tenant: string }> },
): Promise<Response> {
  const { tenant: tenantId } = await context.params;
  const from = originOf(request.headers);
  const cookies = request.headers.get("cookie");
  const headers = new Headers({
    "cache-control": "no-store",
    // The address has the code in it.
    "referrer-policy": "no-referrer",
    "x-request-id": from.requestId,
  });
  headers.append("set-cookie", keep("", 0));
  const leadTo = (path: string) => {
    headers.set("location", `${env().publicUrl}${path}`);
    return new Response(null, { status: 303, headers });
  };
  try {
    await countCall("callback", from.ip);
    const query = new URL(request.url).searchParams;
    const kept = cookieOf(cookies, journeyCookie());
    const { signedIn, target } = await finishSignIn(sharedDb("web"), { tenantId, query, kept }, from);
    for (const cookie of await beginSession(sharedDb("web"), cookies, signedIn))
      headers.append("set-cookie", cookie);
    const path = safeTarget(target);
    return leadTo(path === "/" ? `/${signedIn.tenantSlug}/overview` : path);
  } catch (error) {
    if (error instanceof SignInRefused) {
      logger().warn(
        { err: error, tenantId, requestId: from.requestId },
        "a sign-in through an identity provider failed",
      );
      return leadTo(`/sign-in?error=${error.reason}`);
    }
    if (error instanceof DomainError) {
      return leadTo(`/sign-in?error=${saidOfProviders[error.code] ?? error.code}`);
    }
    logger().error(
      { err: error, requestId: from.requestId },
      "a sign-in through an identity provider failed unexpectedly",
    );
    return leadTo("/sign-in?error=internal_error");
  }
}
