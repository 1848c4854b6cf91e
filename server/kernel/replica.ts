import type pg from "pg";
import type { Ctx } from "./ctx.ts";
import { beginReading, camelRows, queryInTenant } from "./db.ts";
import type { Db, LimitedQuery, Replica } from "./db.ts";
import { logger } from "./log.ts";
import { counter } from "./metrics.ts";

/** How long a replica that failed is left alone; then one statement tries it. */
const restMs = 10_000;
/** How long it may take to begin, and then to answer. */
const beginMs = 2_000;
const answerMs = 15_000;

/**
 * One that is not connected to its primary is as far behind as what it applied last is old, however little there was to apply; one
 * that is no replica any more is not behind.
 */
const state = `SELECT current_user::text AS role, CASE
    WHEN NOT pg_is_in_recovery() THEN 0
    WHEN EXISTS (SELECT FROM pg_stat_wal_receiver) AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
    ELSE coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 'infinity')
  END::float8 AS behind`;

const reads = () =>
  counter("tidings_replica_reads_total", "Reads for reports, by who answered", ["answered_by"]);

/**
 * As queryInTenant, for figures, which may be some seconds old: asks the replica, where the installation has one. Whatever keeps the
 * replica from answering, the database itself is asked instead, and for a while at once; it comes back into use by itself. Costs the
 * one whose statement notices at most what `beginMs` or `answerMs` says.
 */
export async function queryFigures<Row>(
  ctx: Pick<Ctx, "db" | "tenantId">,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const { replica, shares } = ctx.db;
  if (!replica) return queryInTenant(ctx, text, values);
  let fault: unknown;
  if (mayBeAsked(replica)) {
    try {
      const rows = await shares.reads.run(ctx.tenantId, () => askReplica<Row>(ctx, replica, text, values));
      works(replica);
      return rows;
    } catch (error) {
      fault = error;
    }
  }
  const rows = await queryInTenant<Row>(ctx, text, values);
  // A statement that fails there as well is not the replica's fault.
  if (fault !== undefined) rest(replica, fault);
  reads().inc({ answered_by: "primary" });
  return rows;
}

function mayBeAsked(replica: Replica): boolean {
  const now = performance.now();
  if (now < replica.restsUntil) return false;
  // While it is on trial, one statement tries it for all.
  if (replica.failed) replica.restsUntil = now + restMs;
  return true;
}

function works(replica: Replica): void {
  if (replica.failed) logger().info("the replica answers reports again");
  replica.failed = false;
  replica.restsUntil = 0;
  reads().inc({ answered_by: "replica" });
}

function rest(replica: Replica, fault: unknown): void {
  if (!replica.failed)
    logger().warn({ err: fault }, "the replica is left alone; the database itself answers reports");
  replica.failed = true;
  replica.restsUntil = performance.now() + restMs;
}

async function askReplica<Row>(
  { db, tenantId }: { db: Pick<Db, "role">; tenantId: string },
  { pool, mostBehindSeconds }: Replica,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = await pool.connect();
  let intact = false;
  try {
    const begin: LimitedQuery = {
      text: `${beginReading(tenantId, answerMs)}; ${state}`,
      query_timeout: beginMs,
    };
    // Of several statements in one round trip, the last is the one with the row.
    const answers = (await client.query(begin)) as unknown as pg.QueryResult<{
      role: string;
      behind: number;
    }>[];
    const { role, behind } = answers.at(-1)?.rows[0] ?? { role: "", behind: Infinity };
    if (role !== `tidings_${db.role}`)
      throw new Error(`the replica's login works as ${role} instead of tidings_${db.role}`);
    if (behind > mostBehindSeconds) throw new Error(`the replica is ${behind.toFixed(0)} s behind`);
    const asked: LimitedQuery = { text, values, query_timeout: answerMs };
    const rows = camelRows<Row>(await client.query(asked));
    const commit: LimitedQuery = { text: "COMMIT", query_timeout: beginMs };
    await client.query(commit);
    intact = true;
    return rows;
  } finally {
    // A connection on which anything failed is closed: nothing more is waited for on it.
    client.release(!intact);
  }
}
