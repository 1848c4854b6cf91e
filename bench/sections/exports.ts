import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { downloadExport } from "../../server/exports/download-export.ts";
import { getExport } from "../../server/exports/get-exports.ts";
import { requestExport } from "../../server/exports/request-export.ts";
import { runExport } from "../../server/exports/run-export.ts";
import { openDb } from "../../server/kernel/db.ts";
import { plantMessages } from "../../server/testing/planted-messages.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

const atMost = (value: number) => ({ at: "most" as const, value });

/** (p) Exports: files of 1,000,000 messages and costs are written and downloaded; memory and event loop of the process that does it. */
export async function exports(run: Run): Promise<Measure[]> {
  const most = run.quick ? 100_000 : 1_000_000;
  const url = await run.cluster.createProduct("product_p");
  const { tenantId, environmentId, unitId, applicationIds } = await createWorld(url, {
    providerUrl: "http://127.0.0.1:9",
  });
  const owner = new pg.Pool({ connectionString: url, max: 1 });
  const web = openDb("web", url, { poolSize: 4 });
  const worker = openDb("worker", url, { poolSize: 4 });
  const ctx = systemCtx(web, tenantId, "Bench");
  const of = { tenantId, environmentId, unitId, applicationId: applicationIds[0] ?? "" };
  const results: Measure[] = [];
  try {
    let planted = 0;
    for (const [kind, rows] of [
      // Loads what a process loads once.
      ["messages", 5_000],
      ["messages", most],
      ["costs", most],
    ] as const) {
      while (planted < rows) {
        const part = Math.min(100_000, rows - planted);
        await plantMessages(owner, of, part, 20);
        planted += part;
      }
      await owner.query("ANALYZE notifications, cost_entries, send_requests");
      // Ids made in this very millisecond are later than the request.
      await pause(10);
      global.gc?.();
      const before = process.memoryUsage().rss;
      let peak = before;
      const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
      const delay = monitorEventLoopDelay({ resolution: 5 });
      const { id } = await requestExport(ctx, { kind, filter: { environmentId } });
      delay.enable();
      const from = performance.now();
      for (;;) {
        await runExport({ db: worker }, { tenantId, exportId: id });
        const { state } = await getExport(ctx, { id });
        if (state !== "waiting" && state !== "running") break;
      }
      delay.disable();
      const seconds = (performance.now() - from) / 1_000;
      const view = await getExport(ctx, { id });
      const file = await downloadExport(ctx, { id });
      let lines = 0;
      const downloading = performance.now();
      for await (const piece of file.rest) {
        for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
      }
      const download = (performance.now() - downloading) / 1_000;
      clearInterval(sample);
      if (view.state !== "finished" || view.rows !== planted || lines !== planted)
        throw new Error(`not exported: ${JSON.stringify(view)}, ${String(lines)} lines`);
      run.say(`${String(view.rows)} rows of ${kind}, ${String(Math.round((file.bytes ?? 0) / 1e6))} MB`);
      if (rows < most) continue;
      results.push(
        measure("p", `${kind}: export`, rows / seconds, "rows/s"),
        measure("p", `${kind}: download`, (file.bytes ?? 0) / download / 1e6, "MB/s"),
        // What the timer itself waits is no delay.
        measure("p", `${kind}: event loop, p99`, delay.percentile(99) / 1e6 - 5, "ms", atMost(50)),
        measure("p", `${kind}: extra memory`, (peak - before) / 1_048_576, "MiB", atMost(64)),
      );
    }
    return results;
  } finally {
    await owner.end();
    await web.close();
    await worker.close();
  }
}
