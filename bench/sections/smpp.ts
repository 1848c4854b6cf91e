import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { startChild, waitFor } from "../lib/children.ts";
import { query } from "../lib/cluster.ts";
import { prefillMarketing } from "../lib/prefill.ts";
import { startWorkers } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

const latencyMs = 50;
const settings = { host: "127.0.0.1", security: "none", binds: 2, window: 64 };

/**
 * (h) Messages a second from the queue through SMPP sessions to the recorded receipt. The message centre answers after
 * 50 ms and sends the receipt of each message right behind its answer.
 */
export async function smpp(run: Run): Promise<Measure[]> {
  const count = run.quick ? 4_000 : 20_000;
  const url = await run.cluster.createProduct("product_h");
  const logFile = path.join(run.folder, "product-h.ndjson");
  writeFileSync(logFile, "");
  const args = ["bench/emulators/smsc.ts", "--log", logFile, "--latency", String(latencyMs)];
  const emulator = startChild("smsc", process.execPath, [...args, "--receipts", "DELIVRD"], {
    folder: run.folder,
    pipeOutput: true,
  });
  if (!emulator.process.stdout) throw new Error("the emulator has no output");
  const lines = createInterface({ input: emulator.process.stdout });
  const [line] = (await once(lines, "line", { signal: AbortSignal.timeout(20_000) })) as [string];
  const { port } = JSON.parse(line) as { port: number };
  const world = await createWorld(url, {
    provider: {
      adapter: "smpp",
      credentials: { systemId: "bench", password: "bench" },
      settings: { ...settings, port },
    },
  });
  await prefillMarketing(url, world, count);

  // One connection may hold half of a lane's slots.
  const worker = startWorkers(url, run.folder, { bulk: settings.binds * settings.window * 2 });
  const doneAt = await waitFor(
    worker,
    "every message has its receipt",
    async () => {
      const [row] = await query<{ done: boolean }>(
        url,
        "SELECT NOT EXISTS (SELECT FROM notifications WHERE status <> 'delivered') AS done",
      );
      return row?.done ? Date.now() : undefined;
    },
    300,
    // Rarely: querying costs the database that is being measured.
    250,
  );
  run.noteMemory("workers", worker.peakBytes());
  await worker.stop();
  await emulator.stop();
  const received = await readReceived(logFile);
  const perSecond = count / ((doneAt - received.firstAt) / 1_000);
  run.say(
    `${count} messages delivered; worker ${worker.cpuSeconds().toFixed(1)} s CPU, ${Math.round(worker.peakBytes() / 1_048_576)} MiB`,
  );
  return [
    measure("h", "SMPP, queue to recorded receipt", perSecond, "messages/s", { at: "least", value: 500 }),
    measure("h", "SMPP, messages not received", count - received.at.size, "", { at: "most", value: 0 }),
    measure("h", "SMPP, received more than once", received.repeated, "messages", { at: "most", value: 0 }),
  ];
}
