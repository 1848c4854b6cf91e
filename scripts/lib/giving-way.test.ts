import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { testDatabase } from "../../server/testing/database.ts";
import { lockPatience } from "./giving-way.ts";
import { migrate } from "./migrations.ts";
import { root } from "./paths.ts";

const database = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "tidings-prisma-"));
for (const part of ["migrations", "functions", "views", "policies"])
  cpSync(path.join(root, "prisma", part), path.join(folder, part), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));
const usual = { ...lockPatience };
afterEach(() => Object.assign(lockPatience, usual));

function addMigration(name: string, sql: string): void {
  mkdirSync(path.join(folder, "migrations", name));
  writeFileSync(path.join(folder, "migrations", name, "migration.sql"), sql);
}

/** Reads a table in a transaction, as a backup does, until it is told to end. */
async function reader(table: string): Promise<() => Promise<void>> {
  const client = await database.owner.connect();
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(`SELECT FROM ${table} LIMIT 1`);
  return async () => {
    await client.query("COMMIT");
    client.release();
  };
}

/** The longest that somebody else's read of a table took, ms, while something else was done. */
async function longestRead(table: string, during: Promise<unknown>): Promise<number> {
  let [longest, over] = [0, false];
  const end = during.finally(() => (over = true));
  while (!over) {
    const began = performance.now();
    await database.owner.query(`SELECT FROM ${table} LIMIT 1`);
    longest = Math.max(longest, performance.now() - began);
    await sleep(20);
  }
  await end;
  return longest;
}

test("a change of a table that somebody reads for long lets all others through, and is made when the reader has ended", async () => {
  Object.assign(lockPatience, { tries: 50, lockMs: 150, pauseMs: 100 });
  addMigration("20990101000000_first", "ALTER TABLE notifications ADD COLUMN one text;");
  writeFileSync(
    path.join(folder, "policies", "zz_test.sql"),
    "DROP POLICY IF EXISTS zz_test ON notifications; CREATE POLICY zz_test ON notifications FOR SELECT TO tidings_web USING (false);",
  );
  const stop = await reader("notifications");
  const migrating = migrate(database.ownerUrl, folder);
  setTimeout(() => void stop(), 2_000);
  expect(await longestRead("notifications", migrating)).toBeLessThan(1_000);
  expect(await migrating).toEqual({
    migrations: ["20990101000000_first"],
    files: ["policies/zz_test.sql"],
  });
});

test("one that cannot be made says why, changes nothing, and is made by the next migration", async () => {
  Object.assign(lockPatience, { tries: 2, lockMs: 100, pauseMs: 50 });
  addMigration(
    "20990102000000_second",
    "CREATE TABLE second_of_two (id int); ALTER TABLE notifications ADD COLUMN two text;",
  );
  const stop = await reader("notifications");
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow(
    /something reads it all the time.*Migrate again/,
  );
  const made = "SELECT to_regclass('second_of_two') IS NOT NULL AS made";
  expect((await database.owner.query(made)).rows).toEqual([{ made: false }]);
  await stop();
  expect((await migrate(database.ownerUrl, folder)).migrations).toEqual(["20990102000000_second"]);
  expect((await database.owner.query(made)).rows).toEqual([{ made: true }]);
});
