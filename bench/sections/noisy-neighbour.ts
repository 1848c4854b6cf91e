import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildProduct } from "../lib/build.ts";
import { latenciesOf, partsOf, send, sendFirst, startStream } from "../lib/codes.ts";
import { query } from "../lib/cluster.ts";
import { startEmulator, startWeb, startWorkers } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld, sendBody, simulator } from "../lib/world.ts";

const perSecond = 20;

/**
 * (k) The effect of another organisation's floods: one sends codes and single orders at a steady pace, while another
 * floods its sandbox with codes, the transactional lane with orders and the bulk lane with marketing, all at once.
 */
export async function noisyNeighbour(run: Run): Promise<Measure[]> {
  await buildProduct();
  const scale = run.quick ? 0.2 : 1;
  const flood = { marketing: 50_000 * scale, orders: 30_000 * scale, sandbox: 10_000 * scale };
  const url = await run.cluster.createProduct("product_k");
  const log = (which: string) => path.join(run.folder, `k-${which}.ndjson`);
  for (const which of ["quiet", "noisy"]) writeFileSync(log(which), "");
  const [quietProvider, noisyProvider] = await Promise.all([
    startEmulator(run.folder, { name: "k-quiet-provider", latencyMs: 50, logFile: log("quiet") }),
    startEmulator(run.folder, { name: "k-noisy-provider", latencyMs: 50, logFile: log("noisy") }),
  ]);
  const quiet = await createWorld(url, { providerUrl: quietProvider.baseUrl, slug: "quiet" });
  const noisy = await createWorld(url, { providerUrl: noisyProvider.baseUrl, slug: "noisy" });
  const sandbox = await createWorld(url, { provider: simulator(), slug: "playing", kind: "sandbox" });
  const web = await startWeb(url, run.folder);
  const workers = startWorkers(url, run.folder, { publicUrl: web.baseUrl });
  await sendFirst(web.baseUrl, quiet, url);

  const startedAt = Date.now();
  const codes = startStream(web.baseUrl, quiet, { kind: "otp", perSecond });
  const orders = startStream(web.baseUrl, quiet, { kind: "order", perSecond });
  const floodWith = async (
    world: typeof noisy,
    kind: "promotion" | "order" | "otp",
    count: number,
    size: number,
  ) => {
    for (let first = 0; first < count; first += size) {
      await send(
        web.baseUrl,
        world,
        sendBody(kind, `${kind}-flood-${first}`, Math.min(size, count - first), first),
      );
    }
  };
  await Promise.all([
    floodWith(noisy, "promotion", flood.marketing, 1_000),
    floodWith(noisy, "order", flood.orders, 500),
    floodWith(sandbox, "otp", flood.sandbox, 100),
  ]);
  run.say(`floods accepted in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  // While the accepted messages are being delivered.
  const until = Date.now() + (run.quick ? 10_000 : 45_000);
  let left = 1;
  while (Date.now() < until && left > 0) {
    await sleep(1_000);
    const rows = await query<{ n: number }>(
      url,
      "SELECT count(*)::int AS n FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE starts_with(t.identifier, 'deliver_')",
    );
    left = rows[0]?.n ?? 0;
  }
  await Promise.all([codes.stop(), orders.stop()]);
  await sleep(3_000);
  run.noteMemory("web", web.child.peakBytes());
  run.noteMemory("workers", workers.peakBytes());
  run.say(
    `${codes.asked.length} codes and ${orders.asked.length} orders in ${((Date.now() - startedAt) / 1_000).toFixed(0)} s, ${left} jobs of the floods still wait; web ${Math.round(web.child.peakBytes() / 1_048_576)} MiB, workers ${workers.parts.map((part) => Math.round(part.peakBytes() / 1_048_576)).join(" + ")} MiB`,
  );
  await Promise.all([workers.stop(), web.child.stop()]);
  await Promise.all([quietProvider.child.stop(), noisyProvider.child.stop()]);

  const [received, others] = [await readReceived(log("quiet")), await readReceived(log("noisy"))];
  const [codeTimes, orderTimes] = [latenciesOf(codes, received.at), latenciesOf(orders, received.at)];
  run.say(await partsOf(url, codes, received.at));
  const failures = [...codes.failures, ...orders.failures];
  if (failures.length > 0) throw new Error(`${failures.length} were not accepted`, { cause: failures[0] });
  const most = (value: number) => ({ at: "most" as const, value });
  return [
    measure("k", "one-time code beside another's floods, p50", percentile(codeTimes, 0.5), "ms"),
    measure("k", "one-time code beside another's floods, p99", percentile(codeTimes, 0.99), "ms", most(150)),
    measure("k", "single order beside another's 30,000, p50", percentile(orderTimes, 0.5), "ms"),
    measure("k", "single order beside another's 30,000, p99", percentile(orderTimes, 0.99), "ms"),
    measure(
      "k",
      "not received",
      codes.asked.length + orders.asked.length - codeTimes.length - orderTimes.length,
      "messages",
      most(0),
    ),
    measure("k", "received more than once", received.repeated + others.repeated, "messages", most(0)),
  ];
}
