import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "./env.ts";
import type { Env } from "./env.ts";
import type { Ctx } from "./ctx.ts";
import { DomainError } from "./errors.ts";
import { isUuid, newId } from "./ids.ts";
import { logger } from "./log.ts";
import { watchPool } from "./pool-metrics.ts";
import { PrismaClient } from "./prisma/generated/client.ts";
import type { Prisma } from "./prisma/generated/client.ts";
import { Shares } from "./shares.ts";
import { WrongConfiguration } from "./wrong-configuration.ts";

export type Tx = Prisma.TransactionClient;
export type { Prisma };

/** A process's access to Postgres, under one of the roles. */
export interface Db {
  role: DbRole;
  prisma: PrismaClient;
  /** For the set-based statements of hot paths. */
  pool: pg.Pool;
  /** What one organisation may take of a process that answers people: so many connections at once, so that the others find some. */
  shares: {
    /** For whatever it does. */
    all: Shares;
    /** For reads that may take long, so that it still writes meanwhile. */
    reads: Shares;
  };
  /** How long such a read may take, ms. */
  longestReadMs: number;
  /** Answers queryFigures(), where the installation has one. */
  replica?: Replica | undefined;
  close(): Promise<void>;
}

/** A database that follows this one and is only read. */
export interface Replica {
  pool: pg.Pool;
  /** Further behind it is not asked. */
  mostBehindSeconds: number;
  /** It did not answer when it was asked last. */
  failed: boolean;
  /** It is asked again from then on (performance.now()). */
  restsUntil: number;
}

export type DbRole = "web" | "worker" | "console";

/** Whether a pooler answers there that gives each transaction another session. */
const isPooled = (url: string) => new URL(url).searchParams.get("pgbouncer") === "true";

/**
 * Prepares nothing by name: the next transaction has another session, in which the name is unknown, or already taken by another
 * process.
 */
class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    // Assigned, because no method can repeat all the ways in which pg declares it.
    this.query = ((first: unknown, ...rest: unknown[]) => {
      const isNamed = typeof first === "object" && first !== null && "name" in first && !("submit" in first);
      return query(isNamed ? { ...first, name: undefined } : first, ...rest);
    }) as pg.Client["query"];
  }
}

/**
 * How a process connects as `role` with `url`, a login that is, or may become, that role. `pgbouncer=true` in it: a pooler answers,
 * which takes no startup options; then the login has the role by itself (ALTER ROLE … SET role).
 */
export function connectionOptions(
  role: DbRole,
  url: string,
  applicationName = `tidings ${role}`,
): pg.ClientConfig {
  const { username: login } = new URL(url);
  return {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    // A host that is gone without a word is noticed, on a connection where nothing happens.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: applicationName,
    // A login that is not the role itself, e.g. the owner's, switches to it before its first statement.
    ...(isPooled(url) || login === `tidings_${role}` ? {} : { options: `-c role=tidings_${role}` }),
  };
}

/**
 * The address of the database for this process as `role`. In production never the owner's unless that was allowed: an
 * injected statement could return to the owner's rights with SET ROLE NONE.
 */
export function databaseUrl(
  role: DbRole,
  config: Pick<Env, "webDatabaseUrl" | "workerDatabaseUrl" | "databaseUrl" | "nodeEnv" | "allowOwnerLogin"> &
    Partial<Pick<Env, "consoleDatabaseUrl">> = env(),
): string {
  const { webDatabaseUrl: web, workerDatabaseUrl: worker, consoleDatabaseUrl: console } = config;
  const own = { web, worker, console }[role];
  if (own) return own;
  const name = `${role.toUpperCase()}_DATABASE_URL`;
  if (!config.databaseUrl) throw new Error(`Wrong configuration: set DATABASE_URL or ${name}`);
  if (config.nodeEnv === "production" && !config.allowOwnerLogin) {
    throw new Error(
      `Wrong configuration: set ${name} to a login of its own, e.g. one that "npm run migrate -- --logins" makes. DATABASE_URL is the owner's, whose rights a part should not be able to get back; ALLOW_OWNER_LOGIN=true uses it all the same.`,
    );
  }
  return config.databaseUrl;
}

