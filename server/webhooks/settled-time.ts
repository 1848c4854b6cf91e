import type { Db } from "../kernel/db.ts";

/** A time, and a number that every transaction with a number of then has a smaller one than. */
interface Mark {
  at: number;
  xid: bigint;
}

/** What the database says, a statement each. */
interface Seen {
  now: Date;
  xid: string;
  oldest: string;
}

/** Marks are kept this far apart, and so many of them: a quarter of an hour in which a transaction may stay open. */
const apartMs = 1_000;
const mostMarks = 900;
/** Times are kept in milliseconds, and the clock of a machine is sometimes set back a little. */
const marginMs = 100;

/** Marks that are not settled, and the time that was: once settled, always. */
const knownOf = new WeakMap<object, { marks: Mark[]; settledAt: number }>();

/** Until when everything that was written can be seen, and what time it is: both by the database's clock. */
export interface SettledTime {
  now: Date;
  /** Null: a transaction is open of which this process does not know when it began. */
  until: Date | null;
}

/**
 * Until when everything that transactions wrote is either visible or will never be: what has a `written_at` of then or before can be
 * read in its order, and nothing comes in behind the reader. A row gets its transaction's number first and its time after that. So
 * once every transaction with a smaller number than one that was given out after a time has ended, no row of before that time is
 * missing. A transaction that stays open holds this back; it is never passed.
 */
export async function settledTime(db: Pick<Db, "pool">): Promise<SettledTime> {
  // One round trip, in this order. The statement's own transaction is the only one that may be left.
  const answers = (await db.pool.query(
    "SELECT clock_timestamp() AS now; SELECT pg_current_xact_id()::text AS xid; SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest",
  )) as unknown as { rows: [Partial<Seen>] }[];
  const { now, xid, oldest } = Object.assign({}, ...answers.map(({ rows: [row] }) => row)) as Seen;
  const known = knownOf.get(db.pool) ?? { marks: [], settledAt: 0 };
  knownOf.set(db.pool, known);
  const { marks } = known;
  const mark = { at: now.getTime(), xid: BigInt(xid) };
  const newest = marks.at(-1);
  // The database was put back, or is another one: what was noted says nothing any more.
  if (newest && newest.xid > mark.xid) {
    marks.length = 0;
    known.settledAt = 0;
  }
  const settled = mark.xid <= BigInt(oldest) ? mark : marks.findLast((each) => each.xid <= BigInt(oldest));
  if (!newest || mark.at - newest.at >= apartMs) marks.push(mark);
  if (marks.length > mostMarks) marks.shift();
  known.settledAt = Math.max(known.settledAt, settled?.at ?? 0);
  return { now, until: known.settledAt > 0 ? new Date(known.settledAt - marginMs) : null };
}
