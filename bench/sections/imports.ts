import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { createImport, uploadPiece } from "../../server/imports/create-import.ts";
import { getImport } from "../../server/imports/get-import.ts";
import { runImport } from "../../server/imports/run-import.ts";
import { importMappingSchema } from "../../server/imports/schemas.ts";
import { checkImport, startImport } from "../../server/imports/start-import.ts";
import { openDb } from "../../server/kernel/db.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

type Kind = "consent" | "contacts";

const header: Record<Kind, string> = {
  consent: "address,channel,state,class,evidence\n",
  contacts: "id,name,phone,email,language\n",
};
const lineOf: Record<Kind, (index: number) => string> = {
  consent: (index) =>
    `+49151${String(10_000_000 + index)},sms,opted_in,marketing,"Form 7, page ${String(index)}"\n`,
  contacts: (index) =>
    `${String(index)},"Person, ${String(index)}",+49151${String(10_000_000 + index)},person${String(index)}@example.com,de\n`,
};

const atMost = (value: number) => ({ at: "most" as const, value });

/** The file piece by piece, never as a whole. */
function* piecesOf(kind: Kind, rows: number, bytes: number): Generator<Buffer> {
  let text = header[kind];
  for (let index = 0; index < rows; index++) {
    text += lineOf[kind](index);
    while (text.length >= bytes) {
      yield Buffer.from(text.slice(0, bytes));
      text = text.slice(bytes);
    }
  }
  if (text !== "") yield Buffer.from(text);
}

/** (o) Imports: a file of 1,000,000 rows is uploaded, checked and imported; memory and event loop of the process that does it. */
export async function imports(run: Run): Promise<Measure[]> {
  const most = run.quick ? 100_000 : 1_000_000;
  const url = await run.cluster.createProduct("product_o");
  const { tenantId, environmentId } = await createWorld(url, { providerUrl: "http://127.0.0.1:9" });
  const web = openDb("web", url, { poolSize: 4 });
  const worker = openDb("worker", url, { poolSize: 4 });
  const ctx = systemCtx(web, tenantId, "Bench");
  const results: Measure[] = [];
  try {
    for (const [kind, rows] of [
      // Loads what a process loads once.
      ["consent", 2_000],
      ["consent", most],
      ["contacts", most],
    ] as const) {
      results.length = kind === "consent" ? 0 : results.length;
      global.gc?.();
      const before = process.memoryUsage().rss;
      let peak = before;
      const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
      const timed = async (work: () => Promise<void>) => {
        const delay = monitorEventLoopDelay({ resolution: 5 });
        delay.enable();
        const from = performance.now();
        await work();
        delay.disable();
        // What the timer itself waits is no delay.
        return { seconds: (performance.now() - from) / 1_000, p99: delay.percentile(99) / 1e6 - 5 };
      };
      let size = 0;
      for (const piece of piecesOf(kind, rows, 1_048_576)) size += piece.length;
      const { id, pieceBytes } = await createImport(ctx, {
        kind,
        environmentId,
        fileName: "bench.csv",
        size,
      });
      const upload = await timed(async () => {
        let offset = 0;
        for (const piece of piecesOf(kind, rows, pieceBytes)) {
          ({ received: offset } = await uploadPiece(ctx, { id, offset, data: piece.toString("base64") }));
        }
      });
      const { head } = await getImport(ctx, { id });
      await checkImport(ctx, { id, mapping: importMappingSchema.parse(head?.guesses) });
      const work = async () => {
        for (;;) {
          await runImport({ db: worker }, { tenantId, importId: id });
          const { state } = await getImport(ctx, { id });
          if (state !== "checking" && state !== "running") return;
        }
      };
      const check = await timed(work);
      await startImport(ctx, { id });
      const imported = await timed(work);
      clearInterval(sample);
      const { counts, state } = await getImport(ctx, { id });
      if (state !== "finished" || counts.created + counts.unchanged !== rows)
        throw new Error(`not imported: ${JSON.stringify(counts)}`);
      run.say(`${String(rows)} rows of ${kind}, ${String(Math.round(size / 1e6))} MB`);
      results.push(
        measure("o", `${kind}: dry run`, rows / check.seconds, "rows/s"),
        measure("o", `${kind}: import`, rows / imported.seconds, "rows/s"),
        measure("o", `${kind}: event loop during upload, p99`, upload.p99, "ms", atMost(50)),
        measure("o", `${kind}: event loop during dry run, p99`, check.p99, "ms", atMost(50)),
        measure("o", `${kind}: event loop during import, p99`, imported.p99, "ms", atMost(50)),
        measure("o", `${kind}: extra memory`, (peak - before) / 1_048_576, "MiB", atMost(300)),
      );
    }
    return results;
  } finally {
    await web.close();
    await worker.close();
  }
}
