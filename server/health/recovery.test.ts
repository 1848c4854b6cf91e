import { describe, expect, it, vi } from "vitest";
import { closeAdapters } from "../adapters/adapters.ts";
import { forgetHealth, tenantHealth } from "../connections/connection-state.ts";
import { logger } from "../kernel/log.ts";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient, OutboundRequest } from "../kernel/outbound-http.ts";
import { ConnectionLimiter } from "../sending/connection-limiter.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeSmsc } from "../testing/fake-smsc.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendFields, SendingWorld } from "../testing/sending-world.ts";
import { HealthMonitor } from "./health-monitor.ts";

const database = await testDatabase();

async function healthOf(world: SendingWorld, id: string) {
  forgetHealth(world.tenantId);
  return (await tenantHealth(world.tenant.worker)).get(id);
}
const breakerOf = async (world: SendingWorld, id: string) => (await healthOf(world, id))?.breaker ?? "closed";

/** Lets seconds pass, with everything that a worker does in each, until `done`; returns how many. */
async function secondsUntil(world: SendingWorld, done: () => Promise<boolean>, most = 60): Promise<number> {
  for (let seconds = 0; ; seconds++) {
    if (seconds >= most || (await done())) return seconds;
    await world.passTime(1_000);
    await world.health.tick();
    await world.waiting.tick();
    await world.runJobs();
    await world.health.settled();
  }
}

const base = "https://127.0.0.1:9";
const answer = (status: number, value: unknown = {}, headers: Record<string, string> = {}) => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(JSON.stringify(value)),
  truncated: false,
});
const reset = () => new OutboundError("response", "reset", "The connection was reset", true);
const jwt = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;

interface Provider {
  name: string;
  adapter: "microsoft365" | "ses" | "http" | "vonage";
  channel: "email" | "sms";
  credentials: Record<string, unknown>;
  settings: Record<string, unknown>;
  request: (request: OutboundRequest) => ReturnType<typeof answer>;
}

/** Providers whose test fails for reasons that do not affect sending: how they answer when they are up. */
const providers: Provider[] = [
  {
    name: "Microsoft 365 with a token that names no roles",
    adapter: "microsoft365",
    channel: "email",
    credentials: { clientSecret: "c1ient-s3cret" },
    settings: {
      tenantId: "contoso.example",
      clientId: "0198c7a0-0000-7000-8000-000000000001",
      baseUrl: base,
    },
    request: ({ url }: OutboundRequest) =>
      url.includes("/oauth2/")
        ? answer(200, { access_token: jwt({ aud: "graph" }), expires_in: 1 })
        : answer(202),
  },
  {
    name: "Amazon SES without ses:GetAccount",
    adapter: "ses",
    channel: "email",
    credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "s3cret" },
    settings: { region: "eu-central-1", baseUrl: base },
    request: ({ method }: OutboundRequest) =>
      method === "GET"
        ? answer(403, { message: "not allowed" }, { "x-amzn-errortype": "AccessDeniedException" })
        : answer(200, { MessageId: "0100-1" }),
  },
  {
    name: "an HTTP interface that hangs up on HEAD /",
    adapter: "http",
    channel: "sms",
    credentials: {},
    settings: {
      url: `${base}/send`,
      body: "{}",
      idPath: "$.id",
      successStatuses: "200",
    },
    request: ({ method }: OutboundRequest) => {
      if (method === "HEAD") throw reset();
      return answer(200, { id: "1" });
    },
  },
  {
    name: "an HTTP interface with receipts and no secret for them, as could once be stored",
    adapter: "http",
    channel: "sms",
    credentials: {},
    settings: {
      url: `${base}/send`,
      body: "{}",
      idPath: "$.id",
      successStatuses: "200",
      receiptStatusPath: "$.status",
      receiptStatuses: "ok = delivered",
    },
    request: () => answer(200, { id: "1" }),
  },
  {
    name: "an HTTP interface whose example needs a secret that messages do not, as could once be stored",
    adapter: "http",
    channel: "sms",
    credentials: {},
    settings: {
      url: `${base}/send`,
      // Not of the message below: its recipient is another one than the example's.
      headers: 'X-Key: {% if to == "+4915112345678" %}{{ secrets.gone }}{% else %}1{% endif %}',
      body: "{}",
    },
    request: () => answer(200, { id: "1" }),
  },
  {
    name: "Amazon SES behind a proxy that lets nothing but messages through",
    adapter: "ses",
    channel: "email",
    credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "s3cret" },
    settings: { region: "eu-central-1", baseUrl: base },
    request: ({ method }: OutboundRequest) =>
      method === "GET" ? answer(502) : answer(200, { MessageId: "0100-1" }),
  },
];

