import type { Db } from "../kernel/db.ts";
import { callFoldMetrics } from "./queries.ts";

/** Folds the counts that transactions append into the hourly rollups. Readers add what is not folded yet. */
export async function foldMetrics(db: Db): Promise<void> {
  // In batches, so that no transaction grows with the backlog.
  for (let portion = 0; portion < 100; portion++) {
    const folded = await callFoldMetrics(db, 20_000);
    if (folded < 20_000) return;
  }
}
