import { z } from "zod";
import { makeBrowserCookie, readBrowserCookie } from "../access/passkey-challenge.ts";
import { passkeyRequest } from "../access/sign-in-with-passkey.ts";
import { secureCookies } from "./session-token.ts";
import { cookieOf } from "./sign-in-cookies.ts";
import { takeForm } from "./take-form.ts";

/** Binds what the page asked for to the browser that answers. */
export const passkeyCookie = "tidings-passkey";
const cookieSeconds = 3_600;

/**
 * What the sign-in page asks a browser's passkeys with. Nothing is stored for it, so that asking costs nobody anything; pages that
 * stand open side by side share the cookie.
 */
export async function handlePasskeyRequest(request: Request): Promise<Response> {
  const browser =
    readBrowserCookie(cookieOf(request.headers.get("cookie"), passkeyCookie)) ?? makeBrowserCookie();
  const response = await takeForm(request, z.strictObject({}), () => passkeyRequest(browser));
  if (response.ok) {
    const attributes = `Path=/api; Max-Age=${String(cookieSeconds)}; HttpOnly; SameSite=Strict${secureCookies() ? "; Secure" : ""}`;
    response.headers.append("set-cookie", `${passkeyCookie}=${browser}; ${attributes}`);
  }
  return response;
}

/** The answer as the sign-in form holds it, JSON in a field; undefined for anything else. */
export function readAnswer(field: unknown): unknown {
  if (typeof field !== "string" || field.length > 12_000) return undefined;
  try {
    return JSON.parse(field);
  } catch {
    return undefined;
  }
}
