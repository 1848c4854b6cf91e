import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { differenceToSchema, migrate } from "../../scripts/lib/migrations.ts";
import { root } from "../../scripts/lib/paths.ts";
import { readSchema } from "../../scripts/lib/schema-engine.ts";
import { testDatabase } from "./database.ts";

const database = await testDatabase();

test("a migration never changes: its checksum is the one recorded when it was added", () => {
  const folder = path.join(root, "prisma", "migrations");
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const checksums = names.map(({ name }) => {
    const script = readFileSync(path.join(folder, name, "migration.sql"));
    return [name, createHash("sha256").update(script).digest("hex")];
  });
  const hint = "A new migration's line, marked +, goes to checksums.json; another one's never changes";
  expect(Object.fromEntries(checksums), hint).toEqual(
    JSON.parse(readFileSync(path.join(folder, "checksums.json"), "utf8")),
  );
});

test("the migrations make exactly the tables that prisma/schema describes", async () => {
  expect(await differenceToSchema(database.ownerUrl, readSchema())).toBe("");
});

test("a migrated database has nothing left to migrate", async () => {
  expect(await migrate(database.ownerUrl)).toEqual({ migrations: [], files: [] });
});

test("every table with a tenant has forced row-level security", async () => {
  const { rows } = await database.owner.query<{ relname: string }>(`
    SELECT c.relname FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND EXISTS (SELECT FROM pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
       AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`);
  expect(rows, "These need SELECT protect_table('…') in prisma/policies").toEqual([]);
});

test("every primary key of a tenant's table leads with the tenant", async () => {
  const { rows } = await database.owner.query<{ relname: string }>(`
    SELECT c.relname FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
      JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND i.indkey[0] <> a.attnum`);
  expect(rows).toEqual([]);
});

test("the roles of web and worker neither own tables nor bypass row-level security", async () => {
  const { rows } = await database.owner.query(`
    SELECT rolname FROM pg_roles r
     WHERE rolname IN ('tidings_web', 'tidings_worker')
       AND (rolsuper OR rolbypassrls OR rolcreaterole OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid))`);
  expect(rows).toEqual([]);
});

test("a connection without a tenant sees nothing", async () => {
  const { rows } = await database.web.pool.query<{ count: string }>("SELECT count(*) FROM tenants");
  expect(rows[0]?.count).toBe("0");
});