/** A world whose only connection goes to such a provider, which can be down. */
async function worldOf(provider: Provider) {
  let away = false;
  const calls = { messages: 0 };
  const http: OutboundClient = {
    request: async (request) => {
      if (away) throw new OutboundError("connect", "refused", "The host refuses connections", false);
      const answered = provider.request(request);
      if (request.method === "POST" && !request.url.includes("/oauth2/")) calls.messages++;
      return answered;
    },
    stream: () => Promise.reject(new Error("not used")),
    dial: () => Promise.reject(new Error("not used")),
    authorities: undefined,
    close: () => Promise.resolve(),
  };
  const health = new HealthMonitor({ db: database.worker, http, log: logger(), random: () => 0.5 });
  const world = await makeSendingWorld(database, { deps: { http, health } });
  const id = await world.addConnection({
    adapter: provider.adapter,
    credentials: provider.credentials,
    settings: provider.settings,
    channels: [provider.channel],
    senders: [
      provider.channel === "sms"
        ? { channel: "sms", sender: "+4930123456" }
        : { channel: "email", sender: "shop@tidings.example" },
    ],
  });
  await world.addRule("production", [[id]], { channel: provider.channel });
  const recipient = (index: number) =>
    provider.channel === "sms" ? `+49151123456${String(10 + index)}` : `a${String(index)}@example.com`;
  return {
    ...world,
    id,
    calls,
    setAway: (is: boolean) => (away = is),
    sendSome: async (count: number) => {
      const accepted = await world.send({
        recipients: Array.from({ length: count }, (_, index) => ({
          channel: provider.channel,
          recipient: recipient(index),
        })),
      });
      return Array.from({ length: count }, (_, index) => messageId(accepted, index));
    },
  };
}