/**
 * The address for what belongs to a session, which a pooler that shares connections by transaction cannot keep: the queue's
 * notifications and the locks by which workers know of each other.
 */
export function workerSessionUrl(
  config: Pick<Env, "workerDirectDatabaseUrl"> & Parameters<typeof databaseUrl>[1] = env(),
): string {
  return config.workerDirectDatabaseUrl ?? databaseUrl("worker", config);
}

/** Throws when the connections of a pool do not have their role's rights, or a pooler refuses them; says what to do. */
export async function checkRole({ pool, role }: Pick<Db, "pool" | "role">): Promise<void> {
  const name = `${role.toUpperCase()}_DATABASE_URL`;
  let found: string | undefined;
  try {
    found = (await pool.query<{ is: string }>("SELECT current_user::text AS is")).rows[0]?.is;
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("unsupported startup parameter"))) throw error;
    throw new WrongConfiguration(
      `a connection pooler answers at ${name}. Add pgbouncer=true to its parameters.`,
      { cause: error },
    );
  }
  if (found === `tidings_${role}`) return;
  throw new WrongConfiguration(
    `the login of ${name} works as ${String(found)} instead of tidings_${role}. Let it become that by itself: ALTER ROLE <login> SET role = 'tidings_${role}'.`,
  );
}

/**
 * How long a statement of a process that answers people may go without a word, ms: longer than any of them takes. Otherwise each
 * connection to a host that is gone would be waited for as long as the system repeats what it sent, a quarter of an hour.
 */
const longestSilenceMs = 60_000;

/** Closes a connection on which a statement waits and nothing moves. */
function endWhenSilent(client: pg.PoolClient, silenceMs: number): void {
  // Neither is in pg's types.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const state = client as unknown as { readyForQuery: boolean };
  stream.setTimeout(silenceMs);
  stream.on("timeout", () => {
    if (!state.readyForQuery) stream.destroy(new Error("Connection terminated: the database fell silent"));
  });
}

interface PoolOptions {
  applicationName?: string | undefined;
  /** How many connections it never closes for being idle. */
  keep?: number;
  connectMs?: number;
  /** In place of longestSilenceMs. */
  silenceMs?: number;
}

/** Opens a pool of connections for `role`. */
export function openPool(role: DbRole, url: string, size: number, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(role, url, options.applicationName),
    ...(options.connectMs && { connectionTimeoutMillis: options.connectMs }),
    max: size,
    min: options.keep ?? 0,
    idleTimeoutMillis: 60_000,
    ...(isPooled(url) && { Client: UnnamedClient }),
  });
  // Without a listener a lost idle connection ends the process.
  pool.on("error", (error) => {
    logger().warn({ err: error }, "an idle database connection was lost");
  });
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      logger().warn({ err: error }, "a database connection was lost");
    });
    // Of a worker some statements take long, and others take over what it cannot do.
    if (role !== "worker") endWhenSilent(client, options.silenceMs ?? longestSilenceMs);
  });
  return pool;
}

/** How long a replica may take to take a connection; the database itself can answer instead. */
const replicaConnectMs = 2_000;

/** How long a transaction may take, and a read, ms. */
const longestMs = 15_000;
/** How long it may wait for its organisation's turn, and then for a connection, ms. */
const patienceMs = 5_000;

/** Opens the database for `role`. @param options.replicaUrl of one that follows it */
export function openDb(
  role: DbRole,
  url: string,
  options: PoolOptions & {
    poolSize?: number;
    replicaUrl?: string | undefined;
    /** In place of longestMs. */
    longestReadMs?: number;
  } = {},
): Db {
  const size = options.poolSize ?? 10;
  const pool = openPool(role, url, size, options);
  const replica = options.replicaUrl && {
    pool: openPool(role, options.replicaUrl, size, {
      applicationName: options.applicationName,
      connectMs: replicaConnectMs,
    }),
    mostBehindSeconds: 10,
    failed: false,
    restsUntil: 0,
  };
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    role,
    prisma,
    pool,
    shares: {
      all: new Shares(Math.ceil((size * 2) / 3), patienceMs),
      reads: new Shares(Math.ceil(size / 2), patienceMs),
    },
    longestReadMs: options.longestReadMs ?? longestMs,
    ...(replica && { replica }),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
      if (replica) await replica.pool.end();
    },
  };
}

