import path from "node:path";
import type { SchemasContainer } from "@prisma/schema-engine-wasm";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { readSqlFiles } from "../../server/kernel/sql-files.ts";
import { refusePooler } from "../../server/kernel/wrong-configuration.ts";
import { adoptBaseline } from "./adopt-baseline.ts";
import { root } from "./paths.ts";
import { applyMigrations, NO_FILTER, readMigrations, withSchemaEngine } from "./schema-engine.ts";
import { applySqlFiles } from "./sql-objects.ts";

/** Only one process migrates a database at a time; the others wait here. The number is arbitrary. */
const MIGRATION_LOCK = 7_104_226;

export type Applied = {
  /** Names of migrations, oldest first. */
  migrations: string[];
  /** Paths of SQL files inside prisma/. */
  files: string[];
};

/**
 * Brings a database up to date: first graphile-worker's tables (ours refer to its functions), then prisma/migrations
 * with Prisma's own engine and its `_prisma_migrations` table, then prisma/functions, prisma/views and prisma/policies. Whenever that
 * was interrupted, it goes on where it was.
 *
 * @param prismaFolder  the folder of all these
 * @returns what was applied
 */
export async function migrate(
  databaseUrl: string,
  prismaFolder = path.join(root, "prisma"),
): Promise<Applied> {
  const files = await readSqlFiles(prismaFolder);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await refusePooler(client, "DATABASE_URL");
    // The lock of a process whose machine is gone is free within a minute.
    await client.query(
      "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3",
    );
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await migrateQueue(databaseUrl);
    const migrationsFolder = path.join(prismaFolder, "migrations");
    await adoptBaseline(client, migrationsFolder);
    const migrations = await applyMigrations(databaseUrl, readMigrations(migrationsFolder));
    return { migrations, files: await applySqlFiles(client, files) };
  } catch (error) {
    throw readable(error);
  } finally {
    await client.end();
  }
}

/**
 * Makes the tables alone, as they are after the named migrations: no functions, triggers, views or policies. For a restore, which
 * migrates when the rows are there.
 */
export async function createTables(databaseUrl: string, names: ReadonlySet<string>): Promise<void> {
  await migrateQueue(databaseUrl);
  try {
    const all = readMigrations(path.join(root, "prisma", "migrations"));
    const migrationDirectories = all.migrationDirectories.filter(({ path: name }) => names.has(name));
    await applyMigrations(databaseUrl, { ...all, migrationDirectories });
  } catch (error) {
    throw readable(error);
  }
}

async function migrateQueue(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on("error", () => undefined); // reported by the query that it breaks
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}

/** The engine throws plain objects or long JSON; keep what people need. */
function readable(error: unknown): Error {
  if (error instanceof Error) return error;
  const message = (error as { message?: unknown } | null)?.message;
  return new Error(typeof message === "string" ? message : JSON.stringify(error));
}

/** SQL that would turn the migrated database into what prisma/schema describes; empty when they agree. */
export function differenceToSchema(databaseUrl: string, schema: SchemasContainer): Promise<string> {
  return withSchemaEngine(databaseUrl, async (engine) => {
    const result = await engine.diff({
      from: { tag: "schemaDatasource", ...schema, configDir: root },
      to: { tag: "schemaDatamodel", ...schema },
      script: true,
      exitCode: null,
      filters: { ...NO_FILTER, externalTables: ["public._applied_sql"] },
    });
    // Indexes that only SQL can describe, or that only some partitions need, are unknown to the schema: the engine
    // would drop them.
    const sql = (result.stdout ?? "").replaceAll(/-- DropIndex\nDROP INDEX "[^"]+";\n*/g, "").trim();
    return sql === "-- This is an empty migration." ? "" : sql;
  });
}
