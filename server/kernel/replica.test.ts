import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { startPair } from "../testing/standby.ts";
import { openDb } from "./db.ts";
import type { Db } from "./db.ts";
import { newId } from "./ids.ts";
import { queryFigures } from "./replica.ts";

const [ours, theirs] = [newId(), newId()];
const pair = await startPair(async (client) => {
  await client.query(`
    CREATE ROLE tidings_web;
    CREATE TABLE figures (tenant_id uuid NOT NULL, n int NOT NULL);
    ALTER TABLE figures ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON figures USING (tenant_id = current_setting('app.tenant')::uuid);
    GRANT SELECT ON figures TO tidings_web;
    INSERT INTO figures VALUES ('${ours}', 1), ('${theirs}', 2)`);
});
const opened: Db[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
});
afterAll(() => pair.stop());

function open(replicaUrl: string) {
  const db = openDb("web", pair.primaryUrl, { poolSize: 4, replicaUrl });
  opened.push(db);
  const ctx = { db, tenantId: ours };
  /** Who answers, and what it sees. */
  const ask = async () => {
    const [row] = await queryFigures<{ replica: boolean; seen: number[] }>(
      ctx,
      "SELECT pg_is_in_recovery() AS replica, array_agg(n ORDER BY n) AS seen FROM figures",
      [],
    );
    return [row?.replica ? "replica" : "primary", row?.seen];
  };
  /** As if its rest were over. */
  const later = () => {
    if (db.replica) db.replica.restsUntil = 0;
  };
  return { db, ctx, ask, later };
}

const lasts = async (work: () => Promise<unknown>) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

test("the replica answers figures, of one organisation, and can change nothing", async () => {
  const { ctx, ask } = open(pair.standbyUrl);
  expect(await ask()).toEqual(["replica", [1]]);
  await expect(queryFigures(ctx, "DELETE FROM figures RETURNING n", [])).rejects.toThrow();
});

test("while it is down the database answers, only the first read waits, and it comes back by itself", async () => {
  const { ask, later } = open(pair.standbyUrl);
  expect(await ask()).toEqual(["replica", [1]]);
  await pair.stopStandby();
  expect(await ask()).toEqual(["primary", [1]]);
  expect(await lasts(ask)).toBeLessThan(500);
  later();
  expect(await ask()).toEqual(["primary", [1]]);
  await pair.startStandby();
  expect(await ask()).toEqual(["primary", [1]]);
  later();
  expect(await ask()).toEqual(["replica", [1]]);
  expect(await ask()).toEqual(["replica", [1]]);
});

test("one that takes connections and never answers costs one read two seconds, and the others nothing", async () => {
  const sockets = new Set<Socket>();
  const mute = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const url = new URL(pair.standbyUrl);
  url.port = String((mute.address() as AddressInfo).port);
  const { ask, later } = open(url.href);
  expect(await lasts(ask)).toBeLessThan(4_000);
  expect(await lasts(ask)).toBeLessThan(500);
  later();
  // One tries it for all.
  const [slow = 0, ...fast] = (await Promise.all(Array.from({ length: 6 }, () => lasts(ask)))).toSorted(
    (one, other) => other - one,
  );
  expect(slow).toBeLessThan(4_000);
  expect(Math.max(...fast)).toBeLessThan(1_000);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => mute.close(resolve));
});

test("one that is behind is not asked until it has caught up", async () => {
  const { db, ask, later } = open(pair.standbyUrl);
  await pair.asStandbyOwner((client) => client.query("SELECT pg_wal_replay_pause()"));
  await pair.primary.query("INSERT INTO figures VALUES ($1, 3)", [ours]);
  // Within seconds it may answer with what it has, and beyond that not.
  expect(await ask()).toEqual(["replica", [1]]);
  if (db.replica) db.replica.mostBehindSeconds = 0;
  // As soon as it knows that there is more.
  await vi.waitFor(async () => expect(await ask()).toEqual(["primary", [1, 3]]), { timeout: 5_000 });
  await pair.asStandbyOwner((client) => client.query("SELECT pg_wal_replay_resume()"));
  later();
  await vi.waitFor(
    async () => {
      later();
      expect(await ask()).toEqual(["replica", [1, 3]]);
    },
    { timeout: 5_000, interval: 100 },
  );
});

test("a login with other rights than the web's is not used", async () => {
  const { db, ask } = open(`${pair.standbyUrl}?pgbouncer=true`);
  expect(await ask()).toEqual(["primary", [1, 3]]);
  expect(db.replica).toMatchObject({ failed: true });
});

test("a statement that is wrong is nobody's fault but its own: the replica stays in use", async () => {
  const { ctx, ask, db } = open(pair.standbyUrl);
  await expect(queryFigures(ctx, "SELECT 1 / 0", [])).rejects.toThrow("division by zero");
  expect(db.replica).toMatchObject({ failed: false });
  expect((await ask())[0]).toBe("replica");
});
