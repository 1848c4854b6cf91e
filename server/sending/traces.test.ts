import { Logger as GraphileLogger, runOnce } from "graphile-worker";
import { Writable } from "node:stream";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createDeliverWebhookTask } from "../../worker/tasks/deliver-webhook.ts";
import { twilioSignature } from "../adapters/twilio/twilio-signature.ts";
import { createLogger } from "../kernel/log.ts";
import { spanAttributes } from "../kernel/tracing.ts";
import { serveCallback } from "../rest/serve-callback.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { exportTo, startOtlpStub } from "../testing/otlp-stub.ts";
import type { ReceivedSpan } from "../testing/otlp-stub.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { closeReceivers, endpointAt, loopbackClient, receiver } from "../testing/webhook-world.ts";
import type { Place, World } from "../testing/webhook-world.ts";
import { deliverWebhook } from "../webhooks/tasks.ts";
import type { SendResponse } from "./schemas.ts";

// The configuration is read once, and nothing here has read it yet.
const collector = await startOtlpStub();
exportTo(collector.url);
const { startTracing, stopTracing } = await import("../kernel/start-tracing.ts");
const { inSpan, startSpan } = await import("../kernel/tracing.ts");

const database = await testDatabase();
const provider = await startFakeTwilio();
const world = await makeSendingWorld(database);
const connection = await world.addTwilio(provider.baseUrl);
await world.addRule("production", [[connection.id]]);
const { tenant, tenantId } = world;
const { key } = await tenant.makeKey("production", { rateLimitPerMinute: 100_000 });
const rest = restClient(database.web);
const hook = await receiver();
const shop: Place = {
  unitId: tenant.application.unitId,
  applicationId: tenant.application.id,
  application: tenant.application.name,
  environmentId: tenant.environments.production,
};
await endpointAt({ owner: tenant.as("owner"), tenantId } as World, shop, hook.url);

afterAll(async () => {
  await stopTracing();
  await closeReceivers();
  await provider.close();
  await collector.close();
});

const send = (fields: Parameters<typeof sendBody>[0] = {}, headers: Record<string, string> = {}) =>
  rest.post<SendResponse>("/api/app/notifications/send", { key, json: sendBody(fields), headers });

async function deliverWebhooks(): Promise<void> {
  const task = createDeliverWebhookTask({ db: database.worker, outbound: loopbackClient() });
  await runOnce({
    pgPool: database.worker.pool,
    noHandleSignals: true,
    logger: new GraphileLogger(() => () => undefined),
    taskList: { [deliverWebhook.name]: task },
    concurrency: 8,
  });
  await task.settled();
}

/** The provider tells that everything it has got was delivered. */
async function postReceipts(): Promise<void> {
  for (const message of provider.messages.splice(0)) {
    const url = message.statusCallback ?? "";
    const form = new URLSearchParams({ MessageSid: message.sid, MessageStatus: "delivered", To: message.to });
    const request = new Request(url, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": twilioSignature(connection.authToken, url, form),
      },
      body: form.toString(),
    });
    const { status } = await serveCallback(request, connection.id, { db: () => database.web });
    expect(status).toBeLessThan(300);
  }
}

/** A message's whole life: request, job, provider, receipt, webhooks. */
async function live(count: number, headers?: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const answer = await send({}, headers);
    expect(answer.status).toBe(202);
    ids.push(answer.body.notifications[0]!.notificationId);
  }
  await world.runJobs();
  await postReceipts();
  await deliverWebhooks();
  return ids;
}

const nameOf = ({ name }: ReceivedSpan) => name;

/** The spans of a message's trace, once they have been exported. */
async function traceOf(notificationId: string, names: readonly string[]): Promise<ReceivedSpan[]> {
  return vi.waitFor(
    () => {
      const one = collector.spans.find(
        ({ attributes }) => attributes["tidings.notification.id"] === notificationId,
      );
      const spans = collector.spans.filter(({ traceId }) => traceId === one?.traceId);
      expect(new Set(spans.map(nameOf))).toEqual(new Set(names));
      return spans;
    },
    { timeout: 5_000, interval: 50 },
  );
}

const whole = [
  "POST /api/app/notifications/send",
  "accept notifications",
  "process deliver_transactional",
  "send twilio",
  "receipt twilio",
  "webhook notification.queued",
  "webhook notification.sending",
  "webhook notification.sent",
  "webhook notification.delivered",
];

