import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { differenceToSchema, migrate } from "../../scripts/lib/migrations.ts";
import { root } from "../../scripts/lib/paths.ts";
import { readSchema } from "../../scripts/lib/schema-engine.ts";
import { testDatabase } from "./database.ts";

const database = await testDatabase();
const prisma = path.join(root, "prisma");
const [baseline, ...later] = readdirSync(path.join(prisma, "migrations"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

/**
 * Gives every table that is empty a row: what must be there and has no default, uuids all the same, so that keys fit, and the
 * first of the texts that a check lists.
 */
const FILL = `DO $$
DECLARE t record;
BEGIN
  FOR t IN
    SELECT c.oid::regclass AS name, string_agg(quote_ident(a.attname), ', ') AS columns,
      string_agg(coalesce((SELECT min(substring(pg_get_constraintdef(k.oid) FROM format('\\(%I = ANY \\(ARRAY\\[(''[^'']+'')', a.attname)))
          FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'), CASE format_type(a.atttypid, NULL)
        WHEN 'uuid' THEN quote_literal(uuidv7_floor(date_trunc('hour', now())))
        WHEN 'timestamp with time zone' THEN 'now()' WHEN 'date' THEN 'current_date' WHEN 'boolean' THEN 'true' WHEN 'jsonb' THEN '''{}'''
        WHEN 'bytea' THEN '''x''' WHEN 'text' THEN '''text''' WHEN 'character' THEN '''EUR''' ELSE '1' END), ', ') AS values
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.attnotnull AND NOT a.attisdropped
      AND NOT a.atthasdef AND a.attidentity = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname NOT LIKE E'\\\\_%'
    -- What refers to others comes after them.
    GROUP BY c.oid, c.relname ORDER BY (SELECT count(*) FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f'), c.relname
  LOOP
    EXECUTE format('INSERT INTO %1$s (%2$s) SELECT %3$s WHERE NOT EXISTS (SELECT FROM %1$s)', t.name, t.columns, t.values);
  END LOOP;
END
$$`;

/** Tables without a row, partitions left out. */
const EMPTY = `SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  AND NOT c.relispartition AND (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %s', c.oid::regclass),
    false, true, '')))[1]::text = '0'`;

/** A database of its own, and a prisma folder that holds what the baseline needs, without migrations. */
async function withScratch<T>(
  work: (scratch: { url: string; client: pg.Client; folder: string }) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "tidings-upgrade-"));
  const url = new URL(database.ownerUrl);
  url.pathname += "_upgraded";
  const name = url.pathname.slice(1);
  await database.owner.query(`CREATE DATABASE ${name}`);
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    for (const part of ["migrations", "functions", "views", "policies"]) mkdirSync(path.join(folder, part));
    for (const file of [
      "migrations/migration_lock.toml",
      "functions/ensure_partitions.sql",
      "functions/uuidv7_floor.sql",
    ]) {
      cpSync(path.join(prisma, file), path.join(folder, file));
    }
    return await work({ url: url.href, client, folder });
  } finally {
    await client.end();
    await database.owner.query(`DROP DATABASE ${name} WITH (FORCE)`);
    rmSync(folder, { recursive: true });
  }
}

const copyMigration = (folder: string, migration: string) =>
  cpSync(path.join(prisma, "migrations", migration), path.join(folder, "migrations", migration), {
    recursive: true,
  });

/**
 * Makes a database with the baseline, gives every table a row, and applies each later migration to what is there by then. At
 * the end come functions and policies. `more` are further migrations, by name.
 */
async function upgradePopulated(
  more: Record<string, string> = {},
): Promise<{ empty: string[]; difference: string }> {
  return withScratch(async ({ url, client, folder }) => {
    const own = new Set([baseline!, ...later]);
    for (const migration of [...own, ...Object.keys(more)]) {
      if (own.has(migration)) copyMigration(folder, migration);
      else {
        const target = path.join(folder, "migrations", migration);
        mkdirSync(target);
        writeFileSync(path.join(target, "migration.sql"), more[migration]!);
      }
      expect((await migrate(url, folder)).migrations).toEqual([migration]);
      await client.query(FILL);
    }
    for (const part of ["functions", "views", "policies"]) {
      cpSync(path.join(prisma, part), path.join(folder, part), { recursive: true });
    }
    await migrate(url, folder);
    const { rows } = await client.query<{ relname: string }>(EMPTY);
    return {
      empty: rows.map((row) => row.relname),
      difference: await differenceToSchema(url, readSchema()),
    };
  });
}

/** All migrations one after the other, more with each release. */
const upgradeMs = 180_000;

test(
  "each migration since the baseline takes a database that has rows, and leaves them there",
  async () => {
    expect(await upgradePopulated()).toEqual({ empty: [], difference: "" });
  },
  upgradeMs,
);

test(
  "a migration that only an empty database can take is found out",
  async () => {
    await expect(
      upgradePopulated({ "99990101000000_careless": "ALTER TABLE users ADD COLUMN age int NOT NULL;" }),
    ).rejects.toThrow('column "age" of relation "users" contains null values');
  },
  upgradeMs,
);

type Asked = Pick<pg.Client, "query"> | pg.Pool;
const rewriteHistory = async (asked: Asked, names: string[]) => {
  await asked.query("DELETE FROM _prisma_migrations");
  for (const name of names) {
    await asked.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES (gen_random_uuid(), 'of then', $1, now(), 1)`,
      [name],
    );
  }
};
const history = async (asked: Asked) => {
  const { rows } = await asked.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1",
  );
  return rows.map((row) => row.name);
};

test("a database in the middle of the migrations before the baseline is refused, with what to do, and left as it is", async () => {
  const names = ["20261120000000_tables", "20261120000100_security"];
  await rewriteHistory(database.owner, names);
  await expect(migrate(database.ownerUrl)).rejects.toThrow(
    /stands at 20261120000100_security.*Start the release whose last migration is 20261122080000_\w+ once/,
  );
  expect(await history(database.owner)).toEqual(names);
});

test("a database that has all migrations before the baseline is taken over with its rows", async () => {
  await withScratch(async ({ url, client, folder }) => {
    copyMigration(folder, baseline!);
    await migrate(url, folder);
    await client.query(FILL);
    await rewriteHistory(client, ["20261120000000_tables", "20261122080000_closed_attempts_counted_once"]);
    await client.query("DROP TABLE _applied_sql");
    const applied = await migrate(url);
    expect(applied.migrations).toEqual([...later]);
    expect(applied.files).toContain("functions/accept_sends.sql");
    expect(await history(client)).toEqual([baseline, ...later]);
    const { rowCount } = await client.query("SELECT FROM tenants");
    expect(rowCount).toBe(1);
    expect(await migrate(url)).toEqual({ migrations: [], files: [] });
  });
});
