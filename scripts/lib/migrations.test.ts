import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { testDatabase } from "../../server/testing/database.ts";
import { migrate } from "./migrations.ts";
import { root } from "./paths.ts";

const database = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "tidings-prisma-"));
for (const part of ["migrations", "functions", "views", "policies"])
  cpSync(path.join(root, "prisma", part), path.join(folder, part), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

function addMigration(name: string, sql: string): void {
  mkdirSync(path.join(folder, "migrations", name));
  writeFileSync(path.join(folder, "migrations", name, "migration.sql"), sql);
}

/** How often a migration was begun, and how it ended each time. */
const recorded = async (name: string) =>
  (
    await database.owner.query<{ finished: boolean; given_up: boolean }>(
      `SELECT finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS given_up FROM _prisma_migrations
       WHERE migration_name = $1 ORDER BY started_at`,
      [name],
    )
  ).rows;

const running = async (text: string) =>
  (
    await database.owner.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE $1 AND pid <> pg_backend_pid()",
      [`%${text}%`],
    )
  ).rowCount;

/** Migrates in a process of its own. */
function migrateElsewhere() {
  const program = `import { migrate } from ${JSON.stringify(path.join(root, "scripts/lib/migrations.ts"))};
    await migrate(${JSON.stringify(database.ownerUrl)}, ${JSON.stringify(folder)});`;
  return spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
}

test("a migration whose process is killed in the middle is made by the next one, though Postgres still ran it", async () => {
  const name = "20990201000000_slow";
  addMigration(
    name,
    "CREATE TABLE slow_one (id int); SELECT pg_sleep(60); CREATE TABLE slow_two (id int); -- end",
  );
  const child = migrateElsewhere();
  const ended = once(child, "exit");
  await vi.waitFor(async () => expect(await running("slow_one")).toBe(1), { timeout: 30_000, interval: 50 });
  child.kill("SIGKILL");
  await ended;
  expect(await running("slow_one")).toBe(1);
  writeFileSync(
    path.join(folder, "migrations", name, "migration.sql"),
    "CREATE TABLE slow_one (id int); CREATE TABLE slow_two (id int); -- end",
  );
  expect((await migrate(database.ownerUrl, folder)).migrations).toEqual([name]);
  expect(await recorded(name)).toEqual([
    { finished: false, given_up: true },
    { finished: true, given_up: false },
  ]);
  expect((await migrate(database.ownerUrl, folder)).migrations).toEqual([]);
});

test("one whose process is killed after it was made, before Prisma knows, counts as made", async () => {
  const name = "20990202000000_recorded";
  addMigration(name, "CREATE TABLE recorded_one (id int);");
  // Prisma's own record waits here, the script's does not.
  await database.owner.query(
    `CREATE FUNCTION hold_prisma() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.applied_steps_count > OLD.applied_steps_count THEN PERFORM pg_sleep(60); END IF;
       RETURN NEW; END $$;
     CREATE TRIGGER hold_prisma BEFORE UPDATE ON _prisma_migrations FOR EACH ROW EXECUTE FUNCTION hold_prisma()`,
  );
  const child = migrateElsewhere();
  const ended = once(child, "exit");
  await vi.waitFor(async () => expect(await recorded(name)).toMatchObject([{ finished: true }]), {
    timeout: 30_000,
    interval: 50,
  });
  child.kill("SIGKILL");
  await ended;
  expect((await migrate(database.ownerUrl, folder)).migrations).toEqual([]);
  await database.owner.query("DROP FUNCTION hold_prisma CASCADE");
  expect(await recorded(name)).toEqual([{ finished: true, given_up: false }]);
});

test("one that the data did not allow says why each time, and is made once they do", async () => {
  const name = "20990203000000_unique";
  await database.owner.query("CREATE TABLE doubled AS SELECT 1 AS id FROM generate_series(1, 2)");
  addMigration(name, "CREATE TABLE beside (id int); CREATE UNIQUE INDEX doubled_key ON doubled (id);");
  for (let time = 0; time < 2; time += 1)
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow(/could not create unique index/);
  await database.owner.query("DELETE FROM doubled WHERE ctid = (SELECT min(ctid) FROM doubled)");
  expect((await migrate(database.ownerUrl, folder)).migrations).toEqual([name]);
});
