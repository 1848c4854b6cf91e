import { Logger as GraphileLogger, parseCronItems, run } from "graphile-worker";
import type { CronItem, Runner, TaskList } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "../server/kernel/log.ts";

/** A runner: its own slots, so that no other kind of work can delay its own. */
export interface RunnerDefinition {
  name: "otp" | "transactional" | "bulk" | "webhook" | "maintenance";
  concurrency: number;
  tasks: TaskList;
  /**
   * For volume: fetches more jobs than it has slots, so that none is ever empty, and pauses between fetches that found
   * nothing. A job may wait behind others that were fetched with it; not for what must be quick.
   */
  batched?: boolean;
  cron?: CronItem[];
}

/** How long jobs under way may go on once the process is asked to stop, ms. */
const shutdownGrace = 20_000;

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
        gracefulShutdownAbortTimeout: shutdownGrace,
        pollInterval: 250,
        // Every runner looks for jobs once for all its slots. Without this each slot would look for itself whenever any
        // runner's jobs are added, and read past all the jobs that wait for the others.
        localQueue: definition.batched
          ? { size: definition.concurrency * 2, refetchDelay: { durationMs: 20, threshold: 0 } }
          : { size: definition.concurrency },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 5,
      },
    },
  });
}