describe("tracing", () => {
  it("is off without a collector: requests keep no trace and webhooks carry none", async () => {
    await live(1, { traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` });
    const { rows } = await database.owner.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM send_requests WHERE trace_context IS NOT NULL",
    );
    expect(rows[0]?.n).toBe(0);
    expect(hook.received.length).toBeGreaterThan(0);
    expect(hook.received.filter(({ headers }) => headers.traceparent !== undefined)).toEqual([]);
    expect(collector.bodies).toEqual([]);
  });

  it("puts request, job, provider call, receipt and webhooks of each message into one trace", async () => {
    await startTracing("tidings-test");
    hook.received.splice(0);
    const ids = await live(40);
    const traces = new Set<string>();
    for (const id of ids) {
      const spans = await traceOf(id, whole);
      traces.add(spans[0]!.traceId);
      // Each span hangs below another of the trace; only the request begins it.
      const known = new Set(spans.map(({ spanId }) => spanId));
      expect(spans.filter(({ parentSpanId }) => !known.has(parentSpanId)).map(nameOf)).toEqual([whole[0]]);
    }
    expect(traces.size).toBe(40);
    expect(hook.received.length).toBeGreaterThanOrEqual(120);
    for (const { headers } of hook.received) {
      const [, traceId = "", spanId] = String(headers.traceparent).split("-");
      expect(traces).toContain(traceId);
      expect(collector.spans.find((span) => span.spanId === spanId)?.name).toMatch(/^webhook /);
    }
    // What the portal shows as the headers of an attempt has it too.
    await vi.waitFor(async () => {
      const kept = await database.owner.query<{ traceparent: string }>(
        "SELECT traceparent FROM webhook_attempts WHERE traceparent IS NOT NULL",
      );
      const sent = hook.received.map(({ headers }) => String(headers.traceparent));
      expect(kept.rows.map(({ traceparent }) => traceparent).sort()).toEqual(sent.sort());
    });
  });

  it("goes on with the trace of a caller, whether it is recorded or not, and takes an invalid one for none", async () => {
    hook.received.splice(0);
    const [id = ""] = await live(1, { traceparent: `00-${"1a".repeat(16)}-${"2b".repeat(8)}-01` });
    const spans = await traceOf(id, whole);
    expect(spans[0]?.traceId).toBe("1a".repeat(16));
    expect(spans.find(({ name }) => name === whole[0])?.parentSpanId).toBe("2b".repeat(8));

    hook.received.splice(0);
    await live(1, { traceparent: `00-${"3c".repeat(16)}-${"4d".repeat(8)}-00` });
    expect(new Set(hook.received.map(({ headers }) => String(headers.traceparent).slice(0, 36)))).toEqual(
      new Set([`00-${"3c".repeat(16)}-`]),
    );
    expect(hook.received.every(({ headers }) => String(headers.traceparent).endsWith("-00"))).toBe(true);

    const [other = ""] = await live(1, { traceparent: `00-${"0".repeat(32)}-${"4d".repeat(8)}-01` });
    await traceOf(other, whole);
    expect(collector.spans.filter(({ traceId }) => traceId === "3c".repeat(16))).toEqual([]);
  });

  it("exports no address, text, variable, name or secret, and no attribute that is not in the list", async () => {
    const marks = [
      "+4915199887766",
      "MARKEDVARIABLE",
      "MARKEDMETADATA",
      "MARKEDTRANSACTION",
      "marked@leak.example",
    ];
    const answer = await send({
      transactionId: marks[3]!,
      recipients: [
        { channel: "sms", recipient: marks[0]!, variables: { code: marks[1]! } },
        { channel: "email", recipient: marks[4]! },
        { channel: "sms", recipient: "MARKEDINVALID" },
      ],
      metadata: { order: marks[2]! },
    });
    expect(answer.status).toBe(202);
    await world.runJobs();
    await postReceipts();
    await deliverWebhooks();
    await traceOf(answer.body.notifications[0]!.notificationId, [
      ...whole,
      "webhook notification.rejected",
      "webhook notification.failed",
    ]);
    const all = Buffer.concat(collector.bodies);
    expect(all.length).toBeGreaterThan(10_000);
    const secrets = [
      key,
      connection.authToken,
      connection.accountSid,
      hook.url,
      provider.baseUrl,
      "on its way",
    ];
    for (const text of [...marks, ...secrets, "MARKEDINVALID", "15199887766"]) {
      expect(all.includes(Buffer.from(text)), text).toBe(false);
    }
    const used = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...used].filter((name) => !(spanAttributes as readonly string[]).includes(name))).toEqual([]);
  });

  it("tells lines of the log which trace they belong to, and says nothing to those outside", async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLogger(
      "info",
      new Writable({
        write: (line: Buffer, _encoding, done) => {
          lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
          done();
        },
      }),
    );
    const span = startSpan({ name: "test", kind: "internal", parent: null });
    await inSpan(span, async () => log.child({ part: "test" }).info({ a: 1 }, "inside"));
    log.info("outside");
    expect(lines[0]).toMatchObject({ trace_id: span?.context.traceId, span_id: span?.context.spanId, a: 1 });
    expect(lines[1]).not.toHaveProperty("trace_id");
  });
});
