import { existsSync, mkdtempSync, rmSync, chmodSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { choosePort } from "./ports.ts";
import { ensureDatabase, initialiseCluster, ownerUrl, startPostgres, stopPostgres } from "./postgres.ts";
import type { Cluster } from "./postgres.ts";
import { isAlive } from "./processes.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-cluster-test-"));
chmodSync(folder, 0o711);
let cluster: Cluster;
let pid: number | undefined;

async function start(): Promise<void> {
  pid = (await startPostgres(cluster)).pid;
}

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: ownerUrl(cluster, "postgres") });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  cluster = {
    folder: path.join(folder, "postgres"),
    port: await choosePort(),
    password: "p@ss/word with spaces",
    logFile: path.join(folder, "postgres.log"),
    durable: true,
  };
  initialiseCluster(cluster);
  await start();
});

afterAll(async () => {
  if (pid !== undefined) await stopPostgres(pid);
  rmSync(folder, { recursive: true, force: true });
});

test("what is committed survives SIGKILL of the server", async () => {
  await query("CREATE TABLE kept AS SELECT 42 AS answer");
  process.kill(pid ?? 0, "SIGKILL");
  await start();
  expect(await query("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("a backend that hangs when the server is killed does not keep it from starting", async () => {
  const client = new pg.Client({ connectionString: ownerUrl(cluster, "postgres") });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const backend = rows[0]?.pid ?? 0;
  process.kill(backend, "SIGSTOP");
  process.kill(pid ?? 0, "SIGKILL");
  await start();
  expect(isAlive(backend)).toBe(false);
  expect(await query("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("a server that a killed supervisor left behind is replaced", async () => {
  const before = pid;
  await start();
  expect(pid).not.toBe(before);
  expect(await query("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("a lock file whose process id belongs to another program does not keep it from starting", async () => {
  await stopPostgres(pid ?? 0);
  writeFileSync(path.join(cluster.folder, "postmaster.pid"), `${process.pid}\n${cluster.folder}\n`);
  await start();
  expect(await query("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("it is durable, private and on loopback only", async () => {
  const settings = await query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses') ORDER BY name`,
  );
  expect(Object.fromEntries(settings.map((row) => [row.name, row.setting]))).toEqual({
    fsync: "on",
    full_page_writes: "on",
    listen_addresses: "127.0.0.1",
    synchronous_commit: "on",
  });
  expect(statSync(cluster.folder).mode & 0o077).toBe(0);
});

test("a wrong password is refused at once instead of waited for", async () => {
  await expect(startPostgres({ ...cluster, folder: cluster.folder, password: "wrong" })).rejects.toThrow(
    /password authentication failed/,
  );
  await start();
});

test("creating an existing cluster or database changes nothing", async () => {
  initialiseCluster(cluster);
  await ensureDatabase(cluster, "twice");
  await ensureDatabase(cluster, "twice");
  expect(await query("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  expect(existsSync(`${cluster.folder}.new`)).toBe(false);
});
