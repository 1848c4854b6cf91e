import { createHash } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { KEY_FILE, MANIFEST } from "./backup-manifest.ts";
import type { Manifest } from "./backup-manifest.ts";
import { Refused } from "./command.ts";
import { root } from "./paths.ts";

/**
 * What a restore makes anew: which migrations and SQL files have run, and whether sending is on hold. Unlogged tables are left out,
 * too: they say which processes live.
 */
const MADE_ANEW = [
  "public._prisma_migrations",
  "public._applied_sql",
  "public.sending_holds",
  "graphile_worker.migrations",
];

/**
 * A session that may take hours, with statements that are silent for many minutes: it is kept open by whatever lies between, and a
 * server that is gone is noticed.
 */
export const longSession = (connectionString: string): pg.Client => {
  const client = new pg.Client({ connectionString, keepAlive: true, keepAliveInitialDelayMillis: 30_000 });
  client.on("error", () => undefined); // reported by the statement that it breaks
  return client;
};

/** Postgres 17 and newer may end long transactions. */
export const NO_END =
  "SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'";

/** Text that is the same wherever it is written and read; of the transaction, so that a pooler may be between. */
export const TEXT_SETTINGS = [
  "client_encoding = 'UTF8'",
  "DateStyle = 'ISO'",
  "IntervalStyle = 'postgres'",
  "TimeZone = 'UTC'",
  "extra_float_digits = 1",
  "bytea_output = 'hex'",
  "statement_timeout = 0",
  "lock_timeout = 0",
  "idle_in_transaction_session_timeout = 0",
]
  .map((setting) => `SET LOCAL ${setting}`)
  .join("; ");

const TABLES = `SELECT n.nspname AS schema, c.relname AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    -- Whether this login reads all rows: where row-level security binds even the owner, by the policy that migrating gives it.
    NOT c.relrowsecurity OR (SELECT r.rolsuper OR r.rolbypassrls FROM pg_roles r WHERE r.rolname = current_user)
      OR (c.relowner = current_user::regrole AND NOT c.relforcerowsecurity)
      OR EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'owner_access'
                 AND p.polroles = ARRAY[current_user::regrole::oid] AND pg_get_expr(p.polqual, c.oid) = 'true') AS whole
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
    AND n.nspname || '.' || c.relname <> ALL ($1)
  ORDER BY 1, 2`;

const PARTITIONS = `SELECT c.relname AS name, parent.relname AS of, pg_get_expr(c.relpartbound, c.oid) AS bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class parent ON parent.oid = i.inhparent
  WHERE parent.relkind = 'p' AND parent.relnamespace = 'public'::regnamespace ORDER BY 1`;

const SEQUENCES = `SELECT schemaname AS schema, sequencename AS name, last_value::text AS value FROM pg_sequences
  WHERE schemaname IN ('public', 'graphile_worker') AND last_value IS NOT NULL ORDER BY 1, 2`;

const BOUNDS = /^FOR VALUES FROM \('([0-9a-f-]{36})'\) TO \('([0-9a-f-]{36})'\)$/;

/**
 * Writes a backup of an installation into `folder`, which must not exist: each table as Postgres' COPY has it, compressed, as of one
 * moment (one read-only snapshot), and a manifest with counts and checksums, written last. Memory does not grow with the data. Work
 * goes on meanwhile, but migrations wait.
 * @param ownerUrl the database, as the owner of the tables.
 * @param secretKey the master key, to lie beside it; undefined leaves it out
 * @param signal ends it, with nothing left of it; rejects with the signal's reason
 */
