import { decode, getToken } from "next-auth/jwt";
import type { JWT, JWTDecodeParams } from "next-auth/jwt";
import type { SessionName } from "../access/sessions.ts";
import { env } from "../kernel/env.ts";
import { derivedKeys } from "../kernel/secrets.ts";

function sessionSecrets(): [string, ...string[]] {
  const [current, ...previous] = derivedKeys("sessions");
  const text = (key: Buffer) => key.toString("base64url");
  return [text(current), ...previous.map(text)];
}

/** The key of the session cookie's encryption. */
export function sessionSecret(): string {
  return sessionSecrets()[0];
}

/**
 * Decrypts what was encrypted under the current key or a previous one, so that a rotation of the master key signs
 * nobody out.
 */
export async function decodeSession(params: JWTDecodeParams): Promise<JWT | null> {
  let first: unknown;
  for (const secret of sessionSecrets()) {
    try {
      return await decode({ ...params, secret });
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/** Cookies are Secure wherever the site is served over HTTPS; a browser would drop them on plain HTTP. */
export function secureCookies(): boolean {
  return env().publicUrl.startsWith("https://");
}

/** The cookies of a request as a map; of a repeated name the first counts, as in browsers' own order. */
export function parseCookies(header: string | null): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const part of (header ?? "").split(";")) {
    const split = part.indexOf("=");
    if (split < 1) continue;
    const name = part.slice(0, split).trim();
    if (name in cookies) continue;
    const value = part.slice(split + 1).trim();
    try {
      cookies[name] = decodeURIComponent(value);
    } catch {
      cookies[name] = value;
    }
  }
  return cookies;
}

/** The session that a request's cookie names; null without one. Does not check that it is still valid. */
export async function readSessionName(cookieHeader: string | null): Promise<SessionName | null> {
  const token = await getToken({
    // Only the cookie counts: the library would also accept the token from an Authorization header.
    req: { cookies: parseCookies(cookieHeader), headers: {} } as unknown as Parameters<
      typeof getToken
    >[0]["req"],
    secret: sessionSecret(),
    decode: decodeSession,
    secureCookie: secureCookies(),
  });
  return token ? sessionNameOf(token) : null;
}

/** The members of our token, or null when one is missing. */
export function sessionNameOf(token: Record<string, unknown>): SessionName | null {
  const { sid, tid, sub } = token;
  if (typeof sid !== "string" || typeof tid !== "string" || typeof sub !== "string") return null;
  return { sessionId: sid, tenantId: tid, userId: sub };
}