/**
 * Those that warmUp() prepares are kept: nothing is prepared on one that is opened in the middle of a burst. As many as the hot path
 * has at work at once; each further one would make a start under load longer.
 */
const poolOf = {
  web: { poolSize: 12, keep: 4 },
  worker: { poolSize: 16, keep: 4 },
  console: { poolSize: 4 },
} satisfies Record<DbRole, { poolSize: number; keep?: number }>;

const key = Symbol.for("tidings.db");
type Shared = typeof globalThis & { [key]?: Partial<Record<DbRole, Db>> };

/**
 * The process's one Db of a role, under the name that the first caller gives it. On globalThis because Next loads a
 * module once per bundle.
 */
export function sharedDb(role: DbRole, options: { applicationName?: string } = {}): Db {
  const shared = globalThis as Shared;
  const all = (shared[key] ??= {});
  const known = all[role];
  if (known) return known;
  const replicaUrl = role === "web" ? env().webReplicaDatabaseUrl : undefined;
  const db = openDb(role, databaseUrl(role), { ...poolOf[role], ...options, replicaUrl });
  watchPool(role, db.pool);
  if (db.replica) watchPool("replica", db.replica.pool);
  return (all[role] = db);
}

/**
 * Runs what takes one connection in the organisation's share of them: many at once, of which each waits for the same lock, leave the
 * others room. Throws `rate_limited` when its turn does not come in time. The work must not ask for another turn.
 */
export function inShare<T>(
  { db, tenantId }: Pick<Ctx, "db" | "tenantId">,
  work: () => Promise<T>,
): Promise<T> {
  // A worker has bounds of its own: lanes, and turns.
  return db.role === "worker" ? work() : db.shares.all.run(tenantId, work);
}

/**
 * Runs `work` in one transaction that sees the ctx's tenant only (row-level security). Only use cases call this; state
 * change, audit and jobs commit together or not at all. As inShare.
 */
