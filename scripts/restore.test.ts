import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdSending, holdStatus, recordRestore, releaseSending } from "../server/console/hold.ts";
import { newId } from "../server/kernel/ids.ts";
import { openDb } from "../server/kernel/db.ts";
import { refuseHeld } from "../server/platform/sending-hold.ts";
import { testDatabase } from "../server/testing/database.ts";
import { startMailServer } from "../server/testing/mail-server.ts";
import { makeSendingWorld } from "../server/testing/sending-world.ts";
import { closeReceivers, receiver } from "../server/testing/webhook-world.ts";
import { createWebhookEndpoint } from "../server/webhooks/create-webhook-endpoint.ts";
import { webhookCreateSchema } from "../server/webhooks/schemas.ts";
import { makeBackup } from "./lib/make-backup.ts";
import { MANIFEST } from "./lib/backup-manifest.ts";
import type { Manifest } from "./lib/backup-manifest.ts";
import { createTables } from "./lib/migrations.ts";
import { root } from "./lib/paths.ts";
import { restoreBackup } from "./lib/restore-backup.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const folder = mkdtempSync(path.join(tmpdir(), "tidings-backup-"));
const backup = path.join(folder, "backup");
const mail = await startMailServer();
const hook = await receiver();
const made: string[] = [];
const workers: WorkerProcess[] = [];

/** An empty database beside the test's. */
async function emptyDatabase(): Promise<URL> {
  const url = new URL(database.ownerUrl);
  url.pathname = `/test_restored_${newId().slice(-12)}`;
  await database.owner.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
  made.push(url.pathname.slice(1));
  return url;
}

const loginAt = (place: URL, login: string) => {
  const url = new URL(login);
  url.pathname = place.pathname;
  return url.href;
};

type WorkerProcess = {
  exited: Promise<number | null>;
  isRunning: () => boolean;
  stop: () => Promise<number | null>;
};

/** A worker process with all lanes, as it runs in production. */
function startWorker(url: string): WorkerProcess {
  const child = spawn(process.execPath, [path.join(root, "worker/main.ts")], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production",
      LOG_LEVEL: "fatal",
      TIDINGS_SECRET_KEY: process.env.TIDINGS_SECRET_KEY ?? "",
      OUTBOUND_ALLOW: "127.0.0.0/8",
      WORKER_METRICS_PORT: "0",
      WORKER_DATABASE_URL: url,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const worker: WorkerProcess = {
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => {
      child.kill("SIGTERM");
      return exited;
    },
  };
  workers.push(worker);
  return worker;
}

async function until(what: string, ms: number, look: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`Not within ${String(ms)} ms: ${what}`);
    await pause(50);
  }
}

/** Waits until so many are counted. How long that takes is the machine's; only standing still for `ms` is a fault. */
async function untilCounted(what: string, wanted: number, ms: number, count: () => number | Promise<number>) {
  for (let counted = await count(); counted < wanted;) {
    const before = counted;
    await until(`${what}; ${String(before)} of ${String(wanted)}`, ms, async () => {
      counted = await count();
      return counted > before;
    });
  }
}

const orders = 900;
const codes = 100;
let manifest: Manifest;

beforeAll(async () => {
  const smtp = await world.addSmtp(mail.port);
  await world.addRule("production", [[smtp]]);
  await createWebhookEndpoint(world.tenant.system, {
    ...webhookCreateSchema.parse({
      url: hook.url,
      application: "shop",
      events: ["notification.sent", "notification.expired"],
    }),
    environmentId: world.tenant.environments.production,
  });
  const send = (notificationType: string, notificationSubtype: string, from: number, count: number) =>
    world.send({
      notificationType,
      notificationSubtype,
      recipients: Array.from({ length: count }, (_, i) => ({
        channel: "email" as const,
        recipient: `${notificationType}-${String(from + i)}@example.com`,
      })),
    });
  for (let from = 0; from < orders; from += 100) await send("order", "order_status", from, 100);
  await send("authentication", "one_time_passcode", 0, codes);
  // It comes from a process that has jobs and dies.
  await database.owner.query(
    "UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'gone' WHERE id IN (SELECT id FROM graphile_worker._private_jobs LIMIT 3)",
  );
  manifest = await makeBackup(database.ownerUrl, backup, undefined);
  await database.owner.query("UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL");
});

