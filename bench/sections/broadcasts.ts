import { randomInt } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../server/kernel/ids.ts";
import { buildProduct } from "../lib/build.ts";
import { query } from "../lib/cluster.ts";
import { latenciesOf, send, startStream } from "../lib/codes.ts";
import { startEmulator, startWeb, startWorkers } from "../lib/product.ts";
import type { Web, Workers } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { application, createWorld, messageKind, sendBody } from "../lib/world.ts";
import type { World } from "../lib/world.ts";

const group = "Everybody";

/**
 * (n) A request to a group of 100,000 contacts: how fast it is answered and sent, what its own single orders and another
 * organisation's campaign have of it, and whether everybody gets it once when it is paused, slowed down and killed again and again.
 */
export async function broadcasts(run: Run): Promise<Measure[]> {
  await buildProduct();
  const contacts = run.quick ? 10_000 : 100_000;
  const url = await run.cluster.createProduct("product_n");
  const log = (which: string) => path.join(run.folder, `n-${which}.ndjson`);
  const provider = async (which: string) => {
    writeFileSync(log(which), "");
    return startEmulator(run.folder, { name: `n-${which}-provider`, latencyMs: 50, logFile: log(which) });
  };
  const providers = await Promise.all([provider("large"), provider("small")]);
  const [large, small] = await Promise.all([
    createWorld(url, { providerUrl: providers[0].baseUrl, slug: "large" }),
    createWorld(url, { providerUrl: providers[1].baseUrl, slug: "small" }),
  ]);
  await addGroup(url, large, contacts);
  const web = await startWeb(url, run.folder);
  let workers = startWorkers(url, run.folder, { publicUrl: web.baseUrl });
  await send(web.baseUrl, large, sendBody("order", "warm-up", 1));
  await sleep(1_000);

  // 1. By itself: the way of everything else beside it.
  const orders = startStream(web.baseUrl, large, { kind: "order", perSecond: 20 });
  const askedAt = Date.now();
  const first = await sendToGroup(web, large, "order");
  const answeredMs = Date.now() - askedAt;
  await sleep(5_000);
  const campaign = await send(web.baseUrl, small, sendBody("promotion", "campaign", 100));
  const campaignAt = Date.now();
  await untilEnded(url, first, 600);
  const seconds = (Date.now() - askedAt) / 1_000;
  await orders.stop();
  await sleep(2_000);
  run.say(`${String(contacts)} in ${seconds.toFixed(0)} s`);

  // 2. Paused, resumed, slowed down; and the processes killed.
  const second = await sendToGroup(web, large, "order");
  for (let n = 0; n < 20; n++) {
    await sleep(randomInt(300, 1_500));
    await call(web, large, "POST", `/v1/broadcasts/${second}/pause`);
    await sleep(randomInt(50, 500));
    const ratePerSecond = n % 3 === 0 ? randomInt(100, 2_000) : null;
    await call(web, large, "PATCH", `/v1/broadcasts/${second}`, { ratePerSecond });
    await call(web, large, "POST", `/v1/broadcasts/${second}/resume`);
    if (n % 5 === 4)
      workers = await killed(workers, () => startWorkers(url, run.folder, { publicUrl: web.baseUrl }));
  }
  await call(web, large, "PATCH", `/v1/broadcasts/${second}`, { ratePerSecond: null });
  await untilEnded(url, second, 900);
  run.noteMemory("web", web.child.peakBytes());
  run.noteMemory("workers", workers.peakBytes());
  await Promise.all([workers.stop(), web.child.stop()]);
  await Promise.all(providers.map(({ child }) => child.stop()));

  const [ofLarge, ofSmall] = [await readReceived(log("large")), await readReceived(log("small"))];
  const orderTimes = latenciesOf(orders, ofLarge.at);
  const campaignTimes = campaign.flatMap((id) => {
    const at = ofSmall.at.get(id);
    return at === undefined ? [] : [at - campaignAt];
  });
  const counts = await query<{ statuses: number; recipients: number; doubted: number }>(
    url,
    `SELECT count(*)::int AS statuses, count(DISTINCT recipient)::int AS recipients,
       (count(*) FILTER (WHERE status = 'undetermined'))::int AS doubted
     FROM notifications WHERE request_id = $1 AND status IN ('sent', 'delivered', 'undetermined')`,
    [second],
  );
  const [count = { statuses: 0, recipients: 0, doubted: 0 }] = counts;
  if (orders.failures.length > 0) throw new Error("orders were not accepted", { cause: orders.failures[0] });
  run.say(`${String(count.doubted)} whose outcome a killed process took with it`);
  const most = (value: number) => ({ at: "most" as const, value });
  return [
    measure("n", `request to ${String(contacts)} contacts, answered in`, answeredMs, "ms", most(500)),
    measure("n", "broadcast, from request to last message", contacts / seconds, "messages/s"),
    measure(
      "n",
      "single order beside one's own broadcast, p99",
      percentile(orderTimes, 0.99),
      "ms",
      most(250),
    ),
    measure(
      "n",
      "another's campaign of 100 beside it, p95",
      percentile(campaignTimes, 0.95),
      "ms",
      most(5_000),
    ),
    measure(
      "n",
      "recipients without a message after pauses and kills",
      contacts - count.recipients,
      "",
      most(0),
    ),
    measure("n", "recipients with two messages", count.statuses - count.recipients, "", most(0)),
    measure("n", "messages received twice", ofLarge.repeated + ofSmall.repeated, "", most(0)),
  ];
}

