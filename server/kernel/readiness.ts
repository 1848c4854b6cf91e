import { readdir } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import type { Db, LimitedQuery } from "./db.ts";
import { isDraining } from "./lifecycle.ts";
import { readSqlFiles } from "./sql-files.ts";

export type Readiness =
  | {
      status: "ready";
      /** Lanes that no working process carries: requests are accepted and stored, but their messages wait. */
      lanesWithoutWorker?: string[];
      /** Sending is on hold: requests to send are refused, and no worker takes a job. */
      sendingHeld?: true;
    }
  | { status: "not_ready"; reason: "draining" | "database_unreachable" | "migrations_pending" };

/** How long the database may take for each of two questions, ms: the probes of deploy/chart wait three seconds. */
const patienceMs = 1_500;

let expected: Promise<string[]> | undefined;

/** The migrations and SQL files of this release; none known when it was shipped without their folders. */
async function expectedMigrations(): Promise<string[]> {
  const folder = path.join(process.cwd(), "prisma");
  const entries = await readdir(path.join(folder, "migrations"), { withFileTypes: true }).catch(() => []);
  const files = await readSqlFiles(folder).catch(() => []);
  const migrations = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return [...migrations, ...files.map((file) => file.hash)];
}

/**
 * Whether the process can work now: not asked to end, database reachable, every migration and SQL file applied. Never
 * throws.
 */
export async function readiness(db: Pick<Db, "pool">): Promise<Readiness> {
  if (isDraining()) return { status: "not_ready", reason: "draining" };
  expected ??= expectedMigrations();
  try {
    // On a connection that is dead the answer never comes; the next question gets another one.
    const ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      db.pool.query<Row>({ text, values, query_timeout: patienceMs } as LimitedQuery);
    const { rows } = await ask<{ pending: string[] }>("SELECT pending_migrations($1) AS pending", [
      await expected,
    ]);
    if (rows[0]?.pending.length !== 0) return { status: "not_ready", reason: "migrations_pending" };
    const state = await ask<{ idle: string[]; held: boolean }>(
      "SELECT lanes_without_worker() AS idle, is_sending_held() AS held",
    );
    const { idle = [], held = false } = state.rows[0] ?? {};
    return {
      status: "ready",
      ...(idle.length > 0 && { lanesWithoutWorker: idle }),
      ...(held && { sendingHeld: true }),
    };
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "42883";
    return { status: "not_ready", reason: missing ? "migrations_pending" : "database_unreachable" };
  }
}