describe("after an outage of a few seconds a connection works again by itself, even if its test never passes", () => {
  it.each(providers.map((provider) => [provider.name, provider] as const))("%s", async (_name, provider) => {
    const world = await worldOf(provider);
    world.setAway(true);
    const early = await world.sendSome(6);
    await world.runJobs();
    await world.health.settled();
    expect(await breakerOf(world, world.id)).toBe("open");
    const late = await world.sendSome(6);
    await world.runJobs();
    await secondsUntil(world, () => Promise.resolve(false), 3);
    world.setAway(false);
    const works = async () => (await breakerOf(world, world.id)) === "closed";
    const sent = async () => {
      for (const id of [...early, ...late]) if ((await world.notification(id)).sent_at === null) return false;
      return true;
    };
    expect(await secondsUntil(world, works)).toBeLessThanOrEqual(15);
    expect(await secondsUntil(world, sent)).toBeLessThanOrEqual(5);
  });

  it("and without any message, where the test fails for a reason of its own configuration", async () => {
    const privateKey = "-----BEGIN PRIVATE KEY-----\nnot a key any more\n-----END PRIVATE KEY-----";
    const world = await worldOf({
      name: "Vonage with a key that cannot be read",
      adapter: "vonage",
      channel: "sms",
      credentials: {
        applicationId: "0198c7a0-0000-7000-8000-000000000001",
        privateKey,
        signatureSecret: "s3cret-of-signatures",
      },
      settings: { baseUrl: base },
      request: () => answer(202, { message_uuid: "1" }),
    });
    await database.owner.query(
      `INSERT INTO connection_health (tenant_id, connection_id, breaker, since, reason_code, reason_detail, next_probe_at, updated_at)
       VALUES ($1, $2, 'open', now(), 'provider_unavailable', 'gone', now(), now())`,
      [world.tenantId, world.id],
    );
    const works = async () => (await breakerOf(world, world.id)) === "closed";
    expect(await secondsUntil(world, works)).toBeLessThanOrEqual(30);
  });

  it("and one whose test passes less often than its messages is not opened by its test", async () => {
    const [provider] = providers;
    if (!provider) throw new Error("no provider");
    const world = await worldOf(provider);
    world.setAway(true);
    await world.sendSome(1);
    await world.runJobs();
    world.setAway(false);
    await secondsUntil(world, () => Promise.resolve(false), 30);
    expect(await breakerOf(world, world.id)).toBe("closed");
  });

  it("and one that refuses what its test asks for is not opened by its test", async () => {
    const [, provider] = providers;
    if (!provider) throw new Error("no provider");
    const request = ({ method }: OutboundRequest) =>
      method === "GET" ? answer(404) : answer(200, { MessageId: "0100-1" });
    const world = await worldOf({ ...provider, request });
    world.setAway(true);
    await world.sendSome(1);
    await world.runJobs();
    world.setAway(false);
    await secondsUntil(world, () => Promise.resolve(false), 30);
    expect(await healthOf(world, world.id)).toBeUndefined();
  });

  it("but one that refuses every message gets one at a time, seconds apart, and its incidents are bounded", async () => {
    const [provider] = providers.slice(1);
    if (!provider) throw new Error("no provider");
    const request = ({ method }: OutboundRequest) => answer(method === "GET" ? 503 : 500);
    const world = await worldOf({ ...provider, request });
    world.setAway(true);
    await world.sendSome(40);
    await world.runJobs();
    await world.health.settled();
    expect(await breakerOf(world, world.id)).toBe("open");
    world.setAway(false);
    await secondsUntil(world, () => Promise.resolve(false), 60);
    expect(world.calls.messages).toBeGreaterThan(0);
    expect(world.calls.messages).toBeLessThanOrEqual(5);
    const incidents = await database.owner.query(
      "SELECT FROM connection_incidents WHERE tenant_id = $1 AND connection_id = $2",
      [world.tenantId, world.id],
    );
    expect(incidents.rowCount).toBeLessThanOrEqual(5);
  });
});

