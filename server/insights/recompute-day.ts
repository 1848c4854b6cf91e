import type { Db } from "../kernel/db.ts";
import { inTransaction } from "../kernel/db.ts";
import { idFloor } from "../kernel/ids.ts";
import { differences, replaceDay } from "./fold-queries.ts";

const day = 86_400_000;
/** How long before a call ended its message may have been accepted: a message may be scheduled for a year ahead. */
const earliest = 400 * day;
/** The most differences that are named. */
export const mostDifferences = 1_000;

/** Where the store says something else than the ledger. */
export interface Difference {
  at: Date;
  /** The combination of dimensions, as the database writes a row. */
  key: string;
  /** What was counted, e.g. `status delivered` or `amount message reported EUR`. */
  measure: string;
  ledger: string;
  stored: string;
}

/** The parameters of statements about a tenant's day. */
function ledgerParameters(tenantId: string, at: Date): unknown[] {
  const end = new Date(at.getTime() + day);
  const minute = 60_000;
  return [
    tenantId,
    at,
    end,
    idFloor(new Date(at.getTime() - minute)),
    idFloor(new Date(end.getTime() + minute)),
    idFloor(new Date(at.getTime() - earliest)),
  ];
}

/**
 * Counts and sums a day (UTC) of one organisation from messages, attempts and cost entries, and returns where hours or the day
 * differ from the rollups, what is not folded yet included; at most mostDifferences of each. One snapshot: also exact while messages move. Worker's role.
 */
export async function compareDay(db: Db, tenantId: string, at: Date): Promise<Difference[]> {
  return inTransaction(db.pool, "BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ", async (client) => {
    await client.query("SET LOCAL statement_timeout = 0");
    const found: Difference[] = [];
    for (const grain of ["hour", "day"] as const) {
      const { rows } = await client.query<Difference>(differences(grain), [
        ...ledgerParameters(tenantId, at),
        mostDifferences,
      ]);
      found.push(...rows);
    }
    return found;
  });
}

/** Puts what the ledger says of the day in the place of what is stored. Waits for a fold under way. Worker's role. */
export async function replaceFromLedger(db: Db, tenantId: string, at: Date): Promise<void> {
  await inTransaction(db.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ", async (client) => {
    await client.query("SET LOCAL statement_timeout = 0");
    // Locks are taken before the first statement that reads, which fixes the snapshot.
    await client.query("LOCK TABLE rollups IN SHARE ROW EXCLUSIVE MODE");
    const all = ledgerParameters(tenantId, at);
    for (const { text, parameters } of replaceDay) await client.query(text, all.slice(0, parameters));
  });
}
