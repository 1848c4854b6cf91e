import "../server/kernel/console-to-log.ts";
import type { Runner } from "graphile-worker";
import { closeAdapters } from "../server/adapters/adapters.ts";
import { buildChains } from "../server/audit/build-chains.ts";
import { writeUnits } from "../server/costs/month-units.ts";
import { HealthMonitor } from "../server/health/health-monitor.ts";
import { foldMetrics, packRollups } from "../server/insights/fold-metrics.ts";
import { inTurns } from "../server/kernel/batcher.ts";
import { openPool, sharedDb, warmUp, workerSessionUrl } from "../server/kernel/db.ts";
import { env } from "../server/kernel/env.ts";
import { newId } from "../server/kernel/ids.ts";
import { attemptLimitMs } from "../server/kernel/lifecycle.ts";
import { logger } from "../server/kernel/log.ts";
import { metricsPorts } from "../server/kernel/metrics-ports.ts";
import { counter, histogram, serveMetrics } from "../server/kernel/metrics.ts";
import { createOutboundClient } from "../server/kernel/outbound-http.ts";
import { startTracing, stopTracing } from "../server/kernel/start-tracing.ts";
import { watchPool } from "../server/kernel/pool-metrics.ts";
import { ConnectionLimiter, laneConcurrency } from "../server/sending/connection-limiter.ts";
import { Deliverer } from "../server/sending/deliver-notification.ts";
import type { DeliveryDeps } from "../server/sending/deliver-notification.ts";
import type { Batching } from "../server/sending/delivery-store.ts";
import { HeldAttempts } from "../server/sending/held-attempts.ts";
import { indexAddresses } from "../server/sending/index-addresses.ts";
import { deliveryLanes } from "../server/sending/lanes.ts";
import type { DeliveryLane } from "../server/sending/lanes.ts";
import { prepareDelivering } from "../server/sending/prepare-connection.ts";
import { WaitingMessages } from "../server/sending/resume-waiting.ts";
import { deliverWebhook } from "../server/webhooks/tasks.ts";
import { HoldGate } from "./hold-gate.ts";
import { InstallationGauges } from "./installation-gauges.ts";
import { lanesOf } from "./lanes.ts";
import type { Lane } from "./lanes.ts";
import { Listeners } from "./listeners.ts";
import { Presence } from "./presence.ts";
import { RepeatedWork } from "./repeated-work.ts";
import { queueConnections, startRunner } from "./runners.ts";
import type { RunnerDefinition } from "./runners.ts";
import { createDeliverWebhookTask } from "./tasks/deliver-webhook.ts";
import { taskFor } from "./tasks/parse-payload.ts";
import { TurnScheduler } from "./turn-scheduler.ts";

const log = logger().child({ part: "worker" });
const worker = newId();

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
const requeued = counter(
  "tidings_sweep_found_total",
  "What the safety net found due without a job; anything but zero points to a fault",
);

