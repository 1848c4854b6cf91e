import type { ProviderKind } from "./schemas.ts";

/** What a provider says of a person: claims of the ID token, and of the userinfo endpoint where the token lacks them. */
export type Claims = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const yes = (value: unknown): boolean => value === true || value === 1 || value === "1" || value === "true";

/**
 * The address that a provider has verified, lower-cased; null when it says none of which that holds. Each kind says it in its own
 * way, and an address that people can write into their own profile counts for none:
 *
 * - Entra never verifies `email`, unless `xms_edov` says that its domain's owner was verified; `upn` lies in a domain that the
 *   directory has verified. Both only from the directory that the issuer names (`tid`).
 * - Google: `email_verified`, and `hd`, which only accounts of a Workspace have. The caller checks that it is one of the domains.
 * - Others: `email_verified`, as a boolean.
 */
export function verifiedAddress(kind: ProviderKind, issuer: string, claims: Claims): string | null {
  const email = text(claims.email);
  const address = () => {
    switch (kind) {
      case "entra": {
        const directory = text(claims.tid);
        if (directory === null || !issuer.split("/").includes(directory)) return null;
        return email !== null && yes(claims.xms_edov) ? email : text(claims.upn);
      }
      case "google":
        return claims.email_verified === true && text(claims.hd) !== null ? email : null;
      case "okta":
      case "oidc":
        return claims.email_verified === true ? email : null;
    }
  };
  const found = (address() ?? "").trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  // A letter that only looks like another in lower case, such as the Kelvin sign, must not become somebody else's.
  if (found.toLowerCase() !== found) return null;
  return /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,255}$/u.test(found) ? found : null;
}

/** Domains that have to be the organisation's: that of the address, and that of a Google Workspace. */
export function domainsToProve(kind: ProviderKind, address: string, claims: Claims): string[] {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return kind === "google" ? [domain, (text(claims.hd) ?? "").toLowerCase()] : [domain];
}

/** A name for a new account. */
export function nameOf(claims: Claims, address: string): string {
  const given = [text(claims.given_name), text(claims.family_name)].filter((part) => part !== null).join(" ");
  const name = (text(claims.name) ?? given).replace(/\p{Cc}/gu, "").trim();
  return Array.from(name === "" ? (address.split("@")[0] ?? address) : name)
    .slice(0, 120)
    .join("");
}
