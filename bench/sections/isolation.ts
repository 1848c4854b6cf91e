import { writeFileSync } from "node:fs";
import path from "node:path";
import { waitFor } from "../lib/children.ts";
import { query } from "../lib/cluster.ts";
import { prefillInTurns } from "../lib/prefill.ts";
import { startEmulator, startWorkers } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

const latencyMs = 50;
/** Never reached. */
const forever = 3_600_000;
const slots = 256;

/** (j) How much a hanging provider costs those who send through another one, in the same lane of the same worker. */
export async function isolation(run: Run): Promise<Measure[]> {
  const count = run.quick ? 8_000 : 30_000;
  const alone = await healthyThroughput(run, { name: "alone", count, hanging: 0 });
  const beside = await healthyThroughput(run, { name: "beside", count, hanging: count / 2 });
  return [
    measure("j", "provider alone", alone, "messages/s"),
    measure("j", "beside one that hangs", beside, "messages/s"),
    measure("j", "beside one that hangs, ratio", beside / alone, "", { at: "least", value: 0.9 }),
  ];
}

/** Messages a second to the provider that answers, from the first that it received to the last. */
async function healthyThroughput(
  run: Run,
  options: { name: string; count: number; hanging: number },
): Promise<number> {
  const { name, count } = options;
  const url = await run.cluster.createProduct(`product_j_${name}`);
  const log = (which: string) => path.join(run.folder, `j-${name}-${which}.ndjson`);
  writeFileSync(log("healthy"), "");
  const [healthy, hanging] = await Promise.all([
    startEmulator(run.folder, { name: `j-${name}-healthy`, latencyMs, logFile: log("healthy") }),
    startEmulator(run.folder, { name: `j-${name}-hanging`, latencyMs: forever, logFile: log("hanging") }),
  ]);
  const world = await createWorld(url, { providerUrl: healthy.baseUrl });
  const other = await createWorld(url, { providerUrl: hanging.baseUrl, slug: "other" });
  await prefillInTurns(url, [
    { world: other, count: options.hanging },
    { world, count },
  ]);
  const worker = startWorkers(url, run.folder, { bulk: slots });
  await waitFor(
    worker,
    `isolation, ${name}`,
    async () => {
      const rows = await query<{ done: boolean }>(
        url,
        "SELECT NOT EXISTS (SELECT FROM notifications WHERE tenant_id = $1 AND status <> 'sent') AS done",
        [world.tenantId],
      );
      return rows[0]?.done ? true : undefined;
    },
    300,
    250,
  );
  await worker.stop();
  await Promise.all([healthy.child.stop(), hanging.child.stop()]);
  const received = await readReceived(log("healthy"));
  if (received.messages !== count || received.repeated !== 0) {
    throw new Error(`${count} messages, but the provider received ${received.messages}`);
  }
  const [attempts] = await query<{ count: number }>(
    url,
    "SELECT count(*)::int AS count FROM attempts WHERE tenant_id = $1",
    [other.tenantId],
  );
  const held = attempts?.count ?? 0;
  if (options.hanging > 0 && held === 0) throw new Error("nothing hung: the measurement says nothing");
  const seconds = (received.lastAt - received.firstAt) / 1_000;
  run.say(`${name}: ${count} in ${seconds.toFixed(1)} s; ${held} messages hang`);
  return count / seconds;
}