describe("without another connection", () => {
  it("recurring faults do not make the pauses longer than ten seconds", async () => {
    const provider = providers[1];
    if (!provider) throw new Error("no provider");
    const world = await worldOf(provider);
    for (let fault = 0; fault < 6; fault++) {
      world.setAway(true);
      await world.sendSome(6);
      await world.runJobs();
      await world.health.settled();
      const health = await healthOf(world, world.id);
      expect(health?.breaker).toBe("open");
      expect((health?.nextProbeAt?.getTime() ?? Infinity) - Date.now()).toBeLessThanOrEqual(10_000);
      world.setAway(false);
      const works = async () => (await breakerOf(world, world.id)) === "closed";
      expect(await secondsUntil(world, works)).toBeLessThanOrEqual(15);
    }
  });

  it("a connection is probed again soon while the one beside it is only on trial", async () => {
    const fakes = [await startFakeTwilio(), await startFakeTwilio()];
    const world = await makeSendingWorld(database);
    const ids: string[] = [];
    for (const fake of fakes) ids.push((await world.addTwilio(fake.baseUrl)).id);
    await Promise.all(fakes.map((fake) => fake.close()));
    await world.addRule(
      "production",
      ids.map((id) => [id]),
    );
    const [first = "", second = ""] = ids;
    await database.owner.query(
      `INSERT INTO connection_health (tenant_id, connection_id, breaker, trial, since, reason_code, openings, next_probe_at, updated_at)
       VALUES ($1, $2, 'open', NULL, now(), 'provider_unavailable', 9, now(), now()),
         ($1, $3, 'half_open', 'full', now(), 'provider_unavailable', 9, now() + interval '20 seconds', now())`,
      [world.tenantId, first, second],
    );
    await world.health.tick();
    const health = await healthOf(world, first);
    expect(health).toMatchObject({ breaker: "open", openings: 10 });
    expect((health?.nextProbeAt?.getTime() ?? Infinity) - Date.now()).toBeLessThanOrEqual(10_000);
  });

  it("a connection is probed again soon when the one beside it goes out too", async () => {
    const fakes = [await startFakeTwilio(), await startFakeTwilio()];
    const world = await makeSendingWorld(database);
    const ids: string[] = [];
    for (const fake of fakes) {
      ids.push((await world.addTwilio(fake.baseUrl)).id);
      fake.setMode({ kind: "error", status: 401, code: 20003 });
    }
    await world.addRule(
      "production",
      ids.map((id) => [id]),
    );
    const [first = "", second = ""] = ids;
    const pauseOf = async (id: string) =>
      ((await healthOf(world, id))?.nextProbeAt?.getTime() ?? 0) - Date.now();
    fakes[1]?.setMode({ kind: "ok" });
    await world.send();
    await world.runJobs();
    await world.health.settled();
    expect(await breakerOf(world, first)).toBe("open");
    await database.owner.query(
      "UPDATE connection_health SET next_probe_at = now() + interval '4 minutes' WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(await pauseOf(first)).toBeGreaterThan(60_000);
    fakes[1]?.setMode({ kind: "error", status: 401, code: 20003 });
    await world.send();
    await world.runJobs();
    await world.health.settled();
    expect(await breakerOf(world, second)).toBe("open");
    expect(await pauseOf(first)).toBeLessThanOrEqual(10_000);
    await Promise.all(fakes.map((fake) => fake.close()));
  });
});

describe("the end of a session", () => {
  it("that fifty messages waited on is one fault, and the connection goes on working", async () => {
    const smsc = await startFakeSmsc();
    const limiter = new ConnectionLimiter().lane({ slots: 200 });
    const world = await makeSendingWorld(database, { deps: { limiter, places: 200 } });
    const id = await world.addConnection({
      adapter: "smpp",
      credentials: { systemId: "tidings", password: "secret" },
      settings: { host: "127.0.0.1", port: smsc.port, security: "none", window: 100 },
      channels: ["sms"],
      senders: [{ channel: "sms", sender: "Shop" }],
      maxConcurrency: 100,
    });
    await world.addRule("production", [[id]]);
    const sendMany = async (count: number) => {
      const fields: SendFields = {
        recipients: Array.from({ length: count }, (_, index) => ({
          channel: "sms",
          recipient: `+4915112345${String(100 + index)}`,
        })),
      };
      const accepted = await world.send(fields);
      return Array.from({ length: count }, (_, index) => messageId(accepted, index));
    };
    const deliver = (ids: string[]) =>
      Promise.all(
        ids.map((id) => world.deliverer.deliver({ tenantId: world.tenantId, notificationIds: [id] })),
      );
    smsc.setMode({ kind: "hang" });
    const outstanding = deliver(await sendMany(50));
    await vi.waitFor(() => expect(smsc.messages).toHaveLength(50), { timeout: 20_000, interval: 20 });
    smsc.drop();
    // Messages before the next session fail of the same cause.
    await deliver(await sendMany(10));
    await outstanding;
    await world.health.settled();
    expect(await healthOf(world, id)).toBeUndefined();
    smsc.setMode({ kind: "ok" });
    const [next = ""] = await sendMany(1);
    await vi.waitFor(
      async () => {
        await world.passTime(1_000);
        await deliver([next]);
        expect(await world.notification(next)).toMatchObject({ status: "sent" });
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(await healthOf(world, id)).toBeUndefined();
    await closeAdapters();
    await smsc.close();
  });
});
