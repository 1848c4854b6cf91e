import { ttlCache } from "../kernel/cache.ts";
import type { Db } from "../kernel/db.ts";
import { hasOneOrganisation as selectHasOne } from "./queries.ts";

const cache = ttlCache<{ one: boolean }>({ name: "one organisation", ttlMs: 10_000, max: 1 });

/** Whether there is only one organisation, so that a sign-in need not name it; at most ten seconds old. */
export async function hasOneOrganisation(db: Db): Promise<boolean> {
  const known = await cache.get("one", async () => ({ one: await selectHasOne(db) }));
  return known?.one ?? false;
}
