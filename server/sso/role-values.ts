import type { Claims } from "./verified-address.ts";

const maxValues = 2_000;

/**
 * The values of the claim that rules name: a text, or a list of texts. A name with dots that is no claim itself is a path, such as
 * `realm_access.roles`. Undefined where the provider left it out because there would be too many: then nobody knows what they have.
 */
export function roleValues(claims: Claims, name: string): ReadonlySet<string> | undefined {
  const found = claims[name] ?? name.split(".").reduce<unknown>(step, claims);
  if (found === undefined && leftOut(claims, name)) return undefined;
  const list: unknown[] = Array.isArray(found) ? found.slice(0, maxValues) : [found];
  return new Set(list.filter((value) => typeof value === "string"));
}

function step(within: unknown, part: string): unknown {
  if (typeof within !== "object" || within === null || !Object.hasOwn(within, part)) return undefined;
  return (within as Record<string, unknown>)[part];
}

/** OpenID Connect Core, 5.6.2: a claim that stands elsewhere. Entra does so with more than 200 groups. */
function leftOut(claims: Claims, name: string): boolean {
  const elsewhere = claims._claim_names;
  return typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, name);
}
