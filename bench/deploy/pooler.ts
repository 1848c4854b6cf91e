import pg from "pg";
import { openDb, inTenant, queryInTenant } from "../../server/kernel/db.ts";
import { refusePooler } from "../../server/kernel/wrong-configuration.ts";
import type { Ctx } from "../../server/kernel/ctx.ts";
import { query } from "../lib/cluster.ts";
import type { BenchCluster } from "../lib/cluster.ts";
import { createWorld } from "../lib/world.ts";
import { choosePort } from "../../scripts/lib/ports.ts";
import { waitFor } from "../lib/children.ts";
import { describedLogins, startPgbouncer } from "./stack.ts";

const tenants = 20;
const clients = 500;
const serverConnections = 20;
/** Connections are opened in it, ms; its times are not counted. */
const warmUpMs = 3_000;

const quantile = (sorted: readonly number[], of: number) => sorted[Math.floor(sorted.length * of)] ?? 0;

/**
 * 500 clients at once through PgBouncer over at most 20 connections to Postgres: every table that the web's role reads, in turns for
 * every tenant, by the product's own transactions. Nobody may see a row of another tenant, nor any without naming one, also after a
 * transaction that failed.
 */
export async function pooler(cluster: BenchCluster, folder: string, seconds: number): Promise<boolean> {
  const owner = await cluster.createProduct("tidings_pooled");
  const port = await choosePort();
  const { passwords, addresses } = await describedLogins(owner, port);
  const worlds: string[] = [];
  for (let i = 0; i < tenants; i++) {
    const { tenantId } = await createWorld(owner, {
      providerUrl: "http://127.0.0.1:9",
      slug: `pooled-${String(i)}`,
    });
    worlds.push(tenantId);
  }
  const bouncer = startPgbouncer(folder, { owner, port, passwords, poolSize: serverConnections });
  await waitFor(bouncer, "pgbouncer answers", async () => {
    try {
      await query(addresses.web, "SELECT 1");
      return true as const;
    } catch {
      return undefined;
    }
  });
  const tables = await query<{ name: string }>(
    owner,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
       AND has_table_privilege('tidings_web', c.oid, 'SELECT') ORDER BY 1`,
  );
  const db = openDb("web", addresses.web, { poolSize: clients });
  const times: number[] = [];
  let transactions = 0;
  let rowsSeen = 0;
  const wrong: string[] = [];
  const warm = Date.now() + warmUpMs;
  const deadline = warm + seconds * 1_000;
  let mostServer = 0;
  const watch = setInterval(() => {
    query<{ n: number }>(
      owner,
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND usename IN ('tidings_web', 'tidings_worker')",
    ).then(
      ([row]) => (mostServer = Math.max(mostServer, row?.n ?? 0)),
      () => undefined,
    );
  }, 500);

  async function client(number: number): Promise<void> {
    for (let turn = 0; Date.now() < deadline; turn++) {
      const tenantId = worlds[(number + turn) % tenants] ?? "";
      const other = worlds[(number + turn + 1) % tenants] ?? "";
      const table = tables[(number * 7 + turn) % tables.length]?.name ?? "";
      const ctx = { db, tenantId } as Pick<Ctx, "db" | "tenantId">;
      const started = performance.now();
      switch (turn % 4) {
        case 0: {
          const rows = await queryInTenant<{ tenantId: string }>(
            ctx,
            `SELECT tenant_id FROM ${table} LIMIT 200`,
            [],
          );
          rowsSeen += rows.length;
          if (rows.some((row) => row.tenantId !== tenantId)) wrong.push(`${table}: another tenant's row`);
          break;
        }
        case 1:
          await inTenant(ctx, async (tx) => {
            const rows = await tx.application.findMany({ select: { tenantId: true } });
            rowsSeen += rows.length;
            if (rows.length !== 3 || rows.some((row) => row.tenantId !== tenantId))
              wrong.push("applications: not exactly the tenant's own");
          });
          break;
        case 2: {
          // Without a tenant: whatever transaction the connection carried before.
          const { rows } = await db.pool.query(`SELECT tenant_id FROM ${table} LIMIT 1`);
          if (rows.length > 0) wrong.push(`${table}: a row without a tenant`);
          break;
        }
        default:
          // A transaction that fails in the middle leaves nothing behind.
          await inTenant(ctx, async (tx) => {
            const rows = await tx.application.findMany({
              select: { tenantId: true },
              where: { tenantId: other },
            });
            if (rows.length > 0) wrong.push("applications: another tenant's, named");
            await tx.$executeRawUnsafe("SELECT 1/0");
          }).then(
            () => wrong.push("a failing transaction did not fail"),
            () => undefined,
          );
      }
      if (Date.now() > warm) times.push(performance.now() - started);
      transactions++;
    }
  }
  const began = Date.now();
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const took = (Date.now() - began) / 1_000;
  clearInterval(watch);
  const open = db.pool.totalCount;
  await db.close();

  const direct = await refusals(addresses);
  await bouncer.stop();
  times.sort((a, b) => a - b);
  console.log(
    `    ${String(clients)} clients (${String(open)} connections to PgBouncer), at most ${String(mostServer)} to Postgres`,
  );
  console.log(
    `    ${String(transactions)} transactions in ${took.toFixed(0)} s: ${(times.length / seconds).toFixed(0)} a second, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
  );
  console.log(
    `    ${String(tables.length)} tables and views, ${String(rowsSeen)} rows seen, ${String(wrong.length)} of them of others`,
  );
  for (const line of [...new Set(wrong)].slice(0, 10)) console.log(`    WRONG ${line}`);
  console.log(`    a worker with only the pooler's address: ${direct}`);
  return (
    wrong.length === 0 &&
    rowsSeen > 0 &&
    mostServer <= serverConnections &&
    open === clients &&
    direct.startsWith("refused")
  );
}

/** What a session that needs to be one gets at the pooler. */
async function refusals(addresses: { worker: string }): Promise<string> {
  const client = new pg.Client({ connectionString: addresses.worker });
  await client.connect();
  try {
    await refusePooler(client, "WORKER_DATABASE_URL");
    return "accepted";
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await client.end();
  }
}
