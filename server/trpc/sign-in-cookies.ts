/** The cookie that makes a browser known to the account that signed in with it. */
export const deviceCookie = "tidings-device";
/** The organisation of the browser's last sign-in; it chooses among accounts and proves nothing. */
export const organisationCookie = "tidings-organisation";

/** The organisation that somebody named before they went to the identity provider, until they come back. */
const namedCookie = "tidings-sign-in-organisation";
/** How long that may take, in seconds; as long as next-auth keeps its own cookies. */
const namedSeconds = 900;

/**
 * The Set-Cookie header that keeps the organisation named on the way to the identity provider; without one it clears an
 * earlier one. Null for any other request. The body, a form, is read from a copy; the caller has checked its size.
 */
export async function keepNamedOrganisation(
  request: Request,
  action: readonly string[],
  attributes: string,
): Promise<string | null> {
  if (request.method !== "POST" || action[0] !== "signin" || action[1] !== "oidc") return null;
  const named = new URLSearchParams(await request.clone().text()).get("organisation")?.trim() ?? "";
  // Longer than any short name: cut off, it matches none either.
  const value = encodeURIComponent(named.toLowerCase().slice(0, 60));
  return `${namedCookie}=${value}; Path=/api/auth; Max-Age=${value === "" ? "0" : String(namedSeconds)}; ${attributes}`;
}

/** The organisation that was kept; null when none was named. */
export function namedOrganisation(cookies: string | null): string | null {
  const value = cookieOf(cookies, namedCookie);
  if (!value) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** A cookie of a request's Cookie header. */
export function cookieOf(header: string | null, name: string): string | null {
  const pair = (header ?? "").split(";").find((part) => part.trim().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1) ?? null;
}
