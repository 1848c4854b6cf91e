import type { Db } from "../kernel/db.ts";
import { deleteExpiredLinks } from "./queries.ts";

const batch = 5_000;
const batches = 200;

/** Deletes expired links of all tenants, in short batches; the next run takes the rest. */
export async function purgeLinks(db: Db): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < batches; round++) {
    const count = await deleteExpiredLinks(db, batch);
    deleted += count;
    if (count < batch) break;
  }
  return deleted;
}
