import { createHash } from "node:crypto";
import pg from "pg";
import { connectionOptions, workerSessionUrl } from "../server/kernel/db.ts";
import type { Db } from "../server/kernel/db.ts";
import { env } from "../server/kernel/env.ts";
import type { Logger } from "../server/kernel/log.ts";
import { refusePooler } from "../server/kernel/wrong-configuration.ts";
import { selectLiveWorkers, workerLockClass } from "../server/sending/queries.ts";

/** Class of the advisory locks of those who do some work alone. */
const workLockClass = 7_461_004;

/** The advisory lock that stands for a name: 31 bits of its SHA-256. */
function lockKey(name: string): number {
  return createHash("sha256").update(name).digest().readInt32BE(0) & 0x7fffffff;
}

const heartbeatMs = 1_000;
/** A process without a heartbeat for so long hangs, and others take over its work. */
const hangsAfterSeconds = 5;
/**
 * A session that leaves a heartbeat unanswered for so long is lost, ms, though nobody has closed it: its host may be gone without a
 * word. No attempt is open for longer, so that a process which ends then gives up none.
 */
const longestSilenceMs = 60_000;

/** What the processes share about rate-limited connections, so that they divide the rates among themselves. */
export interface Share {
  /** The rate-limited connections that this process uses. */
  limited: () => string[];
  /** Called with the number of processes, and how many of them use each rate-limited connection. */
  onSharers: (processes: number, sharers: ReadonlyMap<string, number>) => void;
}

/** What a process gives its presence. */
interface PresenceDeps {
  db: Db;
  log: Logger;
  onLost: (error?: Error) => void;
  /** In place of longestSilenceMs. */
  silenceMs?: number;
}

/**
 * Shows other processes that this one is alive and makes progress. A session of its own holds an advisory lock for the
 * process and one for each of its job pools, which Postgres releases when the process is gone; once a second the event
 * loop writes a heartbeat. The jobs of a dead or hanging process are released by the process that notices first,
 * instead of after graphile-worker's four hours.
 *
 * A process that hung and goes on finds its session ended, or itself given up, and exits; the supervisor starts
 * another.
 */
