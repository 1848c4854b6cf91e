import { writeFileSync } from "node:fs";
import path from "node:path";
import { startChild, waitFor } from "../lib/children.ts";
import type { Child } from "../lib/children.ts";
import { query, printStatements } from "../lib/cluster.ts";
import { prefillMarketing } from "../lib/prefill.ts";
import { startEmulator, startWorkers } from "../lib/product.ts";
import type { Workers } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

const latencyMs = 50;
const inFlight = 256;

/** (c) Messages per second from the queue through a provider to the recorded outcome, and the floor. */
export async function throughput(run: Run): Promise<Measure[]> {
  const count = run.quick ? 10_000 : 40_000;
  const floor = await drainFloor(run, count);
  run.say(`floor: ${Math.round(floor)} messages/s`);
  const product = await drainProduct(run, count);
  return [
    measure("c", "end to end", product, "messages/s"),
    measure("c", "end to end, floor", floor, "messages/s"),
    measure("c", "end to end, ratio to floor", product / floor, "", { at: "least", value: 1 }),
  ];
}

async function drainFloor(run: Run, count: number): Promise<number> {
  const url = await run.cluster.createFloor("floor_c");
  await query(
    url,
    `WITH added AS (
       INSERT INTO messages (id, recipient, body, status)
       SELECT gen_random_uuid(), '+49151' || (10000000 + n), '{}', 'queued' FROM generate_series(1, $1::int) AS n
       RETURNING id, recipient)
     SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
       SELECT ROW('deliver', json_build_object('id', id, 'recipient', recipient), NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
       FROM added))`,
    [count],
  );
  return drain(run, "floor-c", count, {
    start: async (providerUrl) =>
      startChild("floor-worker", process.execPath, ["bench/floor/worker.ts"], {
        folder: run.folder,
        env: {
          DATABASE_URL: url,
          PROVIDER_URL: providerUrl,
          IN_FLIGHT: String(inFlight),
          NO_LOG_SUCCESS: "1",
        },
      }),
    isDone: () => isTrue(url, "SELECT NOT EXISTS (SELECT FROM messages WHERE status <> 'sent') AS done"),
  });
}

async function drainProduct(run: Run, count: number): Promise<number> {
  const url = await run.cluster.createProduct("product_c");
  return drain(run, "product-c", count, {
    start: async (providerUrl) => {
      const world = await createWorld(url, { providerUrl, maxConcurrency: inFlight });
      await prefillMarketing(url, world, count);
      // One connection may hold half of a lane's slots, so 256 calls at once need 512.
      return startWorkers(url, run.folder, { bulk: inFlight * 2 });
    },
    isDone: () => isTrue(url, "SELECT NOT EXISTS (SELECT FROM notifications WHERE status <> 'sent') AS done"),
    explain: () => printStatements(run, url),
    memory: (child) => run.noteMemory("workers", child.peakBytes()),
  });
}

async function isTrue(url: string, text: string): Promise<boolean> {
  return (await query<{ done: boolean }>(url, text))[0]?.done ?? false;
}

/**
 * Lets a worker empty its queue; messages per second between the provider's first message and the last recorded
 * outcome.
 */
async function drain(
  run: Run,
  name: string,
  count: number,
  work: {
    start(providerUrl: string): Promise<Child>;
    isDone(): Promise<boolean>;
    memory?(child: Child): void;
    explain?(): Promise<void>;
  },
): Promise<number> {
  const logFile = path.join(run.folder, `${name}.ndjson`);
  writeFileSync(logFile, "");
  const emulator = await startEmulator(run.folder, { name: `${name}-provider`, latencyMs, logFile });
  const worker = await work.start(emulator.baseUrl);
  const postgresBefore = run.cluster.cpuSeconds();
  const doneAt = await waitFor(
    worker,
    `${name} is drained`,
    async () => ((await work.isDone()) ? Date.now() : undefined),
    300,
    // Rarely: querying costs the database that is being measured.
    250,
  );
  const cpu = { worker: worker.cpuSeconds(), postgres: run.cluster.cpuSeconds() - postgresBefore };
  if (process.env.BENCH_EXPLAIN) await work.explain?.();
  work.memory?.(worker);
  await worker.stop();
  await emulator.child.stop();
  const received = await readReceived(logFile);
  const seconds = (doneAt - received.firstAt) / 1_000;
  const parts =
    "parts" in worker
      ? ` (${(worker as Workers).parts.map((part) => Math.round(part.peakBytes() / 1_048_576)).join(" + ")})`
      : "";
  run.say(
    `${name}: ${count} in ${seconds.toFixed(1)} s; worker ${cpu.worker.toFixed(1)} s CPU, ${Math.round(worker.peakBytes() / 1_048_576)} MiB${parts}; Postgres ${cpu.postgres.toFixed(1)} s CPU`,
  );
  if (received.messages !== count || received.repeated !== 0) {
    throw new Error(
      `${name}: ${count} messages, but the provider received ${received.messages}, ${received.repeated} of them again`,
    );
  }
  return count / seconds;
}
