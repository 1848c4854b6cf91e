import { expect, it } from "vitest";
import { openDb, warmUp } from "../kernel/db.ts";
import type { Db, DbRole } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { prepareAccepting, prepareDelivering } from "./prepare-connection.ts";

const database = await testDatabase();
const urls = { web: database.webUrl, worker: database.workerUrl };

async function withDb(role: DbRole & keyof typeof urls, work: (db: Db) => Promise<void>): Promise<void> {
  const db = openDb(role, urls[role], { poolSize: 5, keep: 3 });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

/** What each connection of the pool has planned, by its name; asked of all at once, so that none answers twice. */
const planned = (db: Db) =>
  Promise.all(
    Array.from({ length: db.pool.options.min ?? 0 }, () =>
      db.pool.query<{ name: string }>("SELECT name FROM pg_prepared_statements, pg_sleep(0.2) ORDER BY name"),
    ),
  ).then((all) => all.map(({ rows }) => rows.map(({ name }) => name)));

it("before a process serves, each of its connections has run what a burst of messages waits for", async () => {
  await withDb("web", async (db) => {
    await warmUp(db, prepareAccepting);
    expect([db.pool.totalCount, db.pool.idleCount]).toEqual([3, 3]);
    expect(await planned(db)).toEqual(Array(3).fill(["accept_sends"]));
  });
  await withDb("worker", async (db) => {
    await warmUp(db, prepareDelivering);
    expect(await planned(db)).toEqual(Array(3).fill(["advance_notifications", "select_deliveries"]));
  });
});

it("a process starts also where preparing fails, with its connections given back", async () => {
  await withDb("web", async (db) => {
    await warmUp(db, () => Promise.reject(new Error("a function is missing")));
    expect(db.pool.waitingCount).toBe(0);
    await expect.poll(() => db.pool.idleCount).toBe(db.pool.totalCount);
    expect((await db.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });
});

it("a process starts also where preparing hangs, and has the connections once it ends", async () => {
  await withDb("web", async (db) => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
    await warmUp(db, () => answered, 50);
    expect(db.pool.idleCount).toBe(0);
    answer(undefined);
    await expect.poll(() => db.pool.idleCount).toBe(3);
  });
});
