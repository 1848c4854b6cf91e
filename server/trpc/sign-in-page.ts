import { hasOneOrganisation } from "../access/has-one-organisation.ts";
import { passkeyPlace } from "../access/passkey-place.ts";
import { sharedDb } from "../kernel/db.ts";
import { cookieOf, organisationCookie } from "./sign-in-cookies.ts";

/**
 * The organisation that the sign-in page proposes, or null when there is only one: from the address, from the start of
 * the requested page's path, or from the last sign-in; empty for whoever wants another one.
 */
export async function signInOrganisation(
  cookies: string | null,
  asked: { organisation?: string | undefined; callbackUrl?: string | undefined; another?: boolean },
): Promise<string | null> {
  if (await hasOneOrganisation(sharedDb("web"), { fresh: Boolean(asked.organisation) })) return null;
  if (asked.another) return "";
  const first = asked.callbackUrl?.split(/[/?#]/)[1];
  return (asked.organisation || first || cookieOf(cookies, organisationCookie) || "").slice(0, 40);
}

/** Whether the page offers passkeys: not at every address are there any. */
export const passkeysPossible = (): boolean => passkeyPlace() !== null;
