import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import path from "node:path";
import { cpuOfTree } from "./children.ts";
import { migrate } from "../../scripts/lib/migrations.ts";
import { choosePort } from "../../scripts/lib/ports.ts";
import {
  ensureDatabase,
  initialiseCluster,
  ownerUrl,
  startPostgres,
  stopPostgres,
} from "../../scripts/lib/postgres.ts";
import type { Cluster } from "../../scripts/lib/postgres.ts";

/** The Postgres of a run: the product's own settings, durable, in a folder of its own. */
export interface BenchCluster {
  /** A new database with the product's schema; returns its owner's address. */
  createProduct(name: string): Promise<string>;
  /** A new database without anything; returns its owner's address. */
  createEmpty(name: string): Promise<string>;
  /** A new database with graphile-worker and the floor's one table. */
  createFloor(name: string): Promise<string>;
  /** Processor time that the server has used so far, seconds. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export async function startCluster(folder: string): Promise<BenchCluster> {
  const cluster: Cluster = {
    folder: path.join(folder, "postgres"),
    port: await choosePort(),
    password: randomBytes(12).toString("hex"),
    logFile: path.join(folder, "postgres.log"),
    durable: true,
  };
  initialiseCluster(cluster);
  const slowMs = process.env.BENCH_EXPLAIN;
  if (slowMs) appendFileSync(path.join(cluster.folder, "postgresql.conf"), explainSettings(slowMs));
  const server = await startPostgres(cluster);
  return {
    createProduct: async (name) => {
      await ensureDatabase(cluster, name);
      const url = ownerUrl(cluster, name);
      await migrate(url);
      return url;
    },
    createEmpty: async (name) => {
      await ensureDatabase(cluster, name);
      return ownerUrl(cluster, name);
    },
    createFloor: async (name) => {
      await ensureDatabase(cluster, name);
      const url = ownerUrl(cluster, name);
      await runMigrations({ connectionString: url });
      await query(
        url,
        `CREATE TABLE messages (id uuid PRIMARY KEY, recipient text NOT NULL, body jsonb NOT NULL, status text NOT NULL,
           provider_message_id text, created_at timestamptz NOT NULL DEFAULT now())`,
      );
      return url;
    },
    cpuSeconds: () => (server.pid === undefined ? 0 : cpuOfTree(server.pid)),
    stop: async () => {
      if (server.pid !== undefined) await stopPostgres(server.pid);
    },
  };
}

/** Writes the plans of slow statements, those inside functions too, into postgres.log. */
function explainSettings(slowMs: string): string {
  return [
    "",
    "shared_preload_libraries = 'auto_explain,pg_stat_statements'",
    "pg_stat_statements.track = all",
    `auto_explain.log_min_duration = ${Number(slowMs)}`,
    "auto_explain.log_analyze = on",
    "auto_explain.log_timing = off",
    "auto_explain.log_buffers = on",
    "auto_explain.log_nested_statements = on",
    "auto_explain.log_parameter_max_length = 100",
    "",
  ].join("\n");
}

/** One statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Prints where the time of a database's statements went (BENCH_EXPLAIN). */
export async function printStatements(run: { say(text: string): void }, url: string): Promise<void> {
  await query(url, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  const rows = await query<{ ms: number; calls: number; rows: number; text: string }>(
    url,
    `SELECT total_exec_time AS ms, calls::int, rows::int, regexp_replace(left(query, 110), '\s+', ' ', 'g') AS text
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY total_exec_time DESC LIMIT 25`,
  );
  for (const row of rows)
    run.say(`${Math.round(row.ms)} ms  ${row.calls} calls  ${row.rows} rows  ${row.text}`);
}
