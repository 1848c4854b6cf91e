import type { Db } from "../kernel/db.ts";
import { purgeOld } from "./queries.ts";
import { importLimits } from "./vocabulary.ts";

/** Days after which an ended import is forgotten: what it did is in the audit trail. */
const endedDays = 90;

/** Deletes files of all organisations that nobody has imported, and old imports. Returns how many imports. */
export async function purgeImports(db: Db): Promise<number> {
  return purgeOld(db, { fileDays: importLimits.days, endedDays });
}
