import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { listFindings } from "../../server/budgets/list-findings.ts";
import { listProviders } from "../../server/connections/list-providers.ts";
import { getDeliverability } from "../../server/deliverability/get-deliverability.ts";
import { costReport } from "../../server/insights/cost-report.ts";
import { deliveryReport } from "../../server/insights/delivery-report.ts";
import { overviewReport } from "../../server/insights/overview-report.ts";
import { compareDay } from "../../server/insights/recompute-day.ts";
import { dimensions } from "../../server/insights/vocabulary.ts";
import { openDb } from "../../server/kernel/db.ts";
import { countMessages } from "../../server/sending/list-notifications.ts";
import { buildProduct } from "../lib/build.ts";
import { query } from "../lib/cluster.ts";
import { send } from "../lib/codes.ts";
import { createHistory } from "../lib/history.ts";
import { startEmulator, startWeb, startWorkers } from "../lib/product.ts";
import type { Web } from "../lib/product.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld, sendBody } from "../lib/world.ts";
import type { World } from "../lib/world.ts";
import { reportPages } from "./report-pages.ts";

const hour = 3_600_000;
const day = 24 * hour;
const days = 90;
const target = { at: "most", value: 100 } as const;

/**
 * (q) The reports over 10,000,000 messages of 90 days, as the pages ask for them, under row-level security, and the pages in a
 * browser; how large the counts behind them are, and how soon they hold what is sent at 500 messages a second. Messages are stored
 * without their events, which no report reads.
 */
export async function reports(run: Run): Promise<Measure[]> {
  await buildProduct();
  const count = run.quick ? 300_000 : 10_000_000;
  const url = await run.cluster.createProduct("product_q");
  const log = path.join(run.folder, "q-provider.ndjson");
  writeFileSync(log, "");
  const provider = await startEmulator(run.folder, { name: "q-provider", latencyMs: 50, logFile: log });
  const world = await createWorld(url, { providerUrl: provider.baseUrl });
  const startedAt = Date.now();
  await createHistory(url, world, { count, days, events: false });
  run.say(`${String(count)} messages stored in ${String(Math.round((Date.now() - startedAt) / 1_000))} s`);

  const measures = [...(await queries(url, world, run)), ...(await sizes(url, run))];
  const web = await startWeb(url, run.folder);
  measures.push(...(await reportPages(web, url, world, run)), ...(await lag(web, url, world, run)));
  await web.child.stop();
  await provider.child.stop();
  const db = openDb("worker", url, { poolSize: 1 });
  const today = new Date(Math.floor(Date.now() / day) * day);
  const differences = await compareDay(db, world.tenantId, today);
  await db.close();
  measures.push(
    measure("q", "counts of today that differ from the ledger", differences.length, "", {
      at: "most",
      value: 0,
    }),
  );
  return measures;
}

async function queries(url: string, world: World, run: Run): Promise<Measure[]> {
  const db = openDb("web", url, { poolSize: 6 });
  try {
    const ctx = systemCtx(db, world.tenantId, "Bench");
    const { environmentId } = world;
    const rounds = run.quick ? 5 : 20;
    const time = async (name: string, asks: Record<string, (before: number) => Promise<unknown>>) => {
      const times: number[] = [];
      const slowest: [string, number][] = [];
      for (const [what, ask] of Object.entries(asks)) {
        const ofThis: number[] = [];
        for (let round = 0; round <= rounds; round++) {
          const from = performance.now();
          // Other days each time.
          await ask((round % 14) * day);
          if (round > 0) ofThis.push(performance.now() - from);
        }
        times.push(...ofThis);
        slowest.push([what, percentile(ofThis, 0.95)]);
      }
      slowest.sort(([, one], [, other]) => other - one);
      if (slowest.length > 1)
        run.say(
          `${name}: ${slowest
            .slice(0, 3)
            .map(([what, ms]) => `${what} ${ms.toFixed(0)} ms`)
            .join(", ")}`,
        );
      return measure("q", `${name}, p95`, percentile(times, 0.95), "ms", target);
    };
    const now = Math.floor(Date.now() / hour) * hour;
    const period = (length: number, before = 0) => ({
      environmentId,
      from: new Date(now - before - length).toISOString(),
      to: new Date(now - before).toISOString(),
    });
    const each = (ask: (dimension: (typeof dimensions)[number]) => (before: number) => Promise<unknown>) =>
      Object.fromEntries(dimensions.map((dimension) => [dimension, ask(dimension)]));
    const delivery = (length: number, interval: "hour" | "day") =>
      each(
        (dimension) => (before) =>
          deliveryReport(ctx, { ...period(length, before), groupBy: [dimension], interval, limit: 100 }),
      );
    const costs = (length: number) =>
      each(
        (dimension) => (before) =>
          costReport(ctx, { ...period(length, before), groupBy: [dimension], interval: "day" }),
      );
    const oneDay = (before: number) => ({
      environmentId,
      createdFrom: new Date(now - before - day),
      createdTo: new Date(now - before),
    });
    return [
      await time("Delivery: 24 hours by the hour, each dimension", delivery(day, "hour")),
      await time("Delivery: 7 days by the hour, each dimension", delivery(7 * day, "hour")),
      await time("Delivery: 30 days, each dimension", delivery(30 * day, "day")),
      await time(`Delivery: ${String(days)} days, each dimension`, delivery(days * day, "day")),
      await time("Costs: a month, each dimension", costs(31 * day)),
      await time(`Costs: ${String(days)} days, each dimension`, costs(days * day)),
      await time("Costs: 90 days of one country by three dimensions", {
        query: (before) =>
          costReport(ctx, {
            ...period(days * day, before),
            country: "FR",
            groupBy: ["application", "channel", "notificationType"],
            interval: "day",
          }),
      }),
      await time("Overview: 24 hours", {
        query: (before) =>
          Promise.all([
            overviewReport({ ...ctx, now: () => new Date(now - before) }, { period: "24h", environmentId }),
            listProviders(ctx),
          ]),
      }),
      await time("Costs: unusual days and price changes", { query: () => listFindings(ctx) }),
      await time("Deliverability", { query: () => getDeliverability(ctx) }),
      await time("Messages behind a point: a day's failed ones", {
        query: (before) => countMessages(ctx, { ...oneDay(before), statuses: ["failed"] }),
      }),
      await time("Messages behind a point: a day of a country", {
        query: (before) => countMessages(ctx, { ...oneDay(before), country: "FR" }),
      }),
    ];
  } finally {
    await db.close();
  }
}