afterAll(async () => {
  await Promise.all(workers.filter((worker) => worker.isRunning()).map((worker) => worker.stop()));
  await mail.close();
  await closeReceivers();
  rmSync(folder, { recursive: true });
  for (const name of made) await database.owner.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});

test("a restored installation sends nothing before it is released; then what expired has expired, and all else goes out once", async () => {
  // The installation goes on after the backup: what was waiting is sent.
  const original = startWorker(database.workerUrl);
  await untilCounted("sent", orders + codes, 30_000, () => mail.received.length);
  expect(await original.stop()).toBe(0);
  mail.received.length = 0;
  hook.received.length = 0;

  const place = await emptyDatabase();
  await restoreBackup(place.href, backup);
  const owner = new pg.Pool({ connectionString: place.href, max: 2 });
  const web = openDb("web", loginAt(place, database.webUrl), { poolSize: 1 });
  await recordRestore(owner, manifest.takenAt);
  const worker = startWorker(loginAt(place, database.workerUrl));
  const connected = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'tidings worker%'`;
  await until("a worker has come", 20_000, async () => (await owner.query(connected)).rowCount !== 0);
  // The clock goes on while people look: the codes' time is up.
  await owner.query("UPDATE notifications SET expires_at = now() WHERE class = 'authentication'");
  await pause(3_000);
  expect(worker.isRunning()).toBe(true);
  expect(mail.received).toEqual([]);
  expect(hook.received).toEqual([]);
  const untouched = await owner.query("SELECT FROM notifications WHERE status <> 'queued' OR attempts > 0");
  expect(untouched.rowCount).toBe(0);
  await expect(refuseHeld(web)).rejects.toMatchObject({ code: "sending_held", status: 503 });

  const { hold, sums, work } = await holdStatus(owner);
  expect(hold).toMatchObject({
    heldBy: "restore",
    reason: `Restored from a backup of ${manifest.takenAt}`,
  });
  expect(sums).toMatchObject({ messages: orders + codes, expired: codes, later: 0, organisations: 1 });
  expect(
    work.messages.map(({ channel, class: kind, waiting, expired }) => [channel, kind, waiting, expired]),
  ).toEqual([
    ["email", "authentication", codes, codes],
    ["email", "transactional", orders, 0],
  ]);

  expect(await releaseSending(owner)).toEqual(sums);
  const ended =
    "SELECT FROM notifications WHERE status NOT IN ('queued', 'sending', 'scheduled') AND recipient LIKE '%@example.com'";
  const told = orders + codes;
  await untilCounted("ended", told, 30_000, async () => (await owner.query(ended)).rowCount ?? 0);
  await untilCounted("told of", told, 30_000, () => hook.received.length);
  // The clockwork may mail the organisation's owner that codes were late; that mail is not of the backup.
  const recipients = mail.received
    .flatMap(({ to }) => to)
    .filter((address) => address.endsWith("@example.com"))
    .sort();
  expect(recipients).toEqual(
    Array.from({ length: orders }, (_, i) => `order-${String(i)}@example.com`).sort(),
  );
  const states = await owner.query(
    "SELECT class, status, count(*)::int AS n FROM notifications WHERE recipient LIKE '%@example.com' GROUP BY 1, 2 ORDER BY 1, 2",
  );
  expect(states.rows).toEqual([
    { class: "authentication", status: "expired", n: codes },
    { class: "transactional", status: "sent", n: orders },
  ]);
  const log = await owner.query("SELECT action, operator_name FROM operator_events ORDER BY id");
  expect(log.rows).toEqual([
    { action: "installation.restored", operator_name: "Command" },
    { action: "sending.released", operator_name: "Command" },
  ]);
  await expect(releaseSending(owner)).rejects.toMatchObject({ code: "conflict" });

  // A hold that begins while it works ends the process; it is started again and waits.
  await holdSending(owner, "test", "Look first");
  expect(await worker.exited).toBe(0);
  await expect(holdSending(owner, "test", "Again")).rejects.toMatchObject({ code: "conflict" });
  await web.close();
  await owner.end();
}, 300_000);

/** What a backup of a restored database differs in: who restored it. */
async function differences(url: string, before: Manifest): Promise<string[]> {
  const again = path.join(folder, `again-${newId()}`);
  const after = await makeBackup(url, again, undefined);
  const sumOf = (of: Manifest) =>
    new Map(of.tables.map((table) => [`${table.schema}.${table.name}`, table.sha256]));
  const [one, other] = [sumOf(before), sumOf(after)];
  const sequences = (of: Manifest) => JSON.stringify(of.sequences);
  return [
    ...[...one].flatMap(([name, sum]) => (other.get(name) === sum ? [] : [name])),
    ...(sequences(before) === sequences(after) ? [] : ["sequences"]),
  ];
}

/** The locks of jobs, and how far the audit trail is: by the numbers of another cluster, which mean nothing here. */
const changed = ["graphile_worker._private_jobs", "public.audit_progress"];

test("a restored database has every row of every table as it was, and the jobs of processes that are gone are free", async () => {
  const place = await emptyDatabase();
  await restoreBackup(place.href, backup);
  expect(manifest.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(15);
  expect(manifest.tables.find(({ name }) => name === "notifications")?.rows).toBe(orders + codes);
  expect(await differences(place.href, manifest)).toEqual(changed);
  const client = new pg.Client({ connectionString: place.href });
  await client.connect();
  const locked = await client.query("SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL");
  expect(locked.rowCount).toBe(0);
  const unchecked = await client.query(
    "SELECT conname FROM pg_constraint WHERE contype = 'f' AND NOT convalidated",
  );
  expect(unchecked.rows).toEqual([]);
  const shape = `SELECT count(*) FILTER (WHERE contype = 'f') AS f, count(*) AS n FROM pg_constraint WHERE connamespace = 'public'::regnamespace`;
  expect((await client.query(shape)).rows).toEqual((await database.owner.query(shape)).rows);
  const open = `SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)`;
  expect((await client.query(open)).rows).toEqual([]);
  await client.end();
});

test("the owner of a managed database, who is no superuser, can back up and restore; one who would not see every row cannot", async () => {
  const login = `restorer_${newId().slice(-12)}`;
  await database.owner.query(
    `CREATE ROLE ${login} LOGIN CREATEROLE PASSWORD 'x'; GRANT tidings_web, tidings_worker, tidings_console TO ${login} WITH ADMIN OPTION`,
  );
  const place = await emptyDatabase();
  await database.owner.query(`ALTER DATABASE ${place.pathname.slice(1)} OWNER TO ${login}`);
  const as = new URL(place);
  Object.assign(as, { username: login, password: "x" });
  await restoreBackup(as.href, backup);
  expect(await differences(as.href, manifest)).toEqual(changed);

  const other = new URL(database.ownerUrl);
  Object.assign(other, { username: login, password: "x" });
  await database.owner.query(
    `GRANT SELECT ON ALL TABLES IN SCHEMA public, graphile_worker TO ${login}; GRANT USAGE ON SCHEMA graphile_worker TO ${login}`,
  );
  await expect(makeBackup(other.href, path.join(folder, "partly"), undefined)).rejects.toThrow(
    /does not see all rows of/,
  );
  await database.owner.query(`DROP DATABASE ${place.pathname.slice(1)} WITH (FORCE)`);
  await database.owner.query(`DROP OWNED BY ${login}`);
  await database.owner.query(`DROP ROLE ${login}`);
});

test("a damaged backup, a newer release's and a database that is not empty are refused, and nothing is changed", async () => {
  const place = await emptyDatabase();
  const copyOf = (name: string) => {
    const copy = path.join(folder, name);
    cpSync(backup, copy, { recursive: true });
    return copy;
  };
  const edit = (copy: string, change: (of: Manifest) => void) => {
    const file = path.join(copy, MANIFEST);
    const content = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    change(content);
    writeFileSync(file, JSON.stringify(content));
  };
  const damaged = copyOf("damaged");
  const file = path.join(damaged, "public.notifications.copy.gz");
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  rmSync(path.join(damaged, "public.tenants.copy.gz"));
  await expect(restoreBackup(place.href, damaged)).rejects.toThrow(
    /public\.notifications\.copy\.gz is not what was backed up\n.*public\.tenants\.copy\.gz is missing/,
  );
  const newer = copyOf("newer");
  edit(newer, ({ migrations }) => migrations.push("29990101000000_later"));
  await expect(restoreBackup(place.href, newer)).rejects.toThrow(/of a newer release/);
  await expect(restoreBackup(place.href, path.join(folder, "none"))).rejects.toThrow(/is no backup/);
  await expect(restoreBackup(database.ownerUrl, backup)).rejects.toThrow(/is not empty/);
  const client = new pg.Client({ connectionString: place.href });
  await client.connect();
  const tables = "SELECT FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace";
  expect((await client.query(tables)).rowCount).toBe(0);

  // One that was interrupted while it migrated further would not do again what that did to the rows.
  const older = copyOf("older");
  edit(older, ({ migrations }) => migrations.pop());
  await createTables(place.href, new Set(manifest.migrations));
  await expect(restoreBackup(place.href, older)).rejects.toThrow(/is not empty/);

  // Rows that are not all there end a restore in the middle; it leaves no row, and can be repeated.
  const short = copyOf("short");
  edit(short, (content) => {
    const table = content.tables.find(({ name }) => name === "webhook_endpoints");
    if (table) table.rows += 1;
  });
  await expect(restoreBackup(place.href, short)).rejects.toThrow(
    /has 1 rows instead of 2; nothing was restored/,
  );
  expect((await client.query("SELECT FROM tenants")).rowCount).toBe(0);
  await restoreBackup(place.href, backup);
  expect((await client.query("SELECT FROM tenants")).rowCount).toBe(1);
  await client.end();
});

test("a table that a migration writes anew while a backup begins is whole in it", async () => {
  const rows = async () => (await database.owner.query("SELECT FROM tenants")).rowCount;
  const first = await database.owner.connect();
  // The backup waits for its first table; the migration does not, and every row of its table gets another place.
  await first.query("BEGIN; LOCK TABLE address_words IN ACCESS EXCLUSIVE MODE");
  const making = makeBackup(database.ownerUrl, path.join(folder, "migrated"), undefined);
  try {
    await until("the backup waits", 10_000, async () => {
      const waiting = await database.owner.query(
        "SELECT FROM pg_locks WHERE NOT granted AND relation = 'address_words'::regclass",
      );
      return waiting.rowCount === 1;
    });
    await database.owner.query(
      "ALTER TABLE tenants ADD COLUMN rewritten uuid NOT NULL DEFAULT gen_random_uuid()",
    );
    await first.query("COMMIT");
    const { tables } = await making;
    expect(tables.find(({ name }) => name === "tenants")?.rows).toBe(await rows());
  } finally {
    first.release();
    await making.catch(() => undefined);
    await database.owner.query("ALTER TABLE tenants DROP COLUMN IF EXISTS rewritten");
  }
});

test("a backup that is interrupted leaves nothing on the disk", async () => {
  const interrupted = new AbortController();
  const making = makeBackup(database.ownerUrl, path.join(folder, "stopped"), undefined, interrupted.signal);
  await until("it has begun", 10_000, () => readdirSync(folder).includes("stopped.unfinished"));
  interrupted.abort(new Error("Interrupted"));
  await expect(making).rejects.toThrow("Interrupted");
  expect(readdirSync(folder).filter((name) => name.startsWith("stopped"))).toEqual([]);
});

test("a backup that was not finished is none, and no backup is overwritten", async () => {
  await expect(makeBackup(database.ownerUrl, backup, undefined)).rejects.toThrow(/exists already/);
  const lost = new URL(database.ownerUrl);
  lost.pathname = "/postgres";
  await expect(makeBackup(lost.href, path.join(folder, "lost"), undefined)).rejects.toThrow(/not up to date/);
  // Nor does it keep its place on a disk that may be full.
  expect(readdirSync(folder).filter((name) => name.startsWith("lost"))).toEqual([]);
  await expect(restoreBackup(database.ownerUrl, path.join(folder, "lost.unfinished"))).rejects.toThrow(
    /is no backup/,
  );
});

test("the master key is in a backup only when it is asked for", async () => {
  const key = process.env.TIDINGS_SECRET_KEY ?? "";
  expect(key).not.toBe("");
  expect(readdirSync(backup)).not.toContain("secret-key");
  const withKey = path.join(folder, "with-key");
  await makeBackup(database.ownerUrl, withKey, key);
  expect(readFileSync(path.join(withKey, "secret-key"), "utf8").trim()).toBe(key);
  expect(JSON.parse(readFileSync(path.join(withKey, MANIFEST), "utf8"))).toMatchObject({ keyIncluded: true });
});
