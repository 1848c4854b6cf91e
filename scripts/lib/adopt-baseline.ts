import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { hasMigrations } from "./schema-engine.ts";

/** The first migration in prisma/migrations, and the last of those that it replaced. */
const BASELINE = "20261122090000_baseline";
const LAST_BEFORE = "20261122080000_closed_attempts_counted_once";

/**
 * Adopts a database that was made by the migrations that the baseline replaced: it has the same tables, so that only
 * Prisma's record has to change. Does nothing to an empty database and to one that has the baseline.
 *
 * @throws Error when some of those migrations have not run; says what to do
 */
export async function adoptBaseline(client: pg.Client, migrationsFolder: string): Promise<void> {
  if (!(await hasMigrations(client))) return;
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations
      WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  if (rows.length === 0 || rows.some((row) => row.name === BASELINE)) return;
  if (!rows.some((row) => row.name === LAST_BEFORE) || rows.some((row) => !row.finished)) {
    throw new Error(
      `This database stands at ${rows.at(-1)?.name ?? "nothing"}, in the middle of a list of migrations that this release no longer has. ` +
        `Start the release whose last migration is ${LAST_BEFORE} once, so that it is brought there, and then this one again.`,
    );
  }
  const script = readFileSync(path.join(migrationsFolder, BASELINE, "migration.sql"));
  await client.query("BEGIN");
  await client.query("DELETE FROM _prisma_migrations");
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), now(), 1)`,
    [randomUUID(), createHash("sha256").update(script).digest("hex"), BASELINE],
  );
  await client.query("DROP FUNCTION IF EXISTS uuidv7_time"); // the only function of then that nothing uses now
  await client.query("COMMIT");
}
