import type { Db } from "../kernel/db.ts";
import { purgeOld } from "./queries.ts";
import { exportLimits } from "./schemas.ts";

/** Days after which an ended export is forgotten: that there was one is in the audit trail. */
const endedDays = 30;

/** Deletes files of all organisations that have been kept for a week, and forgets old exports. Returns how many files. */
export async function purgeExports(db: Db): Promise<number> {
  return purgeOld(db, { fileDays: exportLimits.days, endedDays });
}
