import type { Db } from "../kernel/db.ts";
import { inTransaction } from "../kernel/db.ts";
import { foldCosts, foldCounts, insertMissingKeys } from "./fold-queries.ts";

/** So many deltas a statement, so that no transaction grows with the backlog. */
const portion = 20_000;
/** Held while rollups are written: two processes that write them at once would wait for each other's rows. */
export const foldLock = "pg_try_advisory_xact_lock(hashtextextended('rollups', 0))";

/**
 * Folds what transactions have counted and charged into the rollups, the oldest first. Returns how many changes it folded; 0 also
 * while another process does it. What a crash interrupts is folded by the next call: nothing is lost or counted twice.
 */
export async function foldMetrics(db: Db): Promise<number> {
  let all = 0;
  for (let round = 0; round < 100; round++) {
    const folded = await foldPortion(db);
    all += folded.total;
    if (!folded.more) break;
  }
  return all;
}

function foldPortion(db: Db): Promise<{ total: number; more: boolean }> {
  return inTransaction(db.pool, "BEGIN", async (client) => {
    const { rows } = await client.query<{ locked: boolean }>(`SELECT ${foldLock} AS locked`);
    if (!rows[0]?.locked) return { total: 0, more: false };
    // Later statements see the keys.
    await client.query(insertMissingKeys("metric_deltas"), [portion]);
    const counts = await client.query<{ folded: number }>(foldCounts, [portion]);
    await client.query(insertMissingKeys("cost_deltas"), [portion]);
    const costs = await client.query<{ folded: number }>(foldCosts, [portion]);
    const folded = [counts, costs].map((result) => result.rows[0]?.folded ?? 0);
    return {
      total: folded.reduce((sum, each) => sum + each, 0),
      more: folded.some((each) => each === portion),
    };
  });
}
