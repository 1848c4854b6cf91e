import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { inTenant, lookUpInTenant, openDb, queryInTenant } from "./db.ts";
import { newId } from "./ids.ts";
import { isUnavailable } from "./unavailable.ts";

const database = await testDatabase();
const [ours, theirs] = [newId(), newId()];

test("however many slow reads of one organisation there are, another one's find a connection", async () => {
  const db = openDb("web", database.webUrl, { poolSize: 3 });
  const slow = Array.from({ length: 8 }, () =>
    queryInTenant({ db, tenantId: ours }, "SELECT pg_sleep(0.4)", []),
  );
  await sleep(100);
  const began = performance.now();
  expect(await queryInTenant({ db, tenantId: theirs }, "SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
  expect(performance.now() - began).toBeLessThan(250);
  await Promise.all(slow);
  await db.close();
});

test("however many transactions of one organisation wait for a lock, another one's find a connection", async () => {
  const db = openDb("web", database.webUrl, { poolSize: 3 });
  const holder = await database.owner.connect();
  await holder.query("BEGIN; SELECT pg_advisory_xact_lock(4711)");
  const waiting = Array.from({ length: 8 }, () =>
    inTenant({ db, tenantId: ours }, (tx) => tx.$executeRaw`SELECT pg_advisory_xact_lock(4711)`),
  );
  await sleep(100);
  const began = performance.now();
  await inTenant({ db, tenantId: theirs }, (tx) => tx.$executeRaw`SELECT 1`);
  expect(await queryInTenant({ db, tenantId: theirs }, "SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
  expect(performance.now() - began).toBeLessThan(1_000);
  await holder.query("COMMIT");
  holder.release();
  await Promise.all(waiting);
  await db.close();
});

test("an organisation writes while its own slow reads take all that reads may, and sends whatever else it does", async () => {
  const db = openDb("web", database.webUrl, { poolSize: 4 });
  const slow = Array.from({ length: 4 }, () =>
    queryInTenant({ db, tenantId: ours }, "SELECT pg_sleep(1)", []),
  );
  const began = performance.now();
  await inTenant({ db, tenantId: ours }, (tx) => tx.$executeRaw`SELECT 1`);
  slow.push(
    ...Array.from({ length: 4 }, () =>
      inTenant({ db, tenantId: ours }, (tx) => tx.$queryRaw<object[]>`SELECT pg_sleep(1)::text`),
    ),
  );
  expect(await lookUpInTenant({ db, tenantId: ours }, "SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
  expect(performance.now() - began).toBeLessThan(900);
  await Promise.all(slow);
  await db.close();
});

test("a read that takes too long is ended in the database, and its caller told to ask for less", async () => {
  const db = openDb("web", database.webUrl, { poolSize: 1, longestReadMs: 100 });
  const ask = (text: string) => queryInTenant({ db, tenantId: ours }, text, []);
  await expect(ask("SELECT pg_sleep(30)")).rejects.toMatchObject({
    code: "service_overloaded",
    message: expect.stringContaining("Ask for less") as string,
  });
  // The connection is as good as before.
  expect(await ask("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await db.close();
});

test("a connection whose database has fallen silent is given up, and the next statement has another", async () => {
  const db = openDb("web", database.webUrl, { poolSize: 1, silenceMs: 200 });
  const failure: unknown = await db.pool.query("SELECT pg_sleep(30)").catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
  expect((await db.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  // One that nobody uses is silent as well, and stays.
  const pid = async () =>
    (await db.pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;
  const before = await pid();
  await sleep(500);
  expect(await pid()).toBe(before);
  // So does one whose transaction waits for the process itself.
  const client = await db.pool.connect();
  await client.query("BEGIN");
  await sleep(500);
  await client.query("COMMIT");
  client.release();
  await expect(db.pool.query("SELECT pg_sleep(30)")).rejects.toThrow("fell silent");
  await db.close();
});

test("a worker's statements may take as long as they take", async () => {
  const db = openDb("worker", database.workerUrl, { poolSize: 1, silenceMs: 100 });
  expect((await db.pool.query("SELECT 1 AS one FROM pg_sleep(0.5)")).rows).toEqual([{ one: 1 }]);
  await db.close();
});

afterAll(async () => {
  await database.owner.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()",
  );
});
