/** What makes a browser known to the account that signed in with it. */
export const deviceCookie = "tidings-device";
/** The organisation that the browser signed in to last; it chooses among accounts and proves nothing. */
export const organisationCookie = "tidings-organisation";

/** The organisation that somebody named before they went to the identity provider, until they come back. */
const namedCookie = "tidings-sign-in-organisation";
/** How long they may take there, in seconds; as long as next-auth keeps its own cookies of the way. */
const namedSeconds = 900;

/**
 * What to keep of the organisation that is named as somebody leaves for the identity provider, as a Set-Cookie header; none
 * named ends what was kept of an earlier way. Null for any other request. The body, a form, is read from a copy; the caller
 * has looked at its size.
 */
export async function keepNamedOrganisation(
  request: Request,
  action: readonly string[],
  attributes: string,
): Promise<string | null> {
  if (request.method !== "POST" || action[0] !== "signin" || action[1] !== "oidc") return null;
  const named = new URLSearchParams(await request.clone().text()).get("organisation")?.trim() ?? "";
  // Longer than any short name is: cut off it is nobody's either.
  const value = encodeURIComponent(named.toLowerCase().slice(0, 60));
  return `${namedCookie}=${value}; Path=/api/auth; Max-Age=${value === "" ? "0" : String(namedSeconds)}; ${attributes}`;
}

/** The organisation that was kept so; null when none was named. */
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
