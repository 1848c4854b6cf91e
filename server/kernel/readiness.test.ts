import { afterAll, beforeEach, expect, it } from "vitest";
import { allLanes } from "../../worker/lanes.ts";
import { testDatabase } from "../testing/database.ts";
import { openDb } from "./db.ts";
import { startDraining } from "./lifecycle.ts";
import { readiness } from "./readiness.ts";

const database = await testDatabase();
const nowhere = openDb("web", "postgres://nobody@127.0.0.1:1/nothing");
afterAll(() => nowhere.close());

const everyLane = ["otp", "transactional", "bulk", "sandbox", "webhook", "maintenance"];
const beat = (lanes: string[], secondsAgo: number) =>
  database.owner.query(
    `INSERT INTO worker_processes (name, lanes, beat_at) VALUES ('w', $1, clock_timestamp() - make_interval(secs => $2))
     ON CONFLICT (name) DO UPDATE SET lanes = excluded.lanes, beat_at = excluded.beat_at`,
    [lanes, secondsAgo],
  );
beforeEach(() => beat(everyLane, 0));

it("is ready when the database answers and every migration is applied", async () => {
  expect(await readiness(database.web)).toEqual({ status: "ready" });
  expect(await readiness(database.worker)).toEqual({ status: "ready" });
});

it("is not ready without a database, and says so instead of failing", async () => {
  expect(await readiness(nowhere)).toEqual({ status: "not_ready", reason: "database_unreachable" });
});

it("says within seconds that a database which hangs is not reached, and is ready again as soon as it answers", async () => {
  const holder = await database.owner.connect();
  await holder.query("BEGIN; LOCK TABLE _prisma_migrations IN ACCESS EXCLUSIVE MODE");
  const began = performance.now();
  expect(await readiness(database.web)).toEqual({ status: "not_ready", reason: "database_unreachable" });
  expect(performance.now() - began).toBeLessThan(3_000);
  await holder.query("COMMIT");
  holder.release();
  expect(await readiness(database.web)).toEqual({ status: "ready" });
});

it("is not ready while a migration of this release is missing", async () => {
  const name = "SELECT max(migration_name) FROM _prisma_migrations";
  await database.owner.query(
    `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = (${name})`,
  );
  expect(await readiness(database.web)).toEqual({ status: "not_ready", reason: "migrations_pending" });
  await database.owner.query(
    `UPDATE _prisma_migrations SET finished_at = now() WHERE migration_name = (${name})`,
  );
  expect(await readiness(database.web)).toEqual({ status: "ready" });
});

it("is not ready while a function of this release is older", async () => {
  const path = "functions/accept_sends.sql";
  const { rows } = await database.owner.query<{ hash: string }>(
    "DELETE FROM _applied_sql WHERE path = $1 RETURNING hash",
    [path],
  );
  expect(await readiness(database.web)).toEqual({ status: "not_ready", reason: "migrations_pending" });
  // Replaced by a newer release: the older one still works.
  await database.owner.query(
    "INSERT INTO _applied_sql (hash, path, applied_at, replaced_at) VALUES ($1, $2, now(), now())",
    [rows[0]?.hash, path],
  );
  expect(await readiness(database.web)).toEqual({ status: "ready" });
});

it("names the lanes without a working process: none, or one that has stopped beating", async () => {
  expect(everyLane).toEqual([...allLanes]);
  await beat(["bulk", "sandbox", "webhook", "maintenance"], 0);
  expect(await readiness(database.web)).toEqual({
    status: "ready",
    lanesWithoutWorker: ["otp", "transactional"],
  });
  await beat(everyLane, 11);
  expect(await readiness(database.web)).toEqual({ status: "ready", lanesWithoutWorker: everyLane });
});

it("says that sending is on hold, and stays ready for everything else", async () => {
  await database.owner.query("INSERT INTO sending_holds (held_at, held_by, reason) VALUES (now(), 'x', 'y')");
  expect(await readiness(database.web)).toMatchObject({ status: "ready", sendingHeld: true });
  await database.owner.query("DELETE FROM sending_holds");
  expect(await readiness(database.web)).not.toHaveProperty("sendingHeld");
});

it("is not ready once it was asked to end", async () => {
  startDraining();
  expect(await readiness(database.web)).toEqual({ status: "not_ready", reason: "draining" });
});
