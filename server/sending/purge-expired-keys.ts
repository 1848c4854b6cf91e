import type { Db } from "../kernel/db.ts";
import { deleteExpiredKeys } from "./queries.ts";

const portion = 5_000;

/** Deletes expired idempotency keys in batches; they no longer count anyway. */
export async function purgeExpiredKeys(db: Db): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if ((await deleteExpiredKeys(db, portion)) < portion) return;
  }
}
