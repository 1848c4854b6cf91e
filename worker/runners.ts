import { Logger as GraphileLogger, parseCronItems, run } from "graphile-worker";
import type { CronItem, Runner, TaskList } from "graphile-worker";
import { jobGraceMs } from "../server/kernel/lifecycle.ts";
import type pg from "pg";
import type { Logger } from "../server/kernel/log.ts";

/** A runner: its own slots, so that no other kind of work can delay its own. */
export interface RunnerDefinition {
  name: string;
  /** Jobs at a time. */
  concurrency: number;
  tasks: TaskList;
  /**
   * How many jobs are fetched at once, and kept for when one ends. Few, because what is fetched comes before whoever's
   * turn it would be meanwhile.
   */
  fetch: number;
  /** Pauses between fetches that found little, ms; not for what must be quick. */
  refetchDelayMs?: number;
  cron?: CronItem[];
}

export async function startRunner(
  definition: RunnerDefinition,
  deps: { pool: pg.Pool; log: Logger; onPool: (poolId: string) => void },
): Promise<Runner> {
  const { EventEmitter } = await import("node:events");
  const events = new EventEmitter();
  events.on("pool:create", (event: { workerPool: { id: string } }) => {
    deps.onPool(event.workerPool.id);
  });
  return run({
    pgPool: deps.pool,
    events,
    taskList: definition.tasks,
    parsedCronItems: parseCronItems(definition.cron ?? []),
    noHandleSignals: true,
    logger: new GraphileLogger(() => (level, message, meta) => {
      const log = deps.log.child({ runner: definition.name });
      if (level === "error") log.error({ err: meta.error }, message);
      // Slots outnumber the pool's connections on purpose: most of the time they wait for providers.
      else if (level === "warning" && !message.includes("maxPoolSize")) log.warn(message);
      else log.debug(message);
    }),
    preset: {
      worker: {
        concurrentJobs: definition.concurrency,
        gracefulShutdownAbortTimeout: jobGraceMs,
        pollInterval: 250,
        // Every runner looks for jobs once for all its slots. Without this each slot would look for itself whenever any
        // runner's jobs are added, and read past all the jobs that wait for the others.
        localQueue: {
          size: definition.fetch,
          ...(definition.refetchDelayMs === undefined
            ? {}
            : { refetchDelay: { durationMs: definition.refetchDelayMs, threshold: 0 } }),
        },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 5,
      },
    },
  });
}