export class Presence {
  readonly name: string;
  private readonly client: pg.Client;
  private readonly db: Db;
  private readonly log: Logger;
  private readonly onLost: (error?: Error) => void;
  private readonly silenceMs: number;
  private silence: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private heartbeatTimer: NodeJS.Timeout | undefined;
  /** When the last two heartbeats were written, by the process's clock, ms. */
  private heartbeats: [number, number] = [-Infinity, -Infinity];
  /** The rate-limited connections in the last heartbeat. */
  private published: string[] = [];
  private closed = false;
  /** Work that this process alone does. */
  private readonly led = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    name: string,
    client: pg.Client,
    { db, log, onLost, silenceMs = longestSilenceMs }: PresenceDeps,
  ) {
    this.name = name;
    this.client = client;
    this.db = db;
    this.log = log;
    this.onLost = onLost;
    this.silenceMs = silenceMs;
  }

  /**
   * Registers a process that carries `lanes`. `onLost` is called when its session, and with it the locks, is gone or does not answer,
   * or when others have taken over its work: the process must exit.
   */
  static async open(
    process: { name: string; lanes: readonly string[] },
    deps: PresenceDeps,
  ): Promise<Presence> {
    const client = new pg.Client({
      ...connectionOptions("worker", workerSessionUrl(), `tidings worker ${process.name}`),
      keepAlive: true,
    });
    await client.connect();
    await refusePooler(
      client,
      env().workerDirectDatabaseUrl ? "WORKER_DIRECT_DATABASE_URL" : "WORKER_DATABASE_URL",
    );
    client.on("error", deps.onLost);
    client.on("end", () => {
      deps.onLost();
    });
    const presence = new Presence(process.name, client, deps);
    await presence.lock(process.name);
    await presence.ask(
      "DELETE FROM worker_processes WHERE given_up_at < clock_timestamp() - interval '1 day'",
    );
    await presence.ask(
      "INSERT INTO worker_processes (name, lanes, beat_at) VALUES ($1, $2, clock_timestamp())",
      [process.name, process.lanes],
    );
    return presence;
  }

  /** Registers a job pool of this process, for as long as it lives. */
  async registerPool(pool: string): Promise<void> {
    await this.lock(pool);
    await this.ask("UPDATE worker_processes SET pools = pools || $2::text WHERE name = $1", [
      this.name,
      pool,
    ]);
  }

  /**
   * Whether this process is the one of all that does `work`. Once it is, it stays so as long as it lives; when it ends or
   * hangs, the lock goes with its session and another is.
   */
  async leads(work: string): Promise<boolean> {
    if (this.led.has(work)) return true;
    const { rows } = await this.ask<{ locked: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS locked", [
      workLockClass,
      lockKey(work),
    ]);
    if (rows[0]?.locked) this.led.add(work);
    return this.led.has(work);
  }

  /** One statement at a time: the session is one connection. */
  private ask<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const answer = this.last.then(() => this.client.query<Row>(text, values));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async lock(name: string): Promise<void> {
    await this.ask("SELECT pg_advisory_lock($1, $2)", [workerLockClass, lockKey(name)]);
  }

  /** Whether the process of that name is alive and makes progress, according to the database. */
  async isAlive(name: string): Promise<boolean> {
    const [locks, { rowCount }] = await Promise.all([
      selectLiveWorkers(this.db),
      this.db.pool.query("SELECT FROM worker_processes WHERE name = $1 AND given_up_at IS NOT NULL", [name]),
    ]);
    return rowCount === 0 && locks.has(lockKey(name));
  }

  /**
   * Writes heartbeats, and once a second releases what dead or hanging processes hold and updates the shares of rates.
   */
  watch(share: Share): void {
    const heartbeat = () => {
      this.heartbeat(share)
        .catch((error: unknown) => {
          this.log.warn({ err: error }, "a heartbeat could not be written");
        })
        .finally(() => {
          if (!this.closed) this.heartbeatTimer = setTimeout(heartbeat, heartbeatMs);
        });
    };
    heartbeat();
    const look = () => {
      this.check(share)
        .catch((error: unknown) => {
          this.log.warn({ err: error }, "looking for processes that ended or hang failed");
        })
        .finally(() => {
          if (!this.closed) this.timer = setTimeout(look, heartbeatMs);
        });
    };
    look();
  }

  /** On its own timer, so that a slow check does not delay the heartbeat. */
  private async heartbeat(share: Share): Promise<void> {
    const limited = share.limited();
    this.silence = setTimeout(() => {
      this.onLost(new Error("the database does not answer this process's session"));
    }, this.silenceMs);
    // After a crash of Postgres the table is empty (it is unlogged): live processes exit, start again and register.
    const { rows } = await this.ask<{ givenUp: boolean }>(
      `UPDATE worker_processes SET beat_at = clock_timestamp(), limited = $2
       WHERE name = $1 RETURNING given_up_at IS NOT NULL AS "givenUp"`,
      [this.name, limited],
    ).finally(() => clearTimeout(this.silence));
    if (rows.length === 0 || rows[0]?.givenUp) {
      this.onLost(new Error("others have taken over the work of this process, because it did not get on"));
      return;
    }
    this.published = limited;
    this.heartbeats = [this.heartbeats[1], performance.now()];
  }

  private async check(share: Share): Promise<void> {
    const [before, last] = this.heartbeats;
    // After a pause of the database or of this process, others must have time to write their heartbeats first.
    if (last - before < 2 * heartbeatMs && performance.now() - last < 2 * heartbeatMs)
      await this.giveUpHanging();
    await this.updateSharers(share);
    await this.releaseOrphans();
  }

  /**
   * By the database's clock, and only by a process that is in time itself, so that a pause of the database gives up no
   * process.
   */
  private async giveUpHanging(): Promise<void> {
    const hanging = await this.ask<{ name: string }>(
      `UPDATE worker_processes SET given_up_at = clock_timestamp()
       WHERE given_up_at IS NULL AND beat_at < clock_timestamp() - make_interval(secs => $1) RETURNING name`,
      [hangsAfterSeconds],
    );
    if (hanging.rows.length === 0) return;
    const names = hanging.rows.map((row) => row.name);
    const locks = await selectLiveWorkers(this.db);
    const hung = names.filter((name) => locks.has(lockKey(name)));
    if (hung.length > 0) {
      this.log.error({ workers: hung }, "a worker process hangs; its work is taken over");
      // Its open transactions hold locks, and its session for notifications keeps them queued.
      await this.db.pool.query("SELECT end_worker_sessions($1)", [hung]).catch((error: unknown) => {
        this.log.warn({ err: error }, "the sessions of a hanging worker could not be ended");
      });
    }
  }

  private async updateSharers(share: Share): Promise<void> {
    const { rows } = await this.ask<{ id: string | null; n: number }>(
      `SELECT u.id, count(*)::int AS n FROM worker_processes p
       CROSS JOIN LATERAL (SELECT NULL::uuid AS id UNION ALL SELECT unnest(p.limited)) AS u
       WHERE p.given_up_at IS NULL GROUP BY u.id`,
    );
    const all = rows.find((row) => row.id === null)?.n ?? 1;
    const sharers = new Map(rows.flatMap(({ id, n }): [string, number][] => (id === null ? [] : [[id, n]])));
    // A process that has just begun to use a connection is not counted yet.
    for (const id of share.limited())
      if (!this.published.includes(id)) sharers.set(id, (sharers.get(id) ?? 0) + 1);
    share.onSharers(all, sharers);
  }

  private async releaseOrphans(): Promise<void> {
    // A pool may lock its first jobs just before its name is registered: recent locks are left alone.
    const held = await this.db.pool.query<{ name: string; givenUp: boolean }>(
      `SELECT DISTINCT j.locked_by AS name, EXISTS (SELECT FROM worker_processes p
         WHERE j.locked_by = ANY (p.pools) AND p.given_up_at IS NOT NULL) AS "givenUp"
       FROM graphile_worker._private_jobs j
       WHERE j.locked_by IS NOT NULL AND j.locked_at < now() - interval '5 seconds'`,
    );
    if (held.rows.length === 0) return;
    const locks = await selectLiveWorkers(this.db);
    const dead = held.rows.filter((row) => row.givenUp || !locks.has(lockKey(row.name)));
    if (dead.length === 0) return;
    await this.db.pool.query("SELECT graphile_worker.force_unlock_workers($1::text[])", [
      dead.map((row) => row.name),
    ]);
    this.log.warn({ pools: dead.length }, "freed the jobs of workers that ended or hang");
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.heartbeatTimer);
    clearTimeout(this.silence);
    this.client.removeAllListeners("end");
    await this.ask("DELETE FROM worker_processes WHERE name = $1", [this.name]).catch(() => undefined);
    await this.client.end().catch(() => undefined);
  }
}
