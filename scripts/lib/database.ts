import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { LogFile } from "./log-file.ts";
import { choosePort } from "./ports.ts";
import {
  ensureDatabase,
  initialiseCluster,
  ownerUrl,
  startPostgres,
  stopPostgres,
  type Cluster,
} from "./postgres.ts";
import { isReachable, postgresUser, reachableStandIn } from "./postgres-user.ts";
import { loadSecrets, saveSecrets, type Secrets } from "./secrets.ts";

export const DATABASE = "tidings";

/** Addresses of one database for its owner and for the two roles that the product runs under. */
export type DatabaseUrls = { ownerUrl: string; webUrl: string; workerUrl: string };

/** Postgres of this data folder: the cluster's folder, and its port, chosen again when another program took it. */
export async function embeddedCluster(dataDir: string): Promise<{ cluster: Cluster; secrets: Secrets }> {
  const secrets = loadSecrets(dataDir);
  let folder = secrets.postgres.folder ?? path.join(dataDir, "postgres");
  if (!isReachable(path.dirname(folder), postgresUser())) {
    folder = path.join(reachableStandIn(dataDir), "postgres");
    console.log(`Postgres does not run as root and cannot reach ${dataDir}; its data is in ${folder}.`);
    mkdirSync(path.dirname(folder), { recursive: true, mode: 0o755 });
  }
  const logs = path.join(dataDir, "logs");
  mkdirSync(logs, { recursive: true });
  const cluster: Cluster = {
    folder,
    port: secrets.postgres.port ?? (await choosePort()),
    password: secrets.postgres.ownerPassword,
    logFile: path.join(logs, "postgres.log"),
    durable: true,
  };
  secrets.postgres = { ...secrets.postgres, folder, port: cluster.port };
  saveSecrets(dataDir, secrets);
  return { cluster, secrets };
}

/** Starts the embedded Postgres of a data folder with its database. @param log as of startPostgres */
export async function startEmbedded(
  dataDir: string,
  log?: LogFile,
): Promise<{ cluster: Cluster; secrets: Secrets; server: ChildProcess }> {
  const { cluster, secrets } = await embeddedCluster(dataDir);
  initialiseCluster(cluster);
  const server = await startPostgres(cluster, log);
  await ensureDatabase(cluster, DATABASE);
  return { cluster, secrets, server };
}

/** Lets the two roles log in with passwords of this installation, so that no process needs the owner's. */
export async function allowRoleLogins(
  owner: string,
  passwords: { webPassword: string; workerPassword: string },
): Promise<DatabaseUrls> {
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  try {
    for (const [role, password] of [
      ["tidings_web", passwords.webPassword],
      ["tidings_worker", passwords.workerPassword],
    ] as const) {
      await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    }
  } finally {
    await client.end();
  }
  const as = (role: string, password: string) => {
    const url = new URL(owner);
    url.username = role;
    url.password = password;
    return url.href;
  };
  return {
    ownerUrl: owner,
    webUrl: as("tidings_web", passwords.webPassword),
    workerUrl: as("tidings_worker", passwords.workerPassword),
  };
}

/**
 * Logins of this installation in an external database, for the two roles: each belongs to its role, inherits nothing
 * and can do nothing without it, so that no statement can gain the owner's rights. The given login must be able to
 * create roles. Passwords are updated when they have changed.
 */
export async function ownLogins(
  owner: string,
  passwords: { webPassword: string; workerPassword: string },
): Promise<DatabaseUrls> {
  const suffix = createHash("sha256")
    .update(`${passwords.webPassword} ${new URL(owner).pathname}`)
    .digest("hex")
    .slice(0, 8);
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  const as = async (role: string, password: string) => {
    const login = `${role}_${suffix}`;
    const known = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
    await client.query(
      `${known.rowCount ? "ALTER" : "CREATE"} ROLE ${login} LOGIN NOINHERIT PASSWORD ${client.escapeLiteral(password)}`,
    );
    await client.query(`GRANT ${role} TO ${login}`);
    // By itself, so that a pooler, which takes no options, can be between.
    await client.query(`ALTER ROLE ${login} SET role = '${role}'`);
    const url = new URL(owner);
    url.username = login;
    url.password = password;
    return url.href;
  };
  try {
    return {
      ownerUrl: owner,
      webUrl: await as("tidings_web", passwords.webPassword),
      workerUrl: await as("tidings_worker", passwords.workerPassword),
    };
  } finally {
    await client.end();
  }
}

/**
 * Makes the logins that WEB_DATABASE_URL, WORKER_DATABASE_URL and CONSOLE_DATABASE_URL name, with their passwords, for installations
 * that are described rather than set up: each becomes its role by itself and inherits nothing. Repeating it changes passwords alone.
 *
 * @returns the names of the logins
 */
export async function givenLogins(owner: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  const done: string[] = [];
  try {
    for (const part of ["WEB", "WORKER", "CONSOLE"] as const) {
      const address = process.env[`${part}_DATABASE_URL`];
      if (!address) continue;
      const { username, password } = new URL(address);
      const login = decodeURIComponent(username);
      const role = `tidings_${part.toLowerCase()}`;
      const name = client.escapeIdentifier(login);
      if (login === new URL(owner).username)
        throw new Error(`${part}_DATABASE_URL names the owner's login; each part needs one of its own.`);
      const known = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
      const secret = client.escapeLiteral(decodeURIComponent(password));
      await client.query(
        `${known.rowCount ? "ALTER" : "CREATE"} ROLE ${name} LOGIN NOINHERIT PASSWORD ${secret}`,
      );
      if (login !== role) {
        await client.query(`GRANT ${role} TO ${name}`);
        await client.query(`ALTER ROLE ${name} SET role = '${role}'`);
      }
      done.push(login);
    }
  } finally {
    await client.end();
  }
  return done;
}

/**
 * The address with which the operator console logs in, as a login of this database that belongs to its role and inherits nothing.
 * The password is a new one each time: who has the address before has to be given this one.
 */
export async function consoleLogin(owner: string): Promise<string> {
  const url = new URL(owner);
  const login = `tidings_console_${createHash("sha256").update(url.pathname).digest("hex").slice(0, 8)}`;
  const password = randomBytes(24).toString("base64url");
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  try {
    const known = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
    await client.query(
      `${known.rowCount ? "ALTER" : "CREATE"} ROLE ${login} LOGIN NOINHERIT PASSWORD ${client.escapeLiteral(password)}`,
    );
    await client.query(`GRANT tidings_console TO ${login}`);
    await client.query(`ALTER ROLE ${login} SET role = 'tidings_console'`);
  } finally {
    await client.end();
  }
  url.username = login;
  url.password = password;
  return url.href;
}

/**
 * Runs `work` with the owner's address of the configured database: DATABASE_URL, or the embedded Postgres, which
 * is started for the purpose when it is not running.
 */
export async function withOwnerUrl<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  if (process.env.DATABASE_URL) return work(process.env.DATABASE_URL);
  const { cluster } = await embeddedCluster(dataDir);
  const url = ownerUrl(cluster, DATABASE);
  if (await isUp(url)) return work(url);
  const { server } = await startEmbedded(dataDir);
  try {
    return await work(url);
  } finally {
    if (server.pid !== undefined) await stopPostgres(server.pid);
  }
}

async function isUp(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
