import type { Runner } from "graphile-worker";
import { HealthMonitor } from "../server/health/health-monitor.ts";
import { databaseUrl, openPool, sharedDb } from "../server/kernel/db.ts";
import { env } from "../server/kernel/env.ts";
import { newId } from "../server/kernel/ids.ts";
import { logger } from "../server/kernel/log.ts";
import { counter, gauge, histogram, startMetricsServer } from "../server/kernel/metrics.ts";
import { createOutboundClient } from "../server/kernel/outbound-http.ts";
import { closeAdapters } from "../server/providers/adapters/adapters.ts";
import { ConnectionLimiter, laneConcurrency } from "../server/sending/connection-limiter.ts";
import { WaitingMessages } from "../server/sending/wake-waiting.ts";
import { Deliverer } from "../server/sending/deliver-notification.ts";
import type { Batching, DeliveryDeps } from "../server/sending/deliver-notification.ts";
import { deliverBulk, deliverOtp, deliverTransactional } from "../server/sending/tasks.ts";
import { deliverWebhook } from "../server/webhooks/tasks.ts";
import { crontab } from "./crontab.ts";
import { Listeners } from "./listeners.ts";
import { Presence } from "./presence.ts";
import { startRunner } from "./runners.ts";
import type { RunnerDefinition } from "./runners.ts";
import { createDeliverWebhookTask } from "./tasks/deliver-webhook.ts";
import { maintenanceTasks } from "./tasks/maintenance.ts";
import { taskFor } from "./tasks/parse-payload.ts";

const log = logger().child({ part: "worker" });
const worker = newId();

/** One try at a provider may not outlive the grace that a stopping process gives its jobs. */
const attemptTimeoutMs = 15_000;

const attempts = counter("tidings_attempts_total", "Calls to providers by outcome", [
  "adapter",
  "lane",
  "outcome",
  "code",
]);
const attemptSeconds = histogram("tidings_attempt_seconds", "Duration of calls to providers", [
  "adapter",
  "lane",
]);
const breakers = gauge(
  "tidings_breaker_state",
  "Connections of all tenants that are open, half_open or slow",
  ["adapter", "state"],
);
const forgotten = counter(
  "tidings_sweep_found_total",
  "What the safety net found due without a job; anything but zero points to a fault",
);

async function main(): Promise<void> {
  const { concurrency, publicUrl, outboundAllow, workerMetricsPort, metricsHost } = env();
  const db = sharedDb("worker");
  // The queue's own connections, so that a busy lane cannot keep another from fetching its jobs.
  const queuePool = openPool("worker", databaseUrl("worker"), 20);
  const http = createOutboundClient({ allow: outboundAllow, userAgent: "Tidings/1.0" });

  const presence = await Presence.open(db, log, (error) => {
    log.fatal({ err: error }, "the database session is lost; ending, to be started again");
    process.exit(1);
  });
  await presence.announceProcess(worker);

  const health = new HealthMonitor({
    db,
    http,
    log,
    onTroubled: (counts) => {
      breakers.reset();
      for (const { adapter, state, count } of counts) breakers.set({ adapter, state }, count);
    },
  });
  const waiting = new WaitingMessages({ db, log });
  const limiter = new ConnectionLimiter();
  const lane = (
    slots: number,
    batching: Batching,
    patience: { urgent?: boolean; patienceMs?: number } = {},
  ) => {
    const deps: DeliveryDeps = {
      db,
      http,
      log,
      health,
      waiting,
      worker,
      isAlive: (name) => (name === worker ? Promise.resolve(true) : presence.isAlive(name)),
      limiter: limiter.lane({ slots, ...patience }),
      publicUrl,
      attemptTimeoutMs,
      onOutcome: ({ adapter, outcome, code, seconds, lane: task }) => {
        attempts.inc({ adapter, outcome, code, lane: task });
        attemptSeconds.observe({ adapter, lane: task }, seconds);
      },
    };
    return new Deliverer(deps, batching);
  };
  const otp = lane(concurrency.otp, { delayMs: 0, maxItems: 50 }, { urgent: true });
  const transactional = lane(concurrency.transactional, { delayMs: 0, maxItems: 100 });
  // Small batches: what follows one keeps the process busy, and one-time codes must get their turn in between.
  const bulk = lane(concurrency.bulk, { delayMs: 5, maxItems: 100, maxParallel: 1 }, { patienceMs: 250 });
  const webhookTask = createDeliverWebhookTask({ db, outbound: http });

  const definitions: RunnerDefinition[] = [
    {
      name: "otp",
      concurrency: laneConcurrency(concurrency.otp),
      tasks: { [deliverOtp.name]: taskFor(deliverOtp, (payload) => otp.deliver(payload)) },
    },
    {
      name: "transactional",
      concurrency: laneConcurrency(concurrency.transactional),
      tasks: {
        [deliverTransactional.name]: taskFor(deliverTransactional, (payload) =>
          transactional.deliver(payload),
        ),
      },
    },
    {
      name: "bulk",
      concurrency: laneConcurrency(concurrency.bulk),
      batched: true,
      tasks: { [deliverBulk.name]: taskFor(deliverBulk, (payload) => bulk.deliver(payload)) },
    },
    {
      name: "webhook",
      concurrency: concurrency.webhook,
      batched: true,
      tasks: { [deliverWebhook.name]: webhookTask },
    },
    {
      name: "maintenance",
      concurrency: 16,
      tasks: maintenanceTasks({ db, http, log, publicUrl, onForgotten: (count) => forgotten.inc(count) }),
      cron: crontab,
    },
  ];
  const listeners = new Listeners({ db, http, log });
  listeners.start();
  let stopping = false;
  const runners: Runner[] = [];
  for (const definition of definitions) {
    const runner = await startRunner(definition, {
      pool: queuePool,
      log,
      onPool: (poolId) => {
        presence.announce(poolId).catch((error: unknown) => {
          log.fatal({ err: error }, "a job pool could not be announced");
          process.exit(1);
        });
      },
    });
    runners.push(runner);
    runner.promise.then(
      () => {
        if (!stopping) process.exit(1);
      },
      (error: unknown) => {
        log.fatal({ err: error, runner: definition.name }, "a runner ended");
        process.exit(1);
      },
    );
  }
  health.start();
  waiting.start();
  presence.watch((count) => {
    limiter.setWorkers(count);
  });
  if (workerMetricsPort !== undefined) {
    await startMetricsServer(workerMetricsPort, metricsHost, async () => {
      await db.pool.query("SELECT 1");
      return !stopping;
    });
  }
  log.info({ worker, concurrency }, "worker ready");

  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping: jobs under way are finished first");
    Promise.allSettled(runners.map((runner) => runner.stop()))
      .then(async () => {
        await webhookTask.settled();
        await listeners.close();
        await waiting.close();
        await health.close();
        await presence.close();
        await closeAdapters();
        await queuePool.end();
        await db.close();
        log.info("stopped");
        process.exit(0);
      })
      .catch((error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      });
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

main().catch((error: unknown) => {
  log.fatal({ err: error }, "the worker could not start");
  process.exit(1);
});
