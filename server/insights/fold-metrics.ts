import { alone } from "../kernel/alone.ts";
import type { Db } from "../kernel/db.ts";
import { inTransaction } from "../kernel/db.ts";
import { counter } from "../kernel/metrics.ts";
import { foldCosts, foldCounts, insertMissingKeys, packStore, selectToPack } from "./fold-queries.ts";
import { stores } from "./rollup-store.ts";
import type { Store } from "./rollup-store.ts";

/** So many deltas a statement, so that no transaction grows with the backlog. */
const portion = 20_000;
const reachedStatus = counter(
  "tidings_messages_total",
  "Messages that reached a status, as counted into reports by this process",
  ["channel", "status"],
);
/** Held while rollups are written: two processes that write them at once would wait for each other's rows. */
const foldLock = "hashtextextended('rollups', 0)";

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

async function foldPortion(db: Db): Promise<{ total: number; more: boolean }> {
  const { reached, ...folded } = await inTransaction(db.pool, "BEGIN", async (client) => {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${foldLock}) AS locked`,
    );
    if (!rows[0]?.locked) return { total: 0, more: false, reached: [] };
    // Later statements see the keys.
    await addKeys(client, "metric_deltas");
    const counts = await client.query<{ folded: number; reached: [string, string, number][] }>(foldCounts, [
      portion,
    ]);
    await addKeys(client, "cost_deltas");
    const costs = await client.query<{ folded: number }>(foldCosts, [portion]);
    const folded = [counts, costs].map((result) => result.rows[0]?.folded ?? 0);
    return {
      total: folded.reduce((sum, each) => sum + each, 0),
      more: folded.some((each) => each === portion),
      reached: counts.rows[0]?.reached ?? [],
    };
  });
  // After the commit: what was rolled back is counted by the next turn.
  for (const [channel, status, count] of reached) reachedStatus.inc({ channel, status }, count);
  return folded;
}

async function addKeys(
  client: Pick<Db["pool"], "query">,
  table: "metric_deltas" | "cost_deltas",
): Promise<void> {
  const [small = "", full = ""] = insertMissingKeys(table);
  const { rows } = await client.query<{ missing: number }>(small, [portion]);
  if ((rows[0]?.missing ?? 0) > 0) await client.query(full, [portion]);
}

const hour = 3_600_000;
/** So long after they began, hours and days are put away: most of what still changes them has come by then. */
const packAfter = { hour: 3 * hour, day: 49 * hour };
/** So many hours, days and slices a statement, so that nobody waits long for it, nor needs much memory. */
const packsAtOnce = 50;

/**
 * Puts the rollups of hours and days that are over into packs: a fraction of the size. What comes later is a row again until the next
 * call. Worker's role.
 */
export async function packRollups(db: Db, now = new Date()): Promise<void> {
  const before = (age: number) => new Date(now.getTime() - age);
  const { rows } = await db.pool.query<{ id: string }>(selectToPack, [before(packAfter.hour)]);
  for (const { id } of rows)
    await alone(id, "rollups could not be packed", async () => {
      for (const store of Object.keys(stores) as Store[])
        while (
          (await packSome(db, store, [id, before(packAfter.hour), before(packAfter.day), packsAtOnce])) ===
          packsAtOnce
        );
    });
}

function packSome(db: Db, store: Store, values: unknown[]): Promise<number> {
  return inTransaction(db.pool, "BEGIN", async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock(${foldLock})`);
    const { rows } = await client.query<{ packed: number }>(packStore(store), values);
    return rows[0]?.packed ?? 0;
  });
}