export async function makeBackup(
  ownerUrl: string,
  folder: string,
  secretKey: string | undefined,
  signal = new AbortController().signal,
): Promise<Manifest> {
  if (existsSync(folder)) throw new Refused(`${folder} exists already.`);
  const draft = `${folder}.unfinished`;
  if (existsSync(draft)) throw new Refused(`${draft} is left over from an earlier backup; remove it first.`);
  const client = longSession(ownerUrl);
  await client.connect();
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    await refuseUnlessOurs(client);
    const there = (await tablesOf(client)).map(quoted).join(", ");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(TEXT_SETTINGS);
    // Before the snapshot, and until the end: a table that a migration writes anew would look empty to a snapshot from before.
    await client.query(`LOCK TABLE ${there} IN ACCESS SHARE MODE`);
    await client.query(NO_END);
    const manifest = await describe(client);
    for (const table of await tablesOf(client)) {
      signal.throwIfAborted();
      manifest.tables.push(await writeTable(client, draft, table, signal));
    }
    // Sequences are of no snapshot: read last, they are not behind any row.
    manifest.sequences = (await client.query<Manifest["sequences"][number]>(SEQUENCES)).rows;
    await client.query("COMMIT");
    if (secretKey !== undefined) {
      writeFileSync(path.join(draft, KEY_FILE), `${secretKey}\n`, { mode: 0o600, flush: true });
      manifest.keyIncluded = true;
    }
    writeFileSync(path.join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    renameSync(draft, folder);
    await syncFolder(path.dirname(folder));
    return manifest;
  } catch (error) {
    // What is there of it is of no use, and may be what has filled the disk.
    rmSync(draft, { recursive: true, force: true });
    signal.throwIfAborted();
    throw error;
  } finally {
    await client.end();
  }
}

async function refuseUnlessOurs(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('public.sending_holds') IS NOT NULL AS there",
  );
  if (rows[0]?.there !== true)
    throw new Refused("This database is not up to date, or not Tidings': run npm run migrate first.");
}

async function describe(client: pg.Client): Promise<Manifest> {
  const { rows } = await client.query<
    Pick<Manifest, "takenAt" | "postgres" | "migrations" | "queueMigration">
  >(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "takenAt",
       current_setting('server_version') AS postgres,
       ARRAY(SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1)::text[]
         AS migrations,
       (SELECT max(id) FROM graphile_worker.migrations) AS "queueMigration"`,
  );
  const [facts] = rows;
  if (!facts) throw new Error("the database answers with nothing");
  const partitions = await client.query<{ name: string; of: string; bounds: string }>(PARTITIONS);
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  return {
    format: 1,
    tidings: version,
    ...facts,
    keyIncluded: false,
    tables: [],
    partitions: partitions.rows.map(({ name, of, bounds }) => {
      const [, from, to] = BOUNDS.exec(bounds) ?? [];
      if (from === undefined || to === undefined)
        throw new Error(`the partition ${name} has bounds that a restore could not make: ${bounds}`);
      return { name, of, from, to };
    }),
    sequences: [],
  };
}

interface Table {
  schema: string;
  name: string;
  columns: string[];
  whole: boolean;
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES, [MADE_ANEW]);
  const partly = rows.filter(({ whole }) => !whole).map(({ name }) => name);
  if (partly.length > 0) {
    // Without an error, row-level security would leave rows out, and nobody would notice before a restore.
    throw new Refused(
      `This login does not see all rows of ${partly.slice(0, 3).join(", ")}: use the owner's, with which the database is migrated.`,
    );
  }
  return rows;
}

export const quoted = ({ schema, name }: { schema: string; name: string }) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
export const listed = (columns: readonly string[]) =>
  columns.map((one) => pg.escapeIdentifier(one)).join(", ");

async function writeTable(
  client: pg.Client,
  folder: string,
  table: Table,
  signal: AbortSignal,
): Promise<Manifest["tables"][number]> {
  const { schema, name, columns } = table;
  const file = `${schema}.${name}.copy.gz`;
  const copy = client.query(copyTo(`COPY (SELECT ${listed(columns)} FROM ${quoted(table)}) TO STDOUT`));
  const hash = createHash("sha256");
  let bytes = 0;
  const summed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(
    copy,
    createGzip({ level: 3 }),
    summed,
    createWriteStream(path.join(folder, file), { mode: 0o600, flush: true }),
    { signal },
  );
  return { schema, name, columns, rows: copy.rowCount, file, bytes, sha256: hash.digest("hex") };
}

/** So that the new name survives a power failure; not every system can do that for a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
