import type { Db } from "../kernel/db.ts";
import { findProvidersOf } from "./queries.ts";

/**
 * The providers that are offered to people of a domain. It tells whether an organisation here has proven the domain and signs in
 * through a provider, as the DNS record of the proof does, and nothing of any person: only the domain is asked for.
 */
export async function findProviders(
  db: Db,
  domain: string,
): Promise<{ data: { id: string; name: string }[] }> {
  const found = await findProvidersOf(db, domain);
  return { data: found.map(({ id, name }) => ({ id, name })) };
}
