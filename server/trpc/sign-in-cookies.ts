/** What makes a browser known to the account that signed in with it. */
export const deviceCookie = "tidings-device";
/** The organisation that the browser signed in to last; it chooses among accounts and proves nothing. */
export const organisationCookie = "tidings-organisation";

/** A cookie of a request's Cookie header. */
export function cookieOf(header: string | null, name: string): string | null {
  const pair = (header ?? "").split(";").find((part) => part.trim().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1) ?? null;
}
