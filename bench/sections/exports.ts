import { execFile } from "node:child_process";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { memoryEnvironment, workerGroups, workerMemory } from "../../scripts/lib/node-arguments.ts";
import { root } from "../../scripts/lib/paths.ts";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { downloadExport } from "../../server/exports/download-export.ts";
import { getExport } from "../../server/exports/get-exports.ts";
import { requestExport } from "../../server/exports/request-export.ts";
import type { ExportKind } from "../../server/exports/schemas.ts";
import { openDb } from "../../server/kernel/db.ts";
import { plantMessages } from "../../server/testing/planted-messages.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

const atMost = (value: number) => ({ at: "most" as const, value });
const semiSpace = workerGroups.find(({ name }) => name === "worker-volume")?.semiSpace ?? 24;

/**
 * (p) Exports: files of 1,000,000 messages and costs are written and downloaded; memory and event loop of a process that has as much heap
 * as a worker and writes nothing else.
 */
export async function exports(run: Run): Promise<Measure[]> {
  const most = run.quick ? 100_000 : 1_000_000;
  const url = await run.cluster.createProduct("product_p");
  const { tenantId, environmentId, unitId, applicationIds } = await createWorld(url, {
    providerUrl: "http://127.0.0.1:9",
  });
  const owner = new pg.Pool({ connectionString: url, max: 1 });
  const web = openDb("web", url, { poolSize: 4 });
  const ctx = systemCtx(web, tenantId, "Bench");
  const of = { tenantId, environmentId, unitId, applicationId: applicationIds[0] ?? "" };
  const ask = async (kind: ExportKind, filter: object = {}) =>
    (await requestExport(ctx, { kind, filter: { environmentId, ...filter } })).id;
  const results: Measure[] = [];
  try {
    for (let planted = 0; planted < most; planted += 100_000)
      await plantMessages(owner, of, Math.min(100_000, most - planted), 20);
    await owner.query("ANALYZE notifications, cost_entries, send_requests");
    // Ids made in this very millisecond are later than the request.
    await pause(10);
    for (const kind of ["messages", "costs"] as const) {
      // A day's first: it loads what a process loads once and lets the heap become what it is in a worker that works.
      const first = new Date(Date.now() - 86_400_000).toISOString();
      const warm = await ask(kind, kind === "messages" ? { createdFrom: first } : { from: first });
      const id = await ask(kind);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          ...workerMemory(semiSpace),
          path.join(root, "bench", "lib", "export-process.ts"),
          url,
          tenantId,
          warm,
          id,
        ],
        { env: { ...process.env, ...memoryEnvironment } },
      );
      const [fresh, worked] = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<"seconds" | "p99" | "extra", number>);
      if (!fresh || !worked) throw new Error(`no measures: ${stdout}`);
      const view = await getExport(ctx, { id });
      const { rest, bytes = 0 } = await downloadExport(ctx, { id });
      let lines = 0;
      const downloading = performance.now();
      for await (const piece of rest) {
        for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
      }
      const download = (performance.now() - downloading) / 1_000;
      if (view.state !== "finished" || view.rows !== most || lines !== most)
        throw new Error(`not exported: ${JSON.stringify(view)}, ${String(lines)} lines`);
      run.say(`${String(view.rows)} rows of ${kind}, ${String(Math.round(bytes / 1e6))} MB`);
      results.push(
        measure("p", `${kind}: export`, most / worked.seconds, "rows/s"),
        measure("p", `${kind}: download`, bytes / download / 1e6, "MB/s"),
        measure("p", `${kind}: event loop, p99`, worked.p99, "ms", atMost(50)),
        measure("p", `${kind}: extra memory`, worked.extra, "MiB", atMost(64)),
        measure("p", `${kind}: memory of the first in a fresh process`, fresh.extra, "MiB"),
      );
    }
    return results;
  } finally {
    await owner.end();
    await web.close();
  }
}
