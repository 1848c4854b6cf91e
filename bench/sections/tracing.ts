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
 * with a tenth and with all traces; and whether all spans of each message are in one trace. Three installations run side by side
 * and get messages in turns, so that whatever else the machine does affects all alike.
 */
export async function tracing(run: Run): Promise<Measure[]> {
  await buildProduct();
  const blocks = run.quick ? 6 : 20;
  const block = 300;
  const stacks: Stack[] = [];
  try {
    for (const mode of Object.keys(modes) as Mode[]) stacks.push(await startStack(run, mode));
    for (const stack of stacks) await stack.carry(warmUp);
    const cpu = new Map(stacks.map(({ mode }) => [mode, [] as number[]]));
    for (let number = 0; number < blocks; number++) {
      const before = stacks.map((stack) => stack.cpuSeconds());
      // In another order each time; each does its share of everything else meanwhile, and exports.
      for (let turn = 0; turn < stacks.length; turn++)
        await stacks[(turn + number) % stacks.length]?.carry(block);
      await pause(1_500);
      stacks.forEach((stack, at) => {
        cpu.get(stack.mode)?.push(((stack.cpuSeconds() - (before[at] ?? NaN)) * 1_000) / block);
      });
    }
    for (const { mode } of stacks)
      run.say(
        `${mode}: ${(cpu.get(mode) ?? []).map((value) => value.toFixed(2)).join(" ")} ms CPU a message`,
      );
    const off = cpu.get("off") ?? [];
    const ratio = (mode: Mode) => middle((cpu.get(mode) ?? []).map((value, at) => value / (off[at] ?? NaN)));
    const traced = stacks.find(({ mode }) => mode === "all");
    const whole = traced ? inOneTrace(traced.ids, traced.collector) : NaN;
    return [
      measure("s", "CPU a message without tracing", middle(off), "ms"),
      measure("s", "a tenth traced, ratio to without", ratio("tenth"), "", { at: "most", value: 1.03 }),
      measure("s", "all traced, ratio to without", ratio("all"), "", { at: "most", value: 1.03 }),
      measure("s", `messages of ${traced?.ids.length} in one trace each`, whole, "", {
        at: "least",
        value: traced?.ids.length ?? NaN,
      }),
    ];
  } finally {
    for (const stack of stacks) await stack.stop();
  }
}

const middle = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** An installation with a provider, a webhook endpoint and a collector of its own. */
interface Stack {
  mode: Mode;
  collector: OtlpStub;
  /** Of all messages so far. */
  ids: string[];
  /** Of web and workers. */
  cpuSeconds(): number;
  /** Sends so many messages, and waits until they are delivered and their webhooks have been called. */
  carry(count: number): Promise<void>;
  stop(): Promise<void>;
}

async function startStack(run: Run, mode: Mode): Promise<Stack> {
  const url = await run.cluster.createProduct(`product_s_${mode}`);
  const collector = await startOtlpStub();
  const hook = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(204).end());
  });
  hook.listen(0, "127.0.0.1");
  await once(hook, "listening");
  const emulator = await startEmulator(run.folder, {
    name: `provider-s-${mode}`,
    latencyMs: 20,
    logFile: path.join(run.folder, `s-${mode}.ndjson`),
    callbacks: ["sent", "delivered"],
  });
  const world = await createWorld(url, { providerUrl: emulator.baseUrl });
  await addEndpoint(url, world, `http://127.0.0.1:${String((hook.address() as AddressInfo).port)}/`);
  setTracing(mode, collector);
  const web = await startWeb(url, run.folder);
  const workers = startWorkers(url, run.folder, { publicUrl: web.baseUrl });
  setTracing("off", collector);
  const ids: string[] = [];
  return {
    mode,
    collector,
    ids,
    cpuSeconds: () =>
      cpuOfTree(web.child.process.pid ?? 0) +
      workers.parts.reduce((sum, part) => sum + cpuOfTree(part.process.pid ?? 0), 0),
    carry: async (count) => {
      ids.push(...(await sendAll(web.baseUrl, world, ids.length, count)));
      await drained(url, ids.length);
    },
    stop: async () => {
      await web.child.stop();
      await workers.stop();
      await emulator.child.stop();
      hook.close();
      hook.closeAllConnections();
      await collector.close();
    },
  };
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
async function sendAll(baseUrl: string, world: World, first: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = first;
  const work = async () => {
    while (next < first + count) {
      const number = next++;
      const answer = await fetch(`${baseUrl}/api/app/notifications/send`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${world.apiKey}` },
        body: sendBody("order", `bench-${number}`, 1, number),
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
