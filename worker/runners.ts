import { Logger as GraphileLogger, parseCronItems, run } from "graphile-worker";
import type { CronItem, Runner, TaskList, WorkerEventMap } from "graphile-worker";
import { jobGraceMs } from "../server/kernel/lifecycle.ts";
import type pg from "pg";
import type { Logger } from "../server/kernel/log.ts";

/** A runner has its own slots, so that no other kind of work can delay its jobs. */
export interface RunnerDefinition {
  name: string;
  /** Jobs at a time. */
  concurrency: number;
  tasks: TaskList;
  /**
   * How many jobs are fetched ahead. Few, because fetched jobs run before those whose turn would come in the meantime.
   */
  fetch: number;
  /** The pause after a fetch that found few jobs, ms; not for urgent lanes. */
  refetchDelayMs?: number;
  cron?: CronItem[];
}

/**
 * A local queue of graphile-worker 0.18 that holds jobs when it is released gives them back as a released one, refuses that itself,
 * and has the runner ended by force, with jobs still being given back. Here they are given back first, as those that wait for too long.
 */
function giveBackBeforeRelease({ localQueue }: WorkerEventMap["localQueue:init"]): void {
  const release = localQueue.release.bind(localQueue);
  localQueue.release = () => {
    if (localQueue.mode === "WAITING")
      (localQueue as unknown as { setModeTtlExpired(): void }).setModeTtlExpired();
    return release();
  };
}

/**
 * How many connections to the queue the runners of a process share. Each of them holds one, on which it hears of new jobs, and a
 * lane may have several runners.
 */
export function queueConnections(lanes: number, runners: number): number {
  return Math.max(3 * lanes, runners + 3);
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
  events.on("localQueue:init", giveBackBeforeRelease);
  return run({
    pgPool: deps.pool,
    events,
    taskList: definition.tasks,
    parsedCronItems: parseCronItems(definition.cron ?? []),
    noHandleSignals: true,
    logger: new GraphileLogger(() => (level, message, meta) => {
      const log = deps.log.child({ runner: definition.name });
      if (level === "error") log.error({ err: meta.error }, message);
      // There are more slots than connections in the pool on purpose: most of the time they wait for providers.
      else if (level === "warning" && !message.includes("maxPoolSize")) log.warn(message);
      else log.debug(message);
    }),
    preset: {
      worker: {
        concurrentJobs: definition.concurrency,
        gracefulShutdownAbortTimeout: jobGraceMs,
        pollInterval: 250,
        // A runner fetches jobs once for all its slots. Without this, each slot would query for itself whenever jobs are
        // added for any runner, and scan all jobs that wait for the others.
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
