import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";

const database = await testDatabase();

/** Everything that a partition has of its table, by which two can be compared. */
async function shapeOf(partition: string) {
  const { rows } = await database.owner.query<{ shape: string }>(
    `SELECT 'column ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' '
         || coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS shape
       FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
     UNION ALL SELECT 'index ' || regexp_replace(pg_get_indexdef(i.indexrelid), '(INDEX) \\S+ ON \\S+', '\\1 ON') || ' of ' || coalesce(p.inhparent::regclass::text, 'nobody')
       FROM pg_index i LEFT JOIN pg_inherits p ON p.inhrelid = i.indexrelid WHERE i.indrelid = $1::regclass
     UNION ALL SELECT 'constraint ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = $1::regclass AND contype <> 'n'
     UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE tgrelid = $1::regclass
     UNION ALL SELECT 'security ' || relrowsecurity || relforcerowsecurity FROM pg_class WHERE oid = $1::regclass
     ORDER BY 1`,
    [partition],
  );
  return rows.map(({ shape }) => shape);
}

describe("the partitions of the months to come", () => {
  it("are made while somebody reads the tables and others write, and nobody waits for it", async () => {
    const [reader, writer] = [await database.owner.connect(), await database.owner.connect()];
    try {
      // A backup, which holds on to what it has read.
      await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await reader.query("SELECT FROM attempts LIMIT 1");
      await writer.query("BEGIN");
      await writer.query("LOCK TABLE notifications, notification_events, attempts IN ROW EXCLUSIVE MODE");
      await database.worker.pool.query("SELECT ensure_partitions(15)");
      await reader.query("SELECT FROM notification_events LIMIT 1");
      await writer.query("COMMIT");
      await reader.query("COMMIT");
    } finally {
      reader.release();
      writer.release();
    }
    const { rows } = await database.owner.query<{ parent: string; partitions: number }>(
      `SELECT inhparent::regclass::text AS parent, count(*)::int AS partitions FROM pg_inherits
       WHERE inhparent = ANY (ARRAY['notifications', 'notification_events', 'attempts', 'webhook_deliveries', 'webhook_attempts']::regclass[])
       GROUP BY 1`,
    );
    expect(rows).toHaveLength(5);
    for (const { parent, partitions } of rows) expect(partitions, parent).toBeGreaterThanOrEqual(17);
  });

  it("have every column, index, constraint and trigger that Postgres itself gives a partition, and their rows are guarded", async () => {
    const { rows } = await database.owner.query<{ parent: string; last: string }>(
      `SELECT inhparent::regclass::text AS parent, max(inhrelid::regclass::text) AS last
       FROM pg_inherits JOIN pg_partitioned_table ON partrelid = inhparent GROUP BY 1`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(5);
    for (const { parent, last } of rows) {
      const own = `${parent}_of_postgres`;
      await database.owner.query(
        `CREATE TABLE ${own} PARTITION OF ${parent} FOR VALUES FROM ('fffffff0-0000-7000-8000-000000000000') TO (MAXVALUE)`,
      );
      await database.owner.query(`ALTER TABLE ${own} ENABLE ROW LEVEL SECURITY`);
      await database.owner.query(`ALTER TABLE ${own} FORCE ROW LEVEL SECURITY`);
      const expected = await shapeOf(own);
      expect(expected).toContain("security truetrue");
      expect(await shapeOf(last), parent).toEqual(expected);
    }
  });
});
