import type { Db } from "../kernel/db.ts";
import { deleteOldImports } from "./queries.ts";

/** A plan that nobody has started by then will not be: a week, in days. */
const planDays = 7;
/** What an import did is in the versions and in the audit trail; how it went is worth knowing for a while, in days. */
const endedDays = 90;

/**
 * Forgets plans that nobody started and imports that ended long ago, of all tenants, each with a copy of every text in it.
 * Answers how many.
 */
export async function purgeImports(db: Db): Promise<number> {
  return deleteOldImports(db, { planDays, endedDays });
}
