import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { openDb, type Db, type DbRole } from "../kernel/db.ts";

/**
 * A database of one test file: cloned from the migrated template, dropped at the end. Connections that the file left
 * open fail it.
 */
export type TestDatabase = {
  /** Addresses for the owner and for the two roles that the product runs under. */
  ownerUrl: string;
  webUrl: string;
  workerUrl: string;
  /** A pool as the owner, for setting up and for looking past row-level security. */
  owner: pg.Pool;
  /** The Db of the web and of the worker. Closed at the end of the file. */
  web: Db;
  worker: Db;
};

/** How long connections that are being closed may take to disappear from the server's list. */
const CLOSING_PATIENCE_MS = 3_000;

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject("cluster").adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function addresses(name: string) {
  const { adminUrl, webPassword, workerPassword } = inject("cluster");
  const as = (login?: { user: string; password: string }) => {
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    if (login) Object.assign(url, { username: login.user, password: login.password });
    return url.href;
  };
  return {
    ownerUrl: as(),
    webUrl: as({ user: "tidings_web", password: webPassword }),
    workerUrl: as({ user: "tidings_worker", password: workerPassword }),
  };
}

/** Connections to a database that remain although everything known has been closed, as text. */
async function leakedConnections(admin: pg.Client, name: string): Promise<string[]> {
  const deadline = Date.now() + CLOSING_PATIENCE_MS;
  for (;;) {
    const { rows } = await admin.query<{ line: string }>(
      `SELECT concat_ws(' · ', usename, application_name, state, left(query, 120)) AS line
         FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || Date.now() > deadline) return rows.map((row) => row.line);
    await sleep(50);
  }
}

/** Closes what the kernel's own `sharedDb` opened while the tests ran. */
async function closeSharedDbs(): Promise<void> {
  const key = Symbol.for("tidings.db");
  const holder = globalThis as typeof globalThis & { [key]?: Partial<Record<DbRole, Db>> };
  const shared = Object.values(holder[key] ?? {});
  holder[key] = {};
  await Promise.all(shared.map((db) => db.close()));
}

/**
 * Gives the calling test file its own database; call it once, at the top level: `const database = await
 * testDatabase();`. The environment of the process names it too, so that `sharedDb` and `env` find it.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const { template } = inject("cluster");
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));

  const urls = addresses(name);
  process.env.WEB_DATABASE_URL = urls.webUrl;
  process.env.WORKER_DATABASE_URL = urls.workerUrl;

  const owner = new pg.Pool({ connectionString: urls.ownerUrl, max: 4, application_name: "test owner" });
  const web = openDb("web", urls.webUrl);
  const worker = openDb("worker", urls.workerUrl);

  afterAll(async () => {
    await Promise.all([owner.end(), web.close(), worker.close(), closeSharedDbs()]);
    const leaked = await asAdmin(async (admin) => {
      const lines = await leakedConnections(admin, name);
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return lines;
    });
    if (leaked.length > 0) {
      throw new Error(`This file left ${leaked.length} database connection(s) open:\n${leaked.join("\n")}`);
    }
  });

  return { ...urls, owner, web, worker };
}
