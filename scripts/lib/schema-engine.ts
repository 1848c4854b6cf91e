import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine, SchemasContainer } from "@prisma/schema-engine-wasm";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { givingWay } from "./giving-way.ts";
import { root } from "./paths.ts";

/** The generated glue around the WebAssembly module; its type declarations leave out how it is instantiated. */
type Bindings = {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
  SchemaEngine: typeof SchemaEngine;
};

/** What the module imports. Its timers (waiting for a lock) must not keep the process alive. */
function imports(): WebAssembly.ModuleImports {
  const found = Object.entries(bindings) as [string, (...args: unknown[]) => unknown][];
  const unreferenced = found.map(([name, implementation]) => {
    if (!name.startsWith("__wbg_setTimeout_")) return [name, implementation] as const;
    const setTimer = (...args: unknown[]) => {
      const timer = implementation(...args);
      if (typeof timer === "object") (timer as NodeJS.Timeout).unref();
      return timer;
    };
    return [name, setTimer] as const;
  });
  return Object.fromEntries(unreferenced);
}

let wired = false;

/** Instantiates Prisma's schema engine as WebAssembly: no native engine has to be downloaded. */
async function wire(): Promise<Bindings> {
  const glue = bindings as unknown as Bindings;
  if (!wired) {
    const folder = path.dirname(
      createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg"),
    );
    const bytes = readFileSync(path.join(folder, "schema_engine_bg.wasm"));
    const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": imports() });
    glue.__wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
    // Where the engine leaves the message of a crash before it traps.
    Object.assign(globalThis, {
      PRISMA_WASM_PANIC_REGISTRY: {
        set_message: (message: string) => {
          throw new Error(`Prisma's schema engine crashed: ${message}`);
        },
      },
    });
    wired = true;
  }
  return glue;
}

/**
 * Postgres' internal type "char", which catalogue columns have and Prisma's driver adapter refuses, and its array type,
 * which the adapter knows. Results pass through the adapter as the latter and come out as the former.
 */
const INTERNAL_CHAR = 18;
const INTERNAL_CHAR_ARRAY = 1002;

/** The name of the sessions that run migrations. */
const SESSIONS = "tidings migrations";

/** A pool whose results can be read by the driver adapter. */
function introspectionPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: SESSIONS });
  pool.on("error", () => undefined); // reported by the query that it breaks
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryArrayResult>;
  const readable = async (...args: unknown[]) => {
    const result = await query(...args);
    // A script of several statements answers with a list, which nobody reads.
    if (!Array.isArray(result)) {
      for (const field of result.fields) {
        if (field.dataTypeID === INTERNAL_CHAR) field.dataTypeID = INTERNAL_CHAR_ARRAY;
      }
    }
    return result;
  };
  return Object.assign(pool, { query: readable });
}

/**
 * Runs a script, whose statements are one transaction. That Prisma's record of it is finished belongs to the same one: whenever a
 * process is killed, what is recorded as unfinished has left nothing behind.
 */
async function runScript(pool: pg.Pool, script: string, lockMs: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`SET lock_timeout = ${String(lockMs)}`);
    const id = await begunMigration(client);
    await client.query(id === undefined ? script : `${script}\n;${finish(client.escapeLiteral(id))}`);
    await client.query("RESET lock_timeout");
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const IS_UNFINISHED = "finished_at IS NULL AND rolled_back_at IS NULL";

/** Whether a database has Prisma's record of migrations. */
export async function hasMigrations(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known",
  );
  return rows[0]?.known === true;
}

/** The one that Prisma has begun to record; undefined for a script of its own, such as that of its table. */
async function begunMigration(client: pg.PoolClient): Promise<string | undefined> {
  if (!(await hasMigrations(client))) return undefined;
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM _prisma_migrations WHERE ${IS_UNFINISHED}`,
  );
  return rows[0]?.id;
}

/** Fails, and the script with it, when another process has given the migration up in the meantime. */
const finish = (id: string) => `DO $finish$ BEGIN
  UPDATE _prisma_migrations SET finished_at = clock_timestamp() WHERE id = ${id} AND ${IS_UNFINISHED};
  IF NOT FOUND THEN RAISE EXCEPTION 'another process has begun this migration again'; END IF;
END $finish$`;

/**
 * Gives up what a process that was killed, or a script that failed, has left unfinished: it is made again from its beginning. Postgres
 * may still be running the script of a process that is gone.
 */
async function giveUpUnfinished(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND application_name = $1`,
      [SESSIONS],
    );
    if (await hasMigrations(client))
      await client.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE ${IS_UNFINISHED}`);
  } finally {
    await client.end();
  }
}

/** Applies the migrations that a database lacks, and returns their names. Only one process at a time may. */
export async function applyMigrations(databaseUrl: string, migrationsList: MigrationList): Promise<string[]> {
  await giveUpUnfinished(databaseUrl);
  return withSchemaEngine(databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}

/**
 * Adds two things that migrations and introspection need and the driver adapter lacks.
 *
 * @param failed  called with the reason of a failed script, of which the engine only reports the failure
 */
function mended(
  adapter: SqlDriverAdapter,
  pool: pg.Pool,
  failed: (error: unknown) => void,
): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    /** Sends a script as one message, so that Postgres tells statements apart, also inside function bodies. */
    executeScript: async (script: string) => {
      await givingWay((lockMs) => runScript(pool, script, lockMs)).catch((error: unknown) => {
        failed(error);
        throw error;
      });
    },
    queryRaw: async (query: SqlQuery) => {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    },
  });
}

/** Opens the schema engine on a database, runs `work`, and closes it and its connections. */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const glue = await wire();
  const pool = introspectionPool(databaseUrl);
  const prisma = new PrismaPg(pool);
  let scriptError: unknown;
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: prisma.provider,
    adapterName: prisma.adapterName,
    connect: async () => mended(await prisma.connect(), pool, (error) => (scriptError = error)),
    connectToShadowDb: () => prisma.connectToShadowDb(),
  };
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(factory);
    const engine = await glue.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
    try {
      return await work(engine);
    } catch (error) {
      throw scriptError ?? error;
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

/** prisma/schema/*.prisma as the engine wants them. */
export function readSchema(): SchemasContainer {
  const folder = path.join(root, "prisma", "schema");
  const files = readdirSync(folder).filter((name) => name.endsWith(".prisma"));
  return {
    files: files.sort().map((name) => ({
      path: path.join(folder, name),
      content: readFileSync(path.join(folder, name), "utf8"),
    })),
  };
}

/** A folder like prisma/migrations as the engine wants it. */
export function readMigrations(baseDir: string): MigrationList {
  const names = readdirSync(baseDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return {
    baseDir,
    lockfile: {
      path: "migration_lock.toml",
      content: readFileSync(path.join(baseDir, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: names
      .map((entry) => entry.name)
      .sort()
      .map((name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: { tag: "ok", value: readFileSync(path.join(baseDir, name, "migration.sql"), "utf8") },
        },
      })),
  };
}

export const NO_FILTER = { externalTables: [], externalEnums: [] };
