import type { Catalogue } from "../tenancy/catalogue.ts";
import type { Wording } from "./rule-set.ts";

/** Names for the history of what rules refer to. */
export function wordingFor(catalogue: Catalogue): Wording {
  const names = new Map(catalogue.applications.map((entry) => [entry.id, entry.name]));
  return { application: (id) => names.get(id) ?? "an application that no longer exists" };
}
