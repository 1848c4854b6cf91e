import NextAuthModule from "next-auth";
import type { AuthOptions, User } from "next-auth";
import type { NextRequest } from "next/server.js";
import { deviceSeconds } from "../access/known-device.ts";
import { signInWithIdentity, signInWithPassword } from "../access/sign-in.ts";
import type { SignInOrigin, SignedIn } from "../access/sign-in.ts";
import { signInWithPasskey } from "../access/sign-in-with-passkey.ts";
import { endSession, loadSession, sessionSeconds } from "../access/sessions.ts";
import { sharedDb } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { passkeyCookie, readAnswer } from "./passkey-request.ts";
import { decodeSession, secureCookies, sessionNameOf, sessionSecret } from "./session-token.ts";
import {
  cookieOf,
  deviceCookie,
  keepNamedOrganisation,
  namedOrganisation,
  organisationCookie,
} from "./sign-in-cookies.ts";
import { isSameOrigin } from "./same-origin.ts";
import { endBeside, keepBeside } from "./side-sessions.ts";
import { originOf } from "./take-form.ts";

type Handler = (
  request: NextRequest,
  context: { params: Promise<{ nextauth: string[] }> },
  options: AuthOptions,
) => Promise<Response>;

// CommonJS: whether `default` is the function or the module depends on who loads it.
const loaded = NextAuthModule as unknown as Handler | { default: Handler };
const nextAuth = typeof loaded === "function" ? loaded : loaded.default;

/** The person as next-auth passes it from sign-in to the token. */
type SignedInUser = User & { sid: string; tid: string };

function asUser(signedIn: SignedIn): SignedInUser {
  return { id: signedIn.userId, name: signedIn.name, sid: signedIn.sessionId, tid: signedIn.tenantId };
}

/** The `?error=` of sign-in failures: the code and, if any, the seconds to wait, e.g. "sign_in_slowed:30". */
function failureCode(error: unknown): Error {
  if (error instanceof DomainError) {
    return new Error(
      error.retryAfter === undefined ? error.code : `${error.code}:${String(error.retryAfter)}`,
    );
  }
  logger().error({ err: error }, "a sign-in failed unexpectedly");
  return new Error("internal_error");
}

/** Failures of single sign-on that the sign-in page explains; others are not told apart. */
const saidOnThePage = new Set(["organisation_required", "organisation_suspended", "sign_in_way_not_allowed"]);

/** Largest body of a sign-in: an address and a password. */
const maxBodyBytes = 16 * 1_024;

