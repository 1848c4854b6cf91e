import { encode } from "next-auth/jwt";
import { deviceSeconds } from "../access/known-device.ts";
import { sessionSeconds } from "../access/sessions.ts";
import type { SignedIn } from "../access/sign-in.ts";
import type { Db } from "../kernel/db.ts";
import { secureCookies, sessionSecret } from "./session-token.ts";
import { keepBeside } from "./side-sessions.ts";
import { deviceCookie, organisationCookie } from "./sign-in-cookies.ts";

/** The Set-Cookie headers of a browser that has just signed in: next-auth's own, and those that handleAuth adds to it. */
export async function beginSession(db: Db, cookies: string | null, signedIn: SignedIn): Promise<string[]> {
  const attributes = `HttpOnly; SameSite=Lax${secureCookies() ? "; Secure" : ""}`;
  const token = { sid: signedIn.sessionId, tid: signedIn.tenantId, sub: signedIn.userId };
  const text = await encode({ token, secret: sessionSecret(), maxAge: sessionSeconds });
  const name = `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
  const kept = `Path=/; Max-Age=${String(deviceSeconds)}; ${attributes}`;
  return [
    `${name}=${text}; Path=/; Max-Age=${String(sessionSeconds)}; ${attributes}`,
    await keepBeside(db, cookies, signedIn, attributes),
    `${deviceCookie}=${signedIn.device}; ${kept}`,
    `${organisationCookie}=${signedIn.tenantSlug}; ${kept}`,
  ];
}