async function main(): Promise<void> {
  const lanes = lanesOf(process.argv.slice(2));
  await startTracing("tidings-worker");
  const { concurrency, publicUrl, outboundAllow, workerMetricsPort } = env();
  const applicationName = `tidings worker ${worker}`;
  const db = sharedDb("worker", { applicationName });
  let stopping = false;
  let served: Promise<unknown> | undefined;
  const serve = () =>
    (served ??= serveMetrics({
      setting: workerMetricsPort,
      defaultPort: metricsPorts.worker,
      log,
      isReady: async () => {
        await db.pool.query("SELECT 1");
        return !stopping;
      },
    }));
  const gate = new HoldGate({ db, log });
  // While it begins: it stops as soon as it has.
  let signalled: NodeJS.Signals | undefined;
  const leave = (signal: NodeJS.Signals) => {
    signalled = signal;
    gate.close();
  };
  process.on("SIGTERM", leave);
  process.on("SIGINT", leave);
  // A process that waits for the release is well: it says so where it is asked.
  if (!(await gate.released(serve))) {
    await db.close();
    log.info("stopped");
    process.exit(0);
  }
  const http = createOutboundClient({ allow: outboundAllow, userAgent: "Tidings/1.0" });

  await warmUp(db, prepareDelivering);
  const presence = await Presence.open(
    { name: worker, lanes },
    {
      db,
      log,
      onLost: (error) => {
        log.fatal({ err: error }, "the database session is lost; ending, to be started again");
        process.exit(1);
      },
    },
  );
  const limiter = new ConnectionLimiter();
  presence.watch({
    limited: () => limiter.inUse(Date.now()),
    onSharers: (processes, sharers) => {
      limiter.setWorkers(processes, sharers);
    },
  });

  const health = new HealthMonitor({ db, http, log });
  const waiting = new WaitingMessages({ db, log });
  const held = new HeldAttempts();
  const delivery = (
    lane: DeliveryLane,
    slots: number,
    batching: Batching,
    options: { urgent?: boolean; fetch: number },
  ): RunnerDefinition => {
    const places = laneConcurrency(slots);
    const deps: DeliveryDeps = {
      lane,
      places,
      db,
      http,
      log,
      health,
      waiting,
      worker,
      held,
      isAlive: (name) => presence.isAlive(name),
      limiter: limiter.lane({ slots, patienceMs: 250, urgent: options.urgent ?? false }),
      publicUrl,
      attemptTimeoutMs: attemptLimitMs,
      onOutcome: ({ adapter, outcome, code, seconds, lane: task }) => {
        attempts.inc({ adapter, outcome, code, lane: task });
        attemptSeconds.observe({ adapter, lane: task }, seconds);
      },
    };
    const deliverer = new Deliverer(deps, batching);
    const task = deliveryLanes[lane];
    return {
      name: lane,
      concurrency: places,
      fetch: options.fetch,
      tasks: { [task.name]: taskFor(task, (payload) => deliverer.deliver(payload)) },
    };
  };
  const webhookTask = createDeliverWebhookTask({ db, outbound: http });
  // Lanes for volume use the database one statement at a time, so that they never occupy many of its connections.
  const inTurn = inTurns(1);
  const volume = { delayMs: 5, maxItems: 200, maxParallel: 1, inTurn };
  // Loaded only by processes that carry it, so that a process for urgent lanes stays small.
  const upkeep = async () =>
    (await import("./tasks/maintenance.ts")).maintenanceTasks({
      db,
      http,
      log,
      publicUrl,
      onRequeued: (count) => requeued.inc(count),
    });

  const runnersOf: Record<Lane, () => RunnerDefinition[] | Promise<RunnerDefinition[]>> = {
    otp: () => [
      delivery(
        "otp",
        concurrency.otp,
        { delayMs: 0, maxItems: 50 },
        { urgent: true, fetch: concurrency.otp },
      ),
    ],
    transactional: () => [
      // One statement at a time as well: a flood of orders must leave the database to one-time codes.
      delivery(
        "transactional",
        concurrency.transactional,
        { delayMs: 0, maxItems: 100, maxParallel: 1, inTurn: inTurns(1) },
        { fetch: 4 },
      ),
    ],
    bulk: () => [
      {
        ...delivery("bulk", concurrency.bulk, volume, { fetch: Math.ceil(concurrency.bulk / 10) }),
        refetchDelayMs: 20,
      },
    ],
    sandbox: async () => {
      const sandbox = delivery("sandbox", concurrency.sandbox, volume, { fetch: 16 });
      return [
        sandbox,
        {
          name: "sandbox-callbacks",
          concurrency: concurrency.sandbox,
          fetch: 32,
          tasks: (await upkeep()).sandbox,
          refetchDelayMs: 20,
        },
      ];
    },
    webhook: () => [
      {
        name: "webhook",
        concurrency: concurrency.webhook,
        fetch: concurrency.webhook * 2,
        refetchDelayMs: 20,
        tasks: { [deliverWebhook.name]: webhookTask },
      },
    ],
    // Scheduled jobs have their own runner, so that they run however much else there is to do.
    maintenance: async () => {
      const { tenants, imports, exports, replies, clock, longClock } = await upkeep();
      const { crontab } = await import("./crontab.ts");
      return [
        { name: "maintenance", concurrency: 8, fetch: 8, tasks: tenants },
        // Each job works for seconds: without slots of their own, imports would keep erasures waiting.
        { name: "imports", concurrency: 2, fetch: 1, tasks: imports },
        { name: "exports", concurrency: 2, fetch: 1, tasks: exports },
        // Recipients wait for these, whatever is imported or erased meanwhile.
        { name: "replies", concurrency: 4, fetch: 4, tasks: replies, refetchDelayMs: 20 },
        { name: "cron", concurrency: 4, fetch: 4, tasks: clock, cron: crontab },
        // Of those that last some run most of the time: they must not take the slots of what is due each minute.
        { name: "long-cron", concurrency: 4, fetch: 1, tasks: longClock },
      ];
    },
  };
  const definitions: RunnerDefinition[] = [];
  for (const lane of lanes) definitions.push(...(await runnersOf[lane]()));
  // The queue's own connections, so that a busy lane cannot keep another from fetching its jobs.
  const queueSize = queueConnections(lanes.length, definitions.length);
  const queuePool = openPool("worker", workerSessionUrl(), queueSize, { applicationName });
  watchPool("queue", queuePool);
  const listeners = new Listeners({ db, http, log });
  if (definitions.some(({ name }) => name in deliveryLanes)) listeners.start();
  const runners: Runner[] = [];
  for (const definition of definitions) {
    const runner = await startRunner(definition, {
      pool: queuePool,
      log,
      onPool: (poolId) => {
        presence.registerPool(poolId).catch((error: unknown) => {
          log.fatal({ err: error }, "a job pool could not be registered");
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
  const turns = new TurnScheduler({ db, log, tasks: definitions.flatMap(({ tasks }) => Object.keys(tasks)) });
  turns.start();
  if (definitions.some(({ name }) => name in deliveryLanes)) waiting.start();
  const broadcasts = lanes.includes("bulk")
    ? new (await import("../server/sending/run-broadcasts.ts")).Broadcasts({ db, log })
    : undefined;
  broadcasts?.start();
  const gauges = new InstallationGauges({ db, log, mayLead: () => presence.leads("gauges") });
  // Of several processes one does each at a time.
  const repeated = lanes.includes("maintenance")
    ? [
        new RepeatedWork(() => buildChains(db), {
          everyMs: 5_000,
          log,
          failed: "chaining audit events failed",
        }),
        new RepeatedWork(() => foldMetrics(db), {
          everyMs: 2_000,
          log,
          failed: "folding counts into the rollups failed; the next turn takes them as well",
        }),
        new RepeatedWork(() => gauges.update(), {
          everyMs: 15_000,
          log,
          failed: "metrics of the installation could not be computed; they are tried again",
        }),
        new RepeatedWork(() => indexAddresses({ db, log }), {
          everyMs: 10_000,
          log,
          failed: "indexing addresses failed; the next turn takes them as well",
        }),
        new RepeatedWork(() => packRollups(db), {
          everyMs: 1_800_000,
          log,
          failed: "packing rollups failed; the next turn takes them as well",
        }),
      ]
    : [];
  for (const each of repeated) each.start();
  await serve();
  log.info({ worker, lanes, concurrency }, "worker ready");

  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    gate.close();
    log.info({ signal }, "stopping: jobs under way are finished first");
    Promise.allSettled(runners.map((runner) => runner.stop()))
      .then(async () => {
        await webhookTask.settled();
        turns.close();
        for (const each of repeated) await each.close();
        await listeners.close();
        await waiting.close();
        await broadcasts?.close();
        await writeUnits();
        await health.close();
        await presence.close();
        await closeAdapters();
        await queuePool.end();
        await db.close();
        await stopTracing();
        log.info("stopped");
        process.exit(0);
      })
      .catch((error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      });
  };
  process.off("SIGTERM", leave);
  process.off("SIGINT", leave);
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (signalled) stop(signalled);
  // It is started again, and then waits for the release.
  else gate.watch(() => stop("hold"));
}

main().catch((error: unknown) => {
  log.fatal({ err: error }, "the worker could not start");
  process.exit(1);
});
