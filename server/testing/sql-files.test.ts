import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrate } from "../../scripts/lib/migrations.ts";
import { root } from "../../scripts/lib/paths.ts";
import { testDatabase } from "./database.ts";

const database = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "tidings-prisma-"));
cpSync(path.join(root, "prisma"), folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(path.join(folder, "functions", name), text);
const migrateCopy = async () => (await migrate(database.ownerUrl, folder)).files;
const value = async (sql: string) => {
  const { rows } = await database.owner.query<{ value: unknown }>(`SELECT ${sql} AS value`);
  return rows[0]?.value;
};
const answer = (body: string) =>
  `CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS $$ ${body} $$;\n`;

test("each function has one signature and a file of its name, and each file a function", async () => {
  const { rows } = await database.owner.query<{ name: string }>(`
    SELECT proname AS name FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY proname COLLATE "C"`);
  const files = readdirSync(path.join(root, "prisma", "functions")).sort();
  expect(rows.map((row) => `${row.name}.sql`)).toEqual(files);
});

test("a file is run again when its text changes, and only then", async () => {
  write("answer.sql", answer("SELECT 41"));
  expect(await migrateCopy()).toEqual(["functions/answer.sql"]);
  expect(await migrateCopy()).toEqual([]);
  write("answer.sql", answer("SELECT 42"));
  expect(await migrateCopy()).toEqual(["functions/answer.sql"]);
  expect(await value("answer()")).toBe(42);
  write("answer.sql", answer("SELECT 41"));
  expect(await migrateCopy()).toEqual(["functions/answer.sql"]);
  expect(await value("answer()")).toBe(41);
});

test("functions may refer to one another in any order", async () => {
  write(
    "a_first.sql",
    "CREATE OR REPLACE FUNCTION a_first() RETURNS int LANGUAGE sql AS $$ SELECT z_last() $$;",
  );
  write("z_last.sql", "CREATE OR REPLACE FUNCTION z_last() RETURNS int LANGUAGE sql AS $$ SELECT 7 $$;");
  expect(await migrateCopy()).toEqual(["functions/a_first.sql", "functions/z_last.sql"]);
  expect(await value("a_first()")).toBe(7);
});

test("a failing file is named, and nothing of the run stays", async () => {
  write("a_first.sql", "CREATE OR REPLACE FUNCTION a_first() RETURNS int LANGUAGE sql AS $$ SELECT 8 $$;");
  write("z_last.sql", "CREATE FUNCTION no_such_syntax;");
  await expect(migrateCopy()).rejects.toThrow("prisma/functions/z_last.sql: ");
  expect(await value("a_first()")).toBe(7);
  rmSync(path.join(folder, "functions", "z_last.sql"));
  rmSync(path.join(folder, "functions", "a_first.sql"));
  expect(await migrateCopy()).toEqual(["functions/a_first.sql", "functions/z_last.sql"]);
});

test("a file that first drops its former signature leaves one function", async () => {
  write(
    "answer.sql",
    `DROP FUNCTION IF EXISTS answer();
     CREATE OR REPLACE FUNCTION answer(p_to text) RETURNS text LANGUAGE sql AS $$ SELECT p_to || '?' $$;`,
  );
  await migrateCopy();
  expect(await value("answer('what')")).toBe("what?");
  expect(await value("(SELECT count(*)::int FROM pg_proc WHERE proname = 'answer')")).toBe(1);
});

test("a function whose file is gone is dropped, with the triggers that call it", async () => {
  write(
    "answer.sql",
    `DROP FUNCTION IF EXISTS answer(text);
     CREATE OR REPLACE FUNCTION answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
     CREATE OR REPLACE TRIGGER answer_all BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION answer();`,
  );
  await migrateCopy();
  rmSync(path.join(folder, "functions", "answer.sql"));
  expect(await migrateCopy()).toEqual(["functions/answer.sql"]);
  expect(await value("(SELECT count(*)::int FROM pg_proc WHERE proname = 'answer')")).toBe(0);
  expect(await value("(SELECT count(*)::int FROM pg_trigger WHERE tgname = 'answer_all')")).toBe(0);
});

test("two that migrate at the same time run each file once", async () => {
  write("answer.sql", answer("SELECT 1"));
  const both = await Promise.all([migrateCopy(), migrateCopy()]);
  expect(both.flat()).toEqual(["functions/answer.sql"]);
});
