import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "./env.ts";
import type { Ctx } from "./ctx.ts";
import { isUuid } from "./ids.ts";
import { logger } from "./log.ts";
import { PrismaClient } from "./prisma/generated/client.ts";
import type { Prisma } from "./prisma/generated/client.ts";

export type Tx = Prisma.TransactionClient;
export type { Prisma };

/** A process's door to Postgres, under one of the two roles. */
export interface Db {
  prisma: PrismaClient;
  /** For the set-based statements of hot paths. */
  pool: pg.Pool;
  close(): Promise<void>;
}

export type DbRole = "web" | "worker";

/** Opens pools for `role` on `url` (a login that is, or may become, that role). */
export function openDb(role: DbRole, url: string, options: { poolSize?: number } = {}): Db {
  const login = new URL(url).username;
  const connection: pg.PoolConfig = {
    connectionString: url,
    max: options.poolSize ?? 10,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 5_000,
    application_name: `tidings ${role}`,
    // A login that is not the role itself, e.g. the owner's, steps down before its first statement.
    ...(login === `tidings_${role}` ? {} : { options: `-c role=tidings_${role}` }),
  };
  const pool = new pg.Pool(connection);
  // Without a listener a lost idle connection ends the process.
  pool.on("error", (error) => {
    logger().warn({ err: error }, "an idle database connection was lost");
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    prisma,
    pool,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

const key = Symbol.for("tidings.db");
type Shared = typeof globalThis & { [key]?: Partial<Record<DbRole, Db>> };

/** The process's one Db of a role. Kept on globalThis because Next loads a module once per bundle. */
export function sharedDb(role: DbRole): Db {
  const shared = globalThis as Shared;
  const all = (shared[key] ??= {});
  if (!all[role]) {
    const configured = role === "web" ? env().webDatabaseUrl : env().workerDatabaseUrl;
    const url = configured ?? env().databaseUrl;
    if (!url) throw new Error(`Wrong configuration: set DATABASE_URL or ${role.toUpperCase()}_DATABASE_URL`);
    all[role] = openDb(role, url, { poolSize: role === "web" ? 12 : 16 });
  }
  return all[role];
}

/**
 * Runs `work` in one transaction that sees the ctx's tenant only (row-level security). Only use cases call this; state
 * change, audit and jobs commit together or not at all.
 */
export async function inTenant<T>(ctx: Pick<Ctx, "db" | "tenantId">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return ctx.db.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT set_config('app.tenant', ${ctx.tenantId}, true)`;
      return work(tx);
    },
    { maxWait: 5_000, timeout: 15_000 },
  );
}

/**
 * One read-only SQL statement under the ctx's tenant. For the reads that Prisma's query language cannot say well; the
 * statement must still name tenant_id, so that it uses the indexes.
 */
export async function queryInTenant<Row extends pg.QueryResultRow>(
  ctx: Pick<Ctx, "db" | "tenantId">,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  if (!isUuid(ctx.tenantId)) throw new Error("the tenant id is not a UUID");
  const client = await ctx.db.pool.connect();
  let broken: Error | undefined;
  try {
    // One round trip for both; set_config takes no parameters in the simple protocol, hence the check above.
    await client.query(`BEGIN READ ONLY; SELECT set_config('app.tenant', '${ctx.tenantId}', true)`);
    const result = await client.query<Row>(text, values);
    await client.query("COMMIT");
    return result.rows;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: unknown) => {
      broken = lost instanceof Error ? lost : new Error(String(lost));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