async function addGroup(url: string, { tenantId }: World, contacts: number): Promise<void> {
  await query(
    url,
    `WITH made AS (
       INSERT INTO contacts (tenant_id, id, name, attributes, created_at, updated_at)
       SELECT $1::uuid, uuidv7_new(), 'Contact ' || i, jsonb_build_object('order', i::text), now(), now()
       FROM generate_series(1, $2::int) AS i RETURNING id
     ), numbered AS (
       SELECT id, row_number() OVER () AS n FROM made
     ), addressed AS (
       INSERT INTO contact_addresses (tenant_id, channel, address, contact_id, position, created_at)
       SELECT $1::uuid, 'sms', '+49152' || 10000000 + n, id, 0, now() FROM numbered
     ), grouped AS (
       INSERT INTO contact_groups (tenant_id, id, name, kind, size, counted_at, created_at, updated_at)
       VALUES ($1::uuid, $3::uuid, '${group}', 'static', $2, now(), now(), now())
     )
     INSERT INTO contact_group_members (tenant_id, group_id, contact_id, added_at)
     SELECT $1::uuid, $3::uuid, id, now() FROM made`,
    [tenantId, contacts, newId()],
  );
  await query(url, "ANALYZE contacts, contact_addresses, contact_group_members");
}

async function call(web: Web, world: World, method: string, at: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${web.baseUrl}${at}`, {
    method,
    headers: { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  // It may have ended meanwhile.
  if (answer.status >= 300 && answer.status !== 409) throw new Error(`${at}: ${text}`);
  return JSON.parse(text) as unknown;
}

async function sendToGroup(web: Web, world: World, kind: "order"): Promise<string> {
  const answer = (await call(web, world, "POST", "/api/app/notifications/send", {
    transactionId: newId(),
    application,
    region: "DE",
    language: "en",
    ...messageKind(kind),
    contactGroups: [{ group, channels: ["sms"] }],
  })) as { requestId: string };
  return answer.requestId;
}

async function untilEnded(url: string, id: string, seconds: number): Promise<void> {
  for (let waited = 0; waited < seconds; waited++) {
    const rows = await query<{ ended: boolean }>(
      url,
      "SELECT ended_at IS NOT NULL AS ended FROM broadcasts WHERE request_id = $1",
      [id],
    );
    if (rows[0]?.ended) return;
    await sleep(1_000);
  }
  const [row] = await query<object>(url, "SELECT * FROM broadcasts WHERE request_id = $1", [id]);
  throw new Error(`a broadcast did not end in ${String(seconds)} s: ${JSON.stringify(row)}`);
}

/** Ends the worker processes without warning, and starts others. */
async function killed(workers: Workers, start: () => Workers): Promise<Workers> {
  await Promise.all(
    workers.parts.map(async ({ process: child }) => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }),
  );
  await workers.stop();
  return start();
}
