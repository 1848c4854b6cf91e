/** A tenant with two units, two environments and real receivers, for the guarantees of outgoing webhooks. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import type { Scope } from "../operations/authorize.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { createWebhookDeliverer } from "../webhooks/deliver-webhook.ts";
import { webhookCreateSchema } from "../webhooks/schemas.ts";
import type { WebhookWithSecret } from "../webhooks/schemas.ts";
import { makeTenant } from "./factories.ts";
import type { TestDbs, TestTenant } from "./factories.ts";

// The receivers of these tests are on loopback; read before anything asks for it.
process.env.OUTBOUND_ALLOW ??= "127.0.0.0/8";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Sockets that were opened to it, ever. */
  connections: number;
}

const cleanUps: (() => unknown)[] = [];

/** Ends what the tests of a file opened; for afterEach or afterAll. */
export async function closeReceivers(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}

type Answer = (response: ServerResponse, request: Received, count: number) => void;

/** A real HTTP server on loopback that keeps what it was sent. */
export async function receiver(
  answer: Answer = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const self: Receiver = { url: "", received, connections: 0 };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const entry = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(entry);
      answer(response, entry, received.length);
    });
  };
  const server = createServer(listener);
  server.on("connection", (socket: Socket) => {
    self.connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  self.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`;
  return self;
}

/** As the Standard Webhooks library verifies it; throws when it does not. */
export function verifyHeaders(secret: string, { body, headers }: Received): void {
  new Webhook(secret).verify(body, headers as Record<string, string>);
}

/** As a receiver verifies the body's own signature that knows nothing but the documentation. */
export function verifyBody(secret: string, body: string): void {
  const end = /,"signature":"sha256=([0-9a-f]{64})"\}$/.exec(body);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${body.slice(0, end?.index)}}`;
  expect(createHmac("sha256", key).update(signed).digest("hex")).toBe(end?.[1]);
}

export function parseEvent({ body }: Received) {
  return JSON.parse(body) as { event: string; timestamp: string; data: Record<string, unknown> };
}

/** A client that may dial loopback, closed with the receivers. */
export function loopbackClient(
  options: Partial<Parameters<typeof createOutboundClient>[0]> = {},
): OutboundClient {
  const client = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "Tidings/test", ...options });
  // Closed last: it waits for its calls, which end with the receivers.
  cleanUps.unshift(() => client.close());
  return client;
}

export interface Place {
  unitId: string;
  applicationId: string;
  application: string;
  environmentId: string;
}

export interface World {
  tenant: TestTenant;
  tenantId: string;
  /** Application "shop" in production and in the sandbox, and "desk" of another unit in production. */
  shop: Place;
  shopSandbox: Place;
  desk: Place;
  /** A person who may do everything in the tenant. */
  owner: Ctx;
}

export async function createWorld(dbs: TestDbs): Promise<World> {
  const tenant = await makeTenant(dbs);
  const { environments } = tenant;
  const place = (application: TestTenant["application"], environmentId: string): Place => ({
    unitId: application.unitId,
    applicationId: application.id,
    application: application.name,
    environmentId,
  });
  return {
    tenant,
    tenantId: tenant.tenantId,
    shop: place(tenant.application, environments.production),
    shopSandbox: place(tenant.application, environments.sandbox),
    desk: place(tenant.otherApplication, environments.production),
    owner: tenant.as("owner"),
  };
}

/** Who holds `permissions` in a part of a tenant, as an API key does. */
export function keyCtx(world: World, permissions: readonly string[], scope: Partial<Scope> = {}): Ctx {
  return {
    ...world.owner,
    actor: { type: "apiKey", id: newId(), name: "test key" },
    grants: [
      {
        permissions: new Set(permissions),
        unitId: scope.unitId ?? null,
        applicationId: scope.applicationId ?? null,
        environmentId: scope.environmentId ?? null,
      },
    ],
  };
}

/** Registers an endpoint as the tenant's owner. */
export function endpointAt(
  world: World,
  place: Place,
  url: string,
  more: { events?: string[]; retrySchedule?: number[] } = {},
): Promise<WebhookWithSecret> {
  const input = webhookCreateSchema.parse({ url, application: place.application, ...more });
  return createWebhookEndpoint(world.owner, { ...input, environmentId: place.environmentId });
}