async function sizes(url: string, run: Run): Promise<Measure[]> {
  const [size] = await query<{ messages: number; counts: number; keys: number }>(
    url,
    `SELECT (SELECT sum(pg_total_relation_size(t::regclass)) FROM unnest('{send_requests,cost_entries}'::text[]) AS t)::float8
         + (SELECT sum(pg_total_relation_size(p.relid)) FROM unnest('{notifications,attempts}'::text[]) AS t
            CROSS JOIN LATERAL pg_partition_tree(t::regclass) AS p)::float8 AS messages,
       (SELECT sum(pg_total_relation_size(t::regclass)) FROM unnest('{rollups,rollup_keys,rollup_reasons,rollup_costs,rollup_packs}'::text[]) AS t)::float8 AS counts,
       (SELECT count(*) FROM rollup_keys WHERE slice = 'all')::int AS keys`,
  );
  if (!size) throw new Error("no sizes");
  const mb = (bytes: number) => `${String(Math.round(bytes / 1e6))} MB`;
  run.say(`messages ${mb(size.messages)}, counts ${mb(size.counts)}: ${String(size.keys)} combinations`);
  return [
    measure("q", "counts, of the size of the messages", (size.counts / size.messages) * 100, "%", {
      at: "most",
      value: 2,
    }),
  ];
}

/** How long after a message was accepted the counts hold it, at 500 messages a second. */
async function lag(web: Web, url: string, world: World, run: Run): Promise<Measure[]> {
  const workers = startWorkers(url, run.folder, { publicUrl: web.baseUrl });
  await send(web.baseUrl, world, sendBody("order", "warm-up", 1));
  await sleep(5_000);
  const total = async () => {
    const [row] = await query<{ total: number }>(
      url,
      "SELECT sum(accepted)::int AS total FROM rollups WHERE grain = 'hour' AND slice = 'base' AND at > now() - interval '2 hours'",
    );
    return row?.total ?? 0;
  };
  const before = await total();
  const accepted: { at: number; total: number }[] = [];
  const pending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let sum = 0;
  const name = randomUUID();
  let number = 0;
  const timer = setInterval(() => {
    const sending = send(
      web.baseUrl,
      world,
      sendBody("order", `${name}-${String(number++)}`, 10, number * 10),
    ).then(
      (ids) => {
        sum += ids.length;
        accepted.push({ at: Date.now(), total: sum });
      },
      (error: unknown) => void failures.push(error),
    );
    pending.add(sending);
    void sending.finally(() => pending.delete(sending));
  }, 20);
  const seconds = run.quick ? 20 : 60;
  const lags: number[] = [];
  const started = Date.now();
  while (Date.now() - started < seconds * 1_000) {
    await sleep(250);
    const at = Date.now();
    const folded = (await total()) - before;
    // The first that is not counted yet.
    const first = accepted.find((entry) => entry.total > folded);
    lags.push(first ? at - first.at : 0);
  }
  clearInterval(timer);
  await Promise.all(pending);
  const rate = sum / ((Date.now() - started) / 1_000);
  for (let waited = 0; (await total()) - before < sum && waited < 60; waited++) await sleep(500);
  await sleep(5_000);
  await workers.stop();
  if (failures.length > 0) throw new Error("messages were not accepted", { cause: failures[0] });
  run.say(`accepted ${rate.toFixed(0)} messages/s`);
  return [
    measure("q", "counts behind the messages at 500/s, p95", percentile(lags, 0.95) / 1_000, "s", {
      at: "most",
      value: 5,
    }),
    measure("q", "counts behind the messages at 500/s, most", Math.max(...lags) / 1_000, "s"),
  ];
}
