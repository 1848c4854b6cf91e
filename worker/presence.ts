import { createHash } from "node:crypto";
import pg from "pg";
import { connectionOptions, databaseUrl } from "../server/kernel/db.ts";
import type { Db } from "../server/kernel/db.ts";
import type { Logger } from "../server/kernel/log.ts";
import { processLockClass, selectLiveWorkers, workerLockClass } from "../server/sending/queries.ts";

/** The advisory lock that stands for a name: 31 bits of its SHA-256. */
function lockKey(name: string): number {
  return createHash("sha256").update(name).digest().readInt32BE(0) & 0x7fffffff;
}

/**
 * Shows the other workers that this process is alive: a session of its own holds one advisory lock for the process and
 * one for each of its job pools; Postgres frees them the moment the process is gone. What a dead process held locked is
 * freed by whoever looks next, instead of after graphile-worker's four hours.
 */
export class Presence {
  private readonly client: pg.Client;
  private readonly db: Db;
  private readonly log: Logger;
  private timer: NodeJS.Timeout | undefined;

  private constructor(client: pg.Client, db: Db, log: Logger) {
    this.client = client;
    this.db = db;
    this.log = log;
  }

  /** `onLost` is called when the session is gone, and the locks with it: the process must end. */
  static async open(db: Db, log: Logger, onLost: (error?: Error) => void): Promise<Presence> {
    const client = new pg.Client({ ...connectionOptions("worker", databaseUrl("worker")), keepAlive: true });
    await client.connect();
    client.on("error", onLost);
    client.on("end", () => {
      onLost();
    });
    return new Presence(client, db, log);
  }

  /** Claims this process's name; processes are counted, job pools are not. */
  async announceProcess(name: string): Promise<void> {
    await this.announce(name);
    await this.client.query("SELECT pg_advisory_lock($1, $2)", [processLockClass, lockKey(name)]);
  }

  /** Claims a name (a process or job pool) for as long as this process lives. */
  async announce(name: string): Promise<void> {
    await this.client.query("SELECT pg_advisory_lock($1, $2)", [workerLockClass, lockKey(name)]);
  }

  /** Whether the process that announced a name is still there. Asks the database: never out of date. */
  async isAlive(name: string): Promise<boolean> {
    return (await selectLiveWorkers(this.db)).has(lockKey(name));
  }

  /** Looks every two seconds for jobs that dead processes hold, frees them, and tells how many processes there are. */
  watch(onCount: (processes: number) => void): void {
    this.timer = setInterval(() => {
      this.lookAround(onCount).catch((error: unknown) => {
        this.log.warn({ err: error }, "looking for orphaned jobs failed");
      });
    }, 2_000);
  }

  private async lookAround(onCount: (processes: number) => void): Promise<void> {
    onCount((await selectLiveWorkers(this.db, processLockClass)).size);
    await this.releaseOrphans();
  }

  private async releaseOrphans(): Promise<void> {
    // A pool may lock its first jobs a moment before its name is announced: young locks are left alone.
    const held = await this.db.pool.query<{ name: string }>(
      `SELECT DISTINCT locked_by AS name FROM graphile_worker._private_jobs
       WHERE locked_by IS NOT NULL AND locked_at < now() - interval '5 seconds'`,
    );
    if (held.rows.length === 0) return;
    const alive = await selectLiveWorkers(this.db);
    const dead = held.rows.map((row) => row.name).filter((name) => !alive.has(lockKey(name)));
    if (dead.length === 0) return;
    await this.db.pool.query("SELECT graphile_worker.force_unlock_workers($1::text[])", [dead]);
    this.log.warn({ pools: dead.length }, "freed the jobs of workers that ended without finishing them");
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.client.removeAllListeners("end");
    await this.client.end().catch(() => undefined);
  }
}
