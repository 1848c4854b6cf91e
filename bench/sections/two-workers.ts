import { writeFileSync } from "node:fs";
import path from "node:path";
import { waitFor } from "../lib/children.ts";
import { query } from "../lib/cluster.ts";
import { prefillInTurns } from "../lib/prefill.ts";
import { startEmulator, startSameWorkers } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

const latencyMs = 75;
/** Of each process. One connection may hold half of a lane, so each has 24 calls under way: 320 messages a second at most. */
const slots = 48;

/**
 * (t) How much a second worker process adds where the provider's answers are what takes the time, not the processor: each process has
 * few calls under way, so that both together stay far below what the machine could do.
 */
export async function twoWorkers(run: Run): Promise<Measure[]> {
  const seconds = run.quick ? 8 : 20;
  const one = await throughputOf(run, 1, seconds * 300);
  const two = await throughputOf(run, 2, seconds * 600);
  return [
    measure("s", `one worker, provider of ${String(latencyMs)} ms`, one, "messages/s"),
    measure("s", "two workers", two, "messages/s"),
    measure("s", "two workers, ratio", two / one, "", { at: "least", value: 1.8 }),
  ];
}

/** Messages a second that reach the provider, between its first and its last tenth. */
async function throughputOf(run: Run, workers: number, count: number): Promise<number> {
  const url = await run.cluster.createProduct(`product_s_${String(workers)}`);
  const logFile = path.join(run.folder, `s-${String(workers)}.ndjson`);
  writeFileSync(logFile, "");
  const provider = await startEmulator(run.folder, {
    name: `s-${String(workers)}-provider`,
    latencyMs,
    logFile,
  });
  const world = await createWorld(url, { providerUrl: provider.baseUrl });
  await prefillInTurns(url, [{ world, count }]);
  const processes = startSameWorkers(url, run.folder, { count: workers, lanes: "bulk", slots });
  await waitFor(
    processes[0] ?? null,
    `${String(workers)} workers`,
    async () => {
      const rows = await query<{ done: boolean }>(
        url,
        "SELECT NOT EXISTS (SELECT FROM notifications WHERE status <> 'sent') AS done",
      );
      return rows[0]?.done ? true : undefined;
    },
    300,
    500,
  );
  const cpu = processes.map((worker) => worker.cpuSeconds());
  for (const worker of processes) await worker.stop();
  await provider.child.stop();
  const received = await readReceived(logFile);
  if (received.messages !== count || received.repeated !== 0)
    throw new Error(`${String(count)} messages, but the provider received ${String(received.messages)}`);
  const times = [...received.at.values()].sort((a, b) => a - b);
  // Workers begin one after the other, and the end has stragglers: the middle is what counts.
  const [from, to] = [Math.floor(count * 0.1), Math.floor(count * 0.9)];
  const seconds = ((times[to] ?? 0) - (times[from] ?? 0)) / 1_000;
  run.say(
    `${String(workers)}: ${String(count)} messages; processor time ${cpu.map((one) => one.toFixed(1)).join(" and ")} s of ${((received.lastAt - received.firstAt) / 1_000).toFixed(1)} s`,
  );
  return (to - from) / seconds;
}
