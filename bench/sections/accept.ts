import { query, printStatements } from "../lib/cluster.ts";
import { load } from "../lib/load.ts";
import { startFloorWeb, startWeb } from "../lib/product.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld, sendBody } from "../lib/world.ts";
import type { World } from "../lib/world.ts";
import { buildFloor, buildProduct } from "../lib/build.ts";

const connections = 32;
const sendPath = "/api/app/notifications/send";

/** (a) Accepted requests for one message each per second, and their floor. No worker runs meanwhile. */
export async function acceptSingles(run: Run): Promise<Measure[]> {
  await buildFloor();
  await buildProduct();
  const rounds = run.quick ? 1 : 3;
  const seconds = run.quick ? 5 : 8;
  const results: { floor: Awaited<ReturnType<typeof load>>; product: Awaited<ReturnType<typeof load>> }[] =
    [];
  const floorUrl = await run.cluster.createFloor("floor_a");
  const productUrl = await run.cluster.createProduct("product_a");
  const world = await createWorld(productUrl, { providerUrl: "http://127.0.0.1:9" });
  // Alternating, so that other load of the machine affects both.
  for (let round = 0; round < rounds; round++) {
    const warmUpSeconds = 3;
    const floorWeb = await startFloorWeb(floorUrl, run.folder);
    const floor = await load({
      web: floorWeb.child,
      cluster: run.cluster,
      url: `${floorWeb.baseUrl}/send`,
      body: sendBody("order", "bench-[<id>]", 1),
      connections,
      seconds,
      warmUpSeconds,
    });
    run.say(`floor: ${say(floor)}`);
    await floorWeb.child.stop();

    const web = await startWeb(productUrl, run.folder);
    const product = await load({
      web: web.child,
      cluster: run.cluster,
      url: `${web.baseUrl}${sendPath}`,
      body: sendBody("order", "bench-[<id>]", 1),
      headers: authorization(world),
      connections,
      seconds,
      warmUpSeconds,
    });
    run.say(`product: ${say(product)}`);
    run.noteMemory("web", web.child.peakBytes());
    await web.child.stop();
    results.push({ floor, product });
  }
  if (process.env.BENCH_EXPLAIN) await printStatements(run, productUrl);
  await assertStored(
    productUrl,
    results.reduce((sum, entry) => sum + entry.product.accepted, 0),
  );
  const failed = results.reduce((sum, entry) => sum + entry.product.failed, 0);
  const middle = (of: (entry: (typeof results)[number]) => number) => median(results.map(of));
  const ratio = middle((entry) => entry.product.requestsPerSecond / entry.floor.requestsPerSecond);
  return [
    measure(
      "a",
      "accepted, one recipient each",
      middle((entry) => entry.product.requestsPerSecond),
      "requests/s",
    ),
    measure(
      "a",
      "accepted, floor",
      middle((entry) => entry.floor.requestsPerSecond),
      "requests/s",
    ),
    measure("a", "accepted, ratio to floor", ratio, "", { at: "least", value: 3 }),
    measure(
      "a",
      "p99",
      middle((entry) => entry.product.p99Ms),
      "ms",
    ),
    measure(
      "a",
      "p99, floor",
      middle((entry) => entry.floor.p99Ms),
      "ms",
    ),
    measure(
      "a",
      "p99, ratio to floor",
      middle((entry) => entry.product.p99Ms / entry.floor.p99Ms),
      "",
      { at: "most", value: 1 },
    ),
    measure("a", "not accepted", failed, "requests", { at: "most", value: 0 }),
  ];
}

/** (b) Accepted messages per second when each request names 100 recipients. No worker runs meanwhile. */
export async function acceptHundreds(run: Run): Promise<Measure[]> {
  await buildProduct();
  const url = await run.cluster.createProduct("product_b");
  const world = await createWorld(url, { providerUrl: "http://127.0.0.1:9" });
  const web = await startWeb(url, run.folder);
  const recipients = 100;
  const result = await load({
    web: web.child,
    cluster: run.cluster,
    url: `${web.baseUrl}${sendPath}`,
    body: sendBody("promotion", "bench-[<id>]", recipients),
    headers: authorization(world),
    connections,
    seconds: run.quick ? 5 : 10,
    warmUpSeconds: 3,
  });
  run.say(say(result));
  run.noteMemory("web", web.child.peakBytes());
  await web.child.stop();
  if (process.env.BENCH_EXPLAIN) await printStatements(run, url);
  await assertStored(url, result.accepted * recipients);
  return [
    measure("b", "accepted, 100 recipients each", result.requestsPerSecond * recipients, "messages/s", {
      at: "least",
      value: 25_000,
    }),
    measure("b", "p99", result.p99Ms, "ms"),
    measure("b", "not accepted", result.failed, "requests", { at: "most", value: 0 }),
  ];
}

function authorization(world: World): Record<string, string> {
  return { authorization: `Bearer ${world.apiKey}` };
}

/** Every answer 202 is a promise: at least that many messages and jobs exist (including those of the warm-up). */
async function assertStored(url: string, accepted: number): Promise<void> {
  const [row] = await query<{ messages: number; jobs: number }>(
    url,
    `SELECT (SELECT count(*) FROM notifications)::int AS messages,
       (SELECT sum(json_array_length(payload->'notificationIds')) FROM graphile_worker._private_jobs)::int AS jobs`,
  );
  if (!row || row.messages < accepted || row.jobs < row.messages) {
    throw new Error(`${accepted} messages were accepted, stored are ${row?.messages}, in jobs ${row?.jobs}`);
  }
}

function say(result: Awaited<ReturnType<typeof load>>): string {
  return `${Math.round(result.requestsPerSecond)} requests/s, p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ms, ${result.failed} failed; a request takes ${result.cpuMs.web.toFixed(2)} ms CPU of web, ${result.cpuMs.postgres.toFixed(2)} of Postgres; ${Math.round(result.peakMiB)} MiB`;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
