import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newId } from "../../server/kernel/ids.ts";
import { startOtlpStub } from "../../server/testing/otlp-stub.ts";
import type { OtlpStub } from "../../server/testing/otlp-stub.ts";
import { newSigningSecret, sealSigningSecret } from "../../server/webhooks/signing-secret.ts";
import { buildProduct } from "../lib/build.ts";
import { cpuOfTree, waitFor } from "../lib/children.ts";
import { query } from "../lib/cluster.ts";
import { startEmulator, startWeb, startWorkers } from "../lib/product.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld, sendBody } from "../lib/world.ts";
import type { World } from "../lib/world.ts";

const modes = { off: null, tenth: "0.1", all: "1" } as const;
type Mode = keyof typeof modes;

const inFlight = 16;
const warmUp = 300;
const spansOfAMessage = [
  "POST /api/app/notifications/send",
  "accept notifications",
  "process deliver_transactional",
  "send twilio",
  "receipt twilio",
  "webhook notification.sent",
  "webhook notification.delivered",
];

/**
 * (s) What tracing costs: processor time of web and workers for each message, from the request to the last webhook, without it,
 * with a tenth and with all traces, in turns; and whether all spans of each message are in one trace.
 */
export async function tracing(run: Run): Promise<Measure[]> {
  await buildProduct();
  const count = run.quick ? 1_000 : 3_000;
  const rounds = run.quick ? 3 : 5;
  const cpu: Record<Mode, number[]> = { off: [], tenth: [], all: [] };
  let whole = 0;
  for (let round = 0; round < rounds; round++) {
    // In another order each time, so that what changes on the machine meanwhile affects all.
    const all = Object.keys(modes) as Mode[];
    const order = [...all.slice(round % all.length), ...all.slice(0, round % all.length)];
    for (const mode of order) {
      const result = await measureOnce(run, `s_${mode}_${round}`, mode, count);
      cpu[mode].push(result.cpuMs);
      if (mode === "all" && round === 0) whole = result.whole;
      run.say(
        `${mode}: ${result.cpuMs.toFixed(3)} ms CPU a message, ${Math.round(result.perSecond)} messages/s, ${result.spans} spans`,
      );
    }
  }
  const middle = (values: number[]) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  const ratio = (mode: Mode) => middle(cpu[mode].map((value, round) => value / (cpu.off[round] ?? NaN)));
  return [
    measure("s", "CPU a message without tracing", middle(cpu.off), "ms"),
    measure("s", "a tenth traced, ratio to without", ratio("tenth"), "", { at: "most", value: 1.03 }),
    measure("s", "all traced, ratio to without", ratio("all"), "", { at: "most", value: 1.03 }),
    measure("s", `messages of ${count} in one trace each`, whole, "", { at: "least", value: count }),
  ];
}

async function measureOnce(run: Run, name: string, mode: Mode, count: number) {
  const url = await run.cluster.createProduct(`product_${name}`);
  const collector = await startOtlpStub();
  const hook = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(204).end());
  });
  hook.listen(0, "127.0.0.1");
  await once(hook, "listening");
  const emulator = await startEmulator(run.folder, {
    name: `provider-${name}`,
    latencyMs: 20,
    logFile: path.join(run.folder, `${name}.ndjson`),
    callbacks: ["sent", "delivered"],
  });
  const world = await createWorld(url, { providerUrl: emulator.baseUrl });
  await addEndpoint(url, world, `http://127.0.0.1:${String((hook.address() as AddressInfo).port)}/`);
  setTracing(mode, collector);
  const web = await startWeb(url, run.folder);
  const workers = startWorkers(url, run.folder, { publicUrl: web.baseUrl });
  try {
    await sendAll(web.baseUrl, world, "warm", warmUp);
    await drained(url, warmUp);
    const cpuSeconds = () =>
      cpuOfTree(web.child.process.pid ?? 0) +
      workers.parts.reduce((sum, part) => sum + cpuOfTree(part.process.pid ?? 0), 0);
    const before = cpuSeconds();
    const from = performance.now();
    const ids = await sendAll(web.baseUrl, world, "load", count);
    await drained(url, warmUp + count);
    const seconds = (performance.now() - from) / 1_000;
    // The last batches are exported at the latest after a second.
    await pause(1_500);
    const cpuMs = ((cpuSeconds() - before) * 1_000) / count;
    return {
      cpuMs,
      perSecond: count / seconds,
      spans: collector.spans.length,
      whole: inOneTrace(ids, collector),
    };
  } finally {
    setTracing("off", collector);
    await web.child.stop();
    await workers.stop();
    await emulator.child.stop();
    hook.close();
    hook.closeAllConnections();
    await collector.close();
  }
}