/** Accepts a message as the send API does; its webhooks are owed from then on. Answers its id. */
export async function acceptMessage(
  db: Db,
  world: World,
  place: Place,
  metadata: Record<string, string> = {},
): Promise<string> {
  const id = newId();
  await db.pool.query("SELECT accept_sends($1, $2)", [
    world.tenantId,
    JSON.stringify([
      {
        id: newId(),
        environmentId: place.environmentId,
        applicationId: place.applicationId,
        unitId: place.unitId,
        sandbox: place.environmentId === world.shopSandbox.environmentId,
        source: "send",
        actorType: "apiKey",
        transactionId: `tx-${id}`,
        region: "DE",
        language: "en",
        type: "order",
        subtype: "shipped",
        class: "transactional",
        variables: {},
        metadata,
        expiresAt: new Date(Date.now() + 3_600_000),
        task: "deliver_notification",
        messages: [{ id, position: 0, channel: "email", recipient: "ada@example.com", policy: "exempt" }],
      },
    ]),
  ]);
  return id;
}

/** Moves a message on, as the worker does. */
export async function advanceMessage(
  db: Db,
  world: World,
  id: string,
  change: Record<string, unknown>,
): Promise<void> {
  await db.pool.query("SELECT advance_notifications(NULL, $1)", [
    JSON.stringify([{ tenantId: world.tenantId, id, ...change }]),
  ]);
}

export interface DeliveryState {
  id: string;
  event: string;
  state: string;
  attempts: number;
  next_attempt_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  sequence: number | null;
}

/** Deliveries of an endpoint, oldest first. */
export async function deliveriesOf(owner: Db["pool"], endpointId: string): Promise<DeliveryState[]> {
  const result = await owner.query<DeliveryState>(
    `SELECT id, event, state, attempts, next_attempt_at, last_status, last_error, sequence
     FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY at, sequence, id`,
    [endpointId],
  );
  return result.rows;
}

export interface QueuedJob {
  id: string;
  deliveryId: string;
  runAt: Date;
}

/** Jobs of deliveries that are waiting in the queue. */
export async function queuedJobs(owner: Db["pool"], tenantId: string): Promise<QueuedJob[]> {
  const result = await owner.query<QueuedJob>(
    `SELECT j.id, j.payload->>'deliveryId' AS "deliveryId", j.run_at AS "runAt"
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'deliver_webhook' AND j.payload->>'tenantId' = $1 ORDER BY j.run_at, j.id`,
    [tenantId],
  );
  return result.rows;
}

export interface Clock {
  now: Date;
  advance(ms: number): void;
}

/** A worker of one tenant's webhooks whose time stands still unless it is moved. */
export function webhookWorker(
  owner: Db["pool"],
  db: Db,
  world: World,
  deps: { outbound?: OutboundClient; random?: () => number; detachAfterMs?: number } = {},
) {
  const clock: Clock = {
    now: new Date(),
    advance: (ms) => {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  const deliverer = createWebhookDeliverer({
    db,
    outbound: deps.outbound ?? loopbackClient(),
    now: () => clock.now,
    random: deps.random ?? (() => 0.5),
    detachAfterMs: deps.detachAfterMs ?? 60_000,
  });
  const deliver = (deliveryId: string) => deliverer.deliver({ tenantId: world.tenantId, deliveryId });
  const runDue = async (): Promise<number> => {
    if (clock.now.getTime() < Date.now()) clock.now = new Date();
    const due = (await queuedJobs(owner, world.tenantId)).filter((job) => job.runAt <= clock.now);
    await owner.query("DELETE FROM graphile_worker._private_jobs WHERE id = ANY ($1::bigint[])", [
      due.map((job) => job.id),
    ]);
    await Promise.all(due.map((job) => deliver(job.deliveryId)));
    return due.length;
  };
  return {
    clock,
    deliver,
    settled: () => deliverer.settled(),
    /** Takes the jobs that are due by the clock out of the queue and carries them out; answers how many. */
    runDue,
    /** The same, again and again, for those too that an endpoint could not take and that come back shortly. */
    drain: async (): Promise<void> => {
      for (;;) {
        if ((await runDue()) > 0) continue;
        const [next] = await queuedJobs(owner, world.tenantId);
        if (!next || next.runAt.getTime() > clock.now.getTime() + 1_000) return;
        clock.now = next.runAt;
      }
    },
  };
}
