import { hasOneOrganisation } from "../access/has-one-organisation.ts";
import { sharedDb } from "../kernel/db.ts";
import { cookieOf, organisationCookie } from "./sign-in-cookies.ts";

/**
 * The organisation that the sign-in page proposes, or null when it need not ask because there is only one: as the address
 * names it, as the page that somebody wanted to see begins, or as last time.
 */
export async function signInOrganisation(
  cookies: string | null,
  asked: { organisation?: string | undefined; callbackUrl?: string | undefined },
): Promise<string | null> {
  if (await hasOneOrganisation(sharedDb("web"))) return null;
  const first = asked.callbackUrl?.split(/[/?#]/)[1];
  return (asked.organisation || first || cookieOf(cookies, organisationCookie) || "").slice(0, 40);
}