/** For the processes that start from now on. */
function setTracing(mode: Mode, collector: OtlpStub): void {
  const share = modes[mode];
  // Empty: not set.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = share === null ? "" : collector.url;
  process.env.OTEL_TRACES_SAMPLER = share === null ? "" : "parentbased_traceidratio";
  process.env.OTEL_TRACES_SAMPLER_ARG = share ?? "";
}

async function addEndpoint(url: string, world: World, to: string): Promise<void> {
  const [tenant] = await query<{ data_key: Buffer }>(url, "SELECT data_key FROM tenants WHERE id = $1", [
    world.tenantId,
  ]);
  if (!tenant) throw new Error("the tenant is missing");
  const id = newId();
  await query(
    url,
    `INSERT INTO webhook_endpoints (tenant_id, id, application_id, environment_id, url, events, secret, retry_schedule, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, '{}', now())`,
    [
      world.tenantId,
      id,
      world.applicationIds[0],
      world.environmentId,
      to,
      ["notification.sent", "notification.delivered"],
      sealSigningSecret(world.tenantId, tenant.data_key, id, newSigningSecret()),
    ],
  );
}

/** Returns the ids of the messages. */
async function sendAll(baseUrl: string, world: World, name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      const answer = await fetch(`${baseUrl}/api/app/notifications/send`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${world.apiKey}` },
        body: sendBody("order", `${name}-${number}`, 1, number),
      });
      const body = (await answer.json()) as { notifications: { notificationId: string }[] };
      if (answer.status !== 202) throw new Error(`a request was answered ${answer.status}`);
      ids.push(body.notifications[0]?.notificationId ?? "");
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return ids;
}

async function drained(url: string, count: number): Promise<void> {
  await waitFor(
    null,
    "everything is delivered, and every webhook told",
    async () => {
      const [row] = await query<{ done: boolean }>(
        url,
        `SELECT (SELECT count(*) FROM notifications WHERE status = 'delivered') = $1
           AND (SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered') = 2 * $1 AS done`,
        [count],
      );
      return row?.done === true ? true : undefined;
    },
    120,
    250,
  );
}

/** How many of the messages have all their spans in one trace, which no other message shares. */
function inOneTrace(ids: readonly string[], collector: OtlpStub): number {
  const namesOf = new Map<string, Set<string>>();
  const messagesOf = new Map<string, Set<string>>();
  const tracesOf = new Map<string, Set<string>>();
  const add = (to: Map<string, Set<string>>, key: string, value: string) => {
    const known = to.get(key);
    if (known) known.add(value);
    else to.set(key, new Set([value]));
  };
  for (const { traceId, name, attributes } of collector.spans) {
    add(namesOf, traceId, name);
    const message = attributes["tidings.notification.id"];
    if (typeof message !== "string") continue;
    add(messagesOf, traceId, message);
    add(tracesOf, message, traceId);
  }
  return ids.filter((id) => {
    const [trace, ...others] = tracesOf.get(id) ?? [];
    return (
      trace !== undefined &&
      others.length === 0 &&
      messagesOf.get(trace)?.size === 1 &&
      spansOfAMessage.every((name) => namesOf.get(trace)?.has(name))
    );
  }).length;
}
