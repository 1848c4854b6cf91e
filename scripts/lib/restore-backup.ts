import { createReadStream, readdirSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { insertHold } from "../../server/platform/sending-hold.ts";
import { checkFiles, readManifest } from "./backup-manifest.ts";
import type { Manifest } from "./backup-manifest.ts";
import { Refused } from "./command.ts";
import { listed, longSession, NO_END, quoted, TEXT_SETTINGS } from "./make-backup.ts";
import { createTables, migrate } from "./migrations.ts";
import { root } from "./paths.ts";

/**
 * Restores a backup into an empty database, with sending on hold. Checks first: that the files are those that were backed up, that
 * this release has their migrations, that the database is empty. Then the tables as they were, all rows in one transaction together
 * with the hold, and last whatever migrations this release has besides. Interrupted, it can be repeated.
 */
export async function restoreBackup(ownerUrl: string, folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  const known = new Set(readdirSync(path.join(root, "prisma", "migrations")));
  const newer = manifest.migrations.filter((name) => !known.has(name));
  if (newer.length > 0) {
    throw new Refused(
      `The backup is of a newer release, with migrations that this one does not have (${newer.join(", ")}). Use release ${manifest.tidings} or a newer one.`,
    );
  }
  await checkFiles(folder, manifest);
  const client = longSession(ownerUrl);
  await client.connect();
  try {
    // Also for what comes after the transaction.
    await client.query("SET statement_timeout = 0");
    await refuseUnlessEmpty(client, manifest);
    await createTables(ownerUrl, new Set(manifest.migrations));
    const queue = await client.query<{ at: number }>("SELECT max(id) AS at FROM graphile_worker.migrations");
    if ((queue.rows[0]?.at ?? 0) < manifest.queueMigration)
      throw new Refused(
        `The backup's queue is of a newer release. Use release ${manifest.tidings} or a newer one.`,
      );
    await client.query("BEGIN");
    await client.query(TEXT_SETTINGS);
    await client.query(NO_END);
    await load(client, folder, manifest);
    // This cluster counts transactions from its own beginning: however far it gets while sending is held, the audit trail is taken up by
    // what is not in it yet, not by number.
    await client.query("UPDATE audit_progress SET xid = 9223372036854775807");
    await insertHold(client, { heldBy: "restore", reason: `Restored from a backup of ${manifest.takenAt}` });
    await client.query("COMMIT");
    await migrate(ownerUrl);
    await client.query("ANALYZE");
    return manifest;
  } finally {
    await client.end();
  }
}

/**
 * Empty, or left by a restore of these tables that did not finish: without functions, which come last, and without a migration that
 * the backup lacks. What such a one does to the rows it would not do again.
 */
async function refuseUnlessEmpty(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const { rows } = await client.query<{ tables: number; ours: boolean; finished: boolean }>(
    `SELECT (SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')) AS tables,
       to_regclass('public._prisma_migrations') IS NOT NULL AS ours, to_regclass('public._applied_sql') IS NOT NULL AS finished`,
  );
  const state = rows[0];
  if (state?.tables === 0) return;
  if (state?.ours && !state.finished) {
    const { rowCount } = await client.query(
      "SELECT FROM _prisma_migrations WHERE migration_name <> ALL ($1)",
      [migrations],
    );
    if (rowCount === 0) return;
  }
  throw new Refused(
    "The database is not empty. A restore never replaces anything: create an empty database, or name an empty DATA_DIR.",
  );
}

interface Reference {
  table: string;
  name: string;
  definition: string;
}

/** All rows. Foreign keys are taken away before and made again after, which checks them. */
async function load(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  const { rows: references } = await client.query<Reference>(
    `SELECT k.conrelid::regclass::text AS table, quote_ident(k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0
       AND k.connamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  for (const { table, name } of references)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name, of, from, to } of manifest.partitions) {
    await client.query(
      `CREATE TABLE IF NOT EXISTS public.${pg.escapeIdentifier(name)} PARTITION OF public.${pg.escapeIdentifier(of)}
       FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  }
  // Migrations leave rows of their own, and an interrupted restore nothing.
  await client.query(`TRUNCATE ${manifest.tables.map(quoted).join(", ")}`);
  for (const table of manifest.tables) {
    await client.query(`ALTER TABLE ${quoted(table)} DISABLE TRIGGER USER`);
    const copy = client.query(copyFrom(`COPY ${quoted(table)} (${listed(table.columns)}) FROM STDIN`));
    await pipeline(createReadStream(path.join(folder, table.file)), createGunzip(), copy);
    if (copy.rowCount !== table.rows) {
      throw new Refused(
        `${table.file} has ${String(copy.rowCount)} rows instead of ${String(table.rows)}; nothing was restored.`,
      );
    }
    await client.query(`ALTER TABLE ${quoted(table)} ENABLE TRIGGER USER`);
  }
  for (const sequence of manifest.sequences) {
    await client.query("SELECT setval($1::regclass, $2::bigint)", [quoted(sequence), sequence.value]);
  }
  for (const { table, name, definition } of references)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { name } of manifest.partitions) {
    await client.query(
      `ALTER TABLE public.${pg.escapeIdentifier(name)} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`,
    );
  }
  // The processes that held jobs do not exist here.
  await client.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL`,
  );
  await client.query(
    `UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL`,
  );
}
