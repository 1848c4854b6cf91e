import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildProduct } from "../lib/build.ts";
import { waitFor } from "../lib/children.ts";
import { query, printStatements } from "../lib/cluster.ts";
import { latenciesOf, partsOf, send, sendFirst, startStream } from "../lib/codes.ts";
import { startEmulator, startWeb, startWorkers } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld, sendBody } from "../lib/world.ts";

const perSecond = 20;
const recipients = 1_000;

/**
 * (d) From an application's request for a one-time code until the provider has received it, while a campaign is
 * accepted and delivered over the same connection.
 */
export async function oneTimeCodes(run: Run): Promise<Measure[]> {
  await buildProduct();
  const campaign = run.quick ? 10_000 : 50_000;
  const url = await run.cluster.createProduct("product_d");
  const logFile = path.join(run.folder, "product-d.ndjson");
  writeFileSync(logFile, "");
  const emulator = await startEmulator(run.folder, { name: "product-d-provider", latencyMs: 50, logFile });
  const world = await createWorld(url, { providerUrl: emulator.baseUrl });
  const web = await startWeb(url, run.folder);
  const worker = startWorkers(url, run.folder, { publicUrl: web.baseUrl });

  await sendFirst(web.baseUrl, world, url);

  const startedAt = Date.now();
  const stream = startStream(web.baseUrl, world, { kind: "otp", perSecond });
  const codes = stream.asked;
  let accepted = 0;
  const accept = (async () => {
    for (let first = 0; first < campaign; first += recipients) {
      await send(web.baseUrl, world, sendBody("promotion", `campaign-${first}`, recipients, first));
      accepted += recipients;
    }
  })();
  try {
    await accept;
    run.say(`campaign of ${accepted} accepted in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
    await waitFor(
      worker,
      "the campaign goes out",
      async () => {
        const [row] = await query<{ left: boolean }>(
          url,
          "SELECT EXISTS (SELECT FROM notifications WHERE status IN ('queued', 'sending') AND class = 'marketing') AS left",
        );
        const late = Date.now() - startedAt > (run.quick ? 30_000 : 90_000);
        return row?.left === false || late ? true : undefined;
      },
      120,
      1_000,
    );
  } finally {
    await stream.stop();
  }
  const seconds = (Date.now() - startedAt) / 1_000;
  const [{ left } = { left: 0 }] = await query<{ left: number }>(
    url,
    "SELECT count(*)::int AS left FROM notifications WHERE status IN ('queued', 'sending') AND class = 'marketing'",
  );
  await sleep(2_000);
  if (process.env.BENCH_EXPLAIN) await printStatements(run, url);
  run.noteMemory("web", web.child.peakBytes());
  run.noteMemory("workers", worker.peakBytes());
  run.say(
    `${codes.length} codes in ${seconds.toFixed(1)} s beside ${Math.round((campaign - left) / seconds)} marketing messages/s; ` +
      `web ${Math.round(web.child.peakBytes() / 1_048_576)} MiB, worker ${Math.round(worker.peakBytes() / 1_048_576)} MiB`,
  );
  await worker.stop();
  await web.child.stop();
  await emulator.child.stop();

  const received = await readReceived(logFile);
  const latencies = latenciesOf(stream, received.at);
  run.say(await partsOf(url, stream, received.at));
  if (stream.failures.length > 0)
    throw new Error(`${stream.failures.length} codes were not accepted`, { cause: stream.failures[0] });
  return [
    measure("d", "one-time code, accept to provider, p50", percentile(latencies, 0.5), "ms"),
    measure("d", "one-time code, accept to provider, p99", percentile(latencies, 0.99), "ms", {
      at: "most",
      value: 100,
    }),
    measure("d", "one-time codes not received", codes.length - latencies.length, "", {
      at: "most",
      value: 0,
    }),
    measure("d", "received more than once", received.repeated, "messages", { at: "most", value: 0 }),
  ];
}