function options(
  from: SignInOrigin,
  previousCookies: string | null,
  signedInAs: (signedIn: SignedIn) => void,
): AuthOptions {
  const db = sharedDb("web");
  const { oidc } = env();
  return {
    secret: sessionSecret(),
    jwt: { decode: decodeSession },
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge: sessionSeconds },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    logger: {
      error: (code, metadata) => {
        const cause = metadata instanceof Error ? metadata : "error" in metadata ? metadata.error : undefined;
        // A cookie of an ended session is normal.
        if (code === "JWT_SESSION_ERROR") logger().debug({ code }, "a session cookie was not accepted");
        else logger().error({ code, err: cause }, "sign-in reported an error");
      },
      warn: (code) => logger().debug({ code }, "sign-in reported a warning"),
      debug: () => undefined,
    },
    providers: [
      {
        id: "credentials",
        name: "E-mail and password",
        type: "credentials",
        credentials: { organisation: {}, email: {}, password: {}, code: {} },
        authorize: async (credentials: Record<string, unknown> | undefined) => {
          const { organisation, email, password, code } = credentials ?? {};
          if (typeof email !== "string" || typeof password !== "string") throw new Error("sign_in_failed");
          try {
            const signedIn = await signInWithPassword(db, {
              organisation: typeof organisation === "string" ? organisation : null,
              email,
              password,
              code: typeof code === "string" ? code : null,
              ...from,
            });
            signedInAs(signedIn);
            return asUser(signedIn);
          } catch (error) {
            throw failureCode(error);
          }
        },
      },
      {
        id: "passkey",
        name: "Passkey",
        type: "credentials",
        credentials: { answer: {} },
        authorize: async (credentials: Record<string, unknown> | undefined) => {
          try {
            const signedIn = await signInWithPasskey(db, {
              answer: readAnswer(credentials?.answer),
              browser: cookieOf(previousCookies, passkeyCookie),
              ...from,
            });
            signedInAs(signedIn);
            return asUser(signedIn);
          } catch (error) {
            throw failureCode(error);
          }
        },
      },
      ...(oidc
        ? [
            {
              id: "oidc",
              name: oidc.name,
              type: "oauth" as const,
              wellKnown: `${oidc.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
              issuer: oidc.issuer,
              clientId: oidc.clientId,
              clientSecret: oidc.clientSecret,
              authorization: { params: { scope: "openid email profile" } },
              checks: ["pkce" as const, "state" as const, "nonce" as const],
              idToken: true,
              profile: (profile: { sub: string }) => ({ id: profile.sub }),
            },
          ]
        : []),
    ],
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        if (account?.provider !== "oidc") return true;
        const claims = profile as { email?: unknown; email_verified?: unknown } | undefined;
        if (typeof claims?.email !== "string" || claims.email_verified !== true) return false;
        try {
          const signedIn = await signInWithIdentity(db, {
            organisation: namedOrganisation(previousCookies),
            verifiedEmail: claims.email,
            ...from,
          });
          signedInAs(signedIn);
          Object.assign(user, asUser(signedIn));
          return true;
        } catch (error) {
          if (error instanceof DomainError && saidOnThePage.has(error.code)) {
            return `${env().publicUrl}/sign-in?error=${error.code}`;
          }
          if (error instanceof DomainError) return false;
          throw failureCode(error);
        }
      },
      // The cookie contains only the session's name.
      jwt: async ({ token, user }) => {
        // There is a user only at sign-in, whatever the type says.
        const signedIn = user as SignedInUser | undefined;
        if (signedIn) return { sid: signedIn.sid, tid: signedIn.tid, sub: signedIn.id };
        const name = sessionNameOf(token);
        if (!name || !(await loadSession(db, name))) throw new Error("the session is over");
        return { sid: name.sessionId, tid: name.tenantId, sub: name.userId };
      },
      session: async ({ session, token }) => {
        const name = sessionNameOf(token);
        const live = name ? await loadSession(db, name) : undefined;
        return {
          expires: session.expires,
          user: live ? { name: live.user.name, email: live.user.email } : {},
        };
      },
    },
    events: {
      signOut: async ({ token }) => {
        const name = sessionNameOf(token);
        if (name) await endSession(db, name);
      },
    },
  };
}

/** next-auth behind /api/auth: sign-in, sign-out and the callback of the identity provider. */
export async function handleAuth(
  request: NextRequest,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  // next-auth learns its own address from this variable only, and must not take it from a Host header that anyone can send.
  // eslint-disable-next-line no-restricted-syntax -- written, not read
  process.env.NEXTAUTH_URL ??= env().publicUrl;
  const { nextauth } = await context.params;
  // The library would log whatever browsers report.
  if (nextauth[0] === "_log") return new Response(null, { status: 204 });
  if (request.method === "POST" && !isSameOrigin(request.headers, env().publicUrl)) {
    return Response.json({ url: `${env().publicUrl}/sign-in?error=AccessDenied` }, { status: 403 });
  }
  // The library reads bodies of any length. Browsers always announce a form's length.
  const length = request.headers.get("content-length");
  if (request.method === "POST" && (length === null || Number(length) > maxBodyBytes)) {
    return Response.json({ url: `${env().publicUrl}/sign-in?error=internal_error` }, { status: 413 });
  }
  const from = originOf(request.headers);
  const attributes = `HttpOnly; SameSite=Lax${secureCookies() ? "; Secure" : ""}`;
  const named = await keepNamedOrganisation(request, nextauth, attributes);
  const cookies = request.headers.get("cookie");
  let signedIn: SignedIn | undefined;
  const response = await nextAuth(
    request,
    context,
    options(from, cookies, (person) => {
      signedIn = person;
    }),
  );
  if (named !== null) response.headers.append("set-cookie", named);
  const db = sharedDb("web");
  const signsOut = request.method === "POST" && nextauth[0] === "signout";
  if (signsOut) response.headers.append("set-cookie", await endBeside(db, cookies, attributes));
  if (signedIn) {
    response.headers.append("set-cookie", await keepBeside(db, cookies, signedIn, attributes));
    const kept = `Path=/; Max-Age=${String(deviceSeconds)}; ${attributes}`;
    response.headers.append("set-cookie", `${deviceCookie}=${signedIn.device}; ${kept}`);
    response.headers.append("set-cookie", `${organisationCookie}=${signedIn.tenantSlug}; ${kept}`);
  }
  response.headers.set("cache-control", "no-store");
  return response;
}