export function inTenant<T>(ctx: Pick<Ctx, "db" | "tenantId">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inShare(ctx, () =>
    ctx.db.prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT set_config('app.tenant', ${ctx.tenantId}, true)`;
        return work(tx);
      },
      { maxWait: patienceMs, timeout: longestMs },
    ),
  );
}

/**
 * Has Prisma load what it needs for its first query, a tenth of a second for which a process that is serving would stand still, and
 * opens the connections that the pool keeps and prepares them: a connection's first call of a large function takes fifty times as
 * long as its second, and the first burst would make that call on all of them at once.
 * A database that does not answer yet, or not soon, is no reason not to start; one that answers to a wrong login is: throws, as
 * checkRole does.
 * @param prepare has one connection run what will be waited for, without effect
 * @param patienceMs for how long a start waits for that
 */
export async function warmUp(
  db: Db,
  prepare: (connection: pg.PoolClient) => Promise<void>,
  patienceMs = 10_000,
): Promise<void> {
  try {
    await checkRole(db);
    await inTenant({ db, tenantId: newId() }, () => Promise.resolve());
    // Asked for together: one that was given back would be handed out again.
    const prepared = Promise.all(
      Array.from({ length: db.pool.options.min ?? 0 }, () => prepareOne(db.pool, prepare)),
    ).catch((error: unknown) => {
      logger().warn({ err: error }, "connections could not be prepared");
    });
    await Promise.race([prepared, sleep(patienceMs, undefined, { ref: false })]);
  } catch (error) {
    if (error instanceof WrongConfiguration) throw error;
    logger().warn({ err: error }, "the database does not answer yet");
  }
}

async function prepareOne(
  pool: pg.Pool,
  prepare: (connection: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const connection = await pool.connect();
  try {
    await prepare(connection);
  } finally {
    connection.release();
  }
}

/** Typed by hand: pg knows a time limit for one statement, ms, its types do not. One that is above it ends with its connection. */
export type LimitedQuery = pg.QueryConfig & { query_timeout: number };

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The rows of a statement, with column names in camelCase: the one place where they change. Names inside JSON stay. */
export function camelRows<Row>({ fields, rows }: Pick<pg.QueryResult<object>, "fields" | "rows">): Row[] {
  if (!fields.some(({ name }) => name.includes("_"))) return rows as Row[];
  const names = fields.map(({ name }) => [name, camelCase(name)] as const);
  return (rows as Record<string, unknown>[]).map((row) => {
    const renamed: Record<string, unknown> = {};
    for (const [name, camel] of names) renamed[camel] = row[name];
    return renamed as Row;
  });
}

/**
 * One read-only SQL statement under the ctx's tenant; rows as of camelRows. For the reads that Prisma's query language
 * cannot say well; the statement must still name tenant_id, so that it uses the indexes. Throws `service_overloaded` when it takes
 * too long, and `rate_limited` when too many of the tenant's wait.
 */
export async function queryInTenant<Row>(
  ctx: Pick<Ctx, "db" | "tenantId">,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const { role, pool } = ctx.db;
  // The worker's role sees every tenant; only the statement's own tenant_id limits it.
  if (role === "worker") return camelRows(await pool.query(text, values));
  try {
    return await readInTenant(ctx, async (client) => camelRows<Row>(await client.query(text, values)));
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw new DomainError(
      "service_overloaded",
      "This takes too long to look up. Ask for less: a shorter period, or a narrower filter.",
      { retryAfter: 10, cause: error },
    );
  }
}

/**
 * As queryInTenant, for what sends wait for and a cache keeps: it asks for each thing once at a time, so it needs no share, and an
 * organisation's slow reads don't hold up its sends.
 */
export async function lookUpInTenant<Row>(
  { db, tenantId }: Pick<Ctx, "db" | "tenantId">,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  if (db.role === "worker") return camelRows(await db.pool.query(text, values));
  return inTransaction(db.pool, beginReading(tenantId, db.longestReadMs), async (client) =>
    camelRows<Row>(await client.query(text, values)),
  );
}

/** Whether a statement took longer than it might. */
export const isCanceled = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "57014";

/** Begins a read-only transaction that sees one tenant, in one round trip. @param timeoutMs of each of its statements */
export function beginReading(tenantId: string, timeoutMs?: number): string {
  // set_config takes no parameters in the simple protocol, hence the check.
  if (!isUuid(tenantId)) throw new Error("the tenant id is not a UUID");
  const limit = timeoutMs === undefined ? "" : `SET LOCAL statement_timeout = ${String(timeoutMs)}; `;
  return `BEGIN READ ONLY; ${limit}SELECT set_config('app.tenant', '${tenantId}', true)`;
}

/**
 * Runs `work` in a read-only transaction that sees the ctx's tenant only, without Prisma. As inShare.
 * @param timeoutMs of each of its statements
 */
export function readInTenant<T>(
  { db, tenantId }: Pick<Ctx, "db" | "tenantId">,
  work: (client: Pick<pg.Pool, "query">) => Promise<T>,
  timeoutMs = db.longestReadMs,
): Promise<T> {
  const read = () => inTransaction(db.pool, beginReading(tenantId, timeoutMs), work);
  return db.role === "worker" ? read() : db.shares.reads.run(tenantId, () => inShare({ db, tenantId }, read));
}

/** Runs `work` in a transaction of its own, without Prisma. @param begin the statement that begins it */
export async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: Pick<pg.Pool, "query">) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: unknown) => {
      broken = lost instanceof Error ? lost : new Error(String(lost));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
