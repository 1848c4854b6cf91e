import path from "node:path";
import type pg from "pg";
import type { SqlFile } from "../../server/kernel/sql-files.ts";
import { givingWay } from "./giving-way.ts";

/** Partitions are created this many months ahead; the worker continues every day. */
const MONTHS_AHEAD = 3;

/**
 * Brings functions, triggers, views and policies up to date with their files, in one transaction: runs each file whose
 * text has changed since it was run last, including a view that a migration had to drop, and drops functions and views
 * whose file is gone. It records this in `_applied_sql`, which belongs to the owner.
 *
 * @returns the paths of the files that were run or are gone
 */
export function applySqlFiles(client: pg.Client, files: SqlFile[]): Promise<string[]> {
  return givingWay((lockMs) => applyOnce(client, files, lockMs));
}

async function applyOnce(client: pg.Client, files: SqlFile[], lockMs: number): Promise<string[]> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${String(lockMs)}`);
  try {
    // A function may refer to another one from a later file.
    await client.query("SET LOCAL check_function_bodies = off");
    await client.query(`CREATE TABLE IF NOT EXISTS _applied_sql (
      hash text PRIMARY KEY, path text NOT NULL, applied_at timestamptz NOT NULL, replaced_at timestamptz)`);
    const { rows: present } = await client.query<{ path: string; hash: string }>(
      "SELECT path, hash FROM _applied_sql WHERE replaced_at IS NULL",
    );
    const hashes = new Set(present.map((row) => row.hash));
    const paths = new Set(files.map((file) => file.path));
    const { rows: views } = await client.query<{ path: string }>(
      "SELECT 'views/' || viewname || '.sql' AS path FROM pg_views WHERE schemaname = 'public'",
    );
    const missing = (file: SqlFile) =>
      file.path.startsWith("views/") && !views.some((view) => view.path === file.path);
    const changed = files.filter((file) => !hashes.has(file.hash) || missing(file));
    const gone = present.filter((row) => !paths.has(row.path));
    for (const file of changed) await run(client, file);
    for (const file of gone) await remove(client, file.path);
    await client.query("SELECT ensure_partitions($1)", [MONTHS_AHEAD]);
    await client.query("COMMIT");
    return [...changed, ...gone].map((file) => file.path);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function run(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query(file.text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`prisma/${file.path}: ${reason}`, { cause: error });
  }
  await forget(client, file.path);
  await client.query(
    `INSERT INTO _applied_sql (hash, path, applied_at) VALUES ($1, $2, now())
     ON CONFLICT (hash) DO UPDATE SET applied_at = now(), replaced_at = NULL`,
    [file.hash, file.path],
  );
}

/** Drops the view of a file that is gone, or the function and the triggers that call it. Policies go with their table. */
async function remove(client: pg.Client, file: string): Promise<void> {
  await forget(client, file);
  const name = path.basename(file, ".sql");
  if (file.startsWith("views/")) await client.query(`DROP VIEW IF EXISTS "${name}"`);
  if (!file.startsWith("functions/")) return;
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass) AS drop
       FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE p.pronamespace = 'public'::regnamespace AND p.proname = $1 AND NOT t.tgisinternal
     UNION ALL
     SELECT format('DROP FUNCTION %s', p.oid::regprocedure)
       FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.proname = $1`,
    [name],
  );
  for (const { drop } of rows) await client.query(drop);
}

async function forget(client: pg.Client, file: string): Promise<void> {
  await client.query("UPDATE _applied_sql SET replaced_at = now() WHERE path = $1 AND replaced_at IS NULL", [
    file,
  ]);
}
