import type { TestDatabase } from "./database.ts";

/** Rows of a table that have been read so far, by all sessions of web and worker: what a plan costs, whatever the machine does besides. */
export async function rowsRead(database: TestDatabase, table: string): Promise<number> {
  for (const { pool } of [database.worker, database.web]) {
    // Each session reports when it is asked to; so many at once reach all of them.
    await Promise.all(
      Array.from({ length: 10 }, () => pool.query("SELECT pg_stat_force_next_flush(), pg_sleep(0.05)")),
    );
  }
  const { rows } = await database.owner.query<{ read: string }>(
    `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_all_tables
     WHERE schemaname = 'public' AND relname = $1`,
    [table],
  );
  return Number(rows[0]?.read);
}
