/**
 * Writes exports one after the other as a worker process would, and prints for each how long it took, how much memory the process took
 * beyond what it had before, and how late its event loop was. Arguments: the database's address, the tenant, ids of exports.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { getExport } from "../../server/exports/get-exports.ts";
import { runExport } from "../../server/exports/run-export.ts";
import { openDb } from "../../server/kernel/db.ts";

const [url = "", tenantId = "", ...ids] = process.argv.slice(2);
const db = openDb("worker", url, { poolSize: 4 });
const ctx = systemCtx(db, tenantId, "Bench");
await getExport(ctx, { id: ids[0] ?? "" });
for (const id of ids) {
  const before = process.memoryUsage().rss;
  let peak = before;
  const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const from = performance.now();
  for (;;) {
    await runExport({ db }, { tenantId, exportId: id });
    const { state } = await getExport(ctx, { id });
    if (state !== "waiting" && state !== "running") break;
  }
  delay.disable();
  clearInterval(sample);
  const seconds = (performance.now() - from) / 1_000;
  // What the timer itself waits is no delay.
  const p99 = delay.percentile(99) / 1e6 - 5;
  console.log(JSON.stringify({ seconds, p99, extra: (peak - before) / 1_048_576 }));
}
await db.close();
