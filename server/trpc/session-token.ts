import { getToken } from "next-auth/jwt";
import type { SessionName } from "../access/sessions.ts";
import { env } from "../kernel/env.ts";
import { derivedKey } from "../kernel/secrets.ts";

/** The key of the session cookie's encryption. */
export function sessionSecret(): string {
  return derivedKey("sessions").toString("base64url");
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

/** The session that a request's cookie names; null without a cookie of ours. Says nothing of whether it still lives. */
export async function readSessionName(cookieHeader: string | null): Promise<SessionName | null> {
  const token = await getToken({
    // Only the cookie counts: the library would take the token from an Authorization header as well.
    req: { cookies: parseCookies(cookieHeader), headers: {} } as unknown as Parameters<
      typeof getToken
    >[0]["req"],
    secret: sessionSecret(),
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
