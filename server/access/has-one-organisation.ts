import { ttlCache } from "../kernel/cache.ts";
import type { Db } from "../kernel/db.ts";
import { hasOneOrganisation as selectHasOne } from "./queries.ts";

const key = "one";
const cache = ttlCache<{ one: boolean }>({ name: "one organisation", ttlMs: 1_000, max: 1 });

/**
 * Whether there is only one organisation, so that a sign-in need not name it; at most a second old. `fresh`: as of now, for
 * whoever names an organisation, because it may just have been created.
 */
export async function hasOneOrganisation(db: Db, { fresh = false } = {}): Promise<boolean> {
  if (fresh) cache.forget(key);
  const known = await cache.get(key, async () => ({ one: await selectHasOne(db) }));
  return known?.one ?? false;
}
