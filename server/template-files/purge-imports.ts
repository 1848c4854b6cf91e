import type { Db } from "../kernel/db.ts";
import { deleteOldImports } from "./queries.ts";

/** Days after which an unstarted plan is deleted. */
const planDays = 7;
/** Days after which a finished import is deleted: its results are in the versions and in the audit trail. */
const endedDays = 90;

/** Deletes old plans and imports of all tenants, with their copies of texts. Returns how many. */
export async function purgeImports(db: Db): Promise<number> {
  return deleteOldImports(db, { planDays, endedDays });
}
