/**
 * Whether a request that changes something comes from a page of this site. Browsers say so in Sec-Fetch-Site; older
 * ones, and plain HTTP outside localhost, at least in Origin. Cookies are SameSite=Lax as well; this is the second lock.
 * @param publicUrl the configured base URL of the site
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return origin === new URL(publicUrl).origin || host === headers.get("host");
}
