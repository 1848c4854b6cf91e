import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { SendOutcome } from "../adapters/adapter.ts";
import { notTried } from "../adapters/http-call.ts";
import { forgetHealth, tenantHealth } from "../connections/connection-state.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import { logger } from "../kernel/log.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import type { FakeMode } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendFields, SendingWorld } from "../testing/sending-world.ts";
import { HealthMonitor } from "./health-monitor.ts";
import { probeRules } from "./health-rules.ts";

const database = await testDatabase();
const first = await startFakeTwilio();
const second = await startFakeTwilio();
const third = await startFakeTwilio();
afterAll(() => Promise.all([first.close(), second.close(), third.close()]));

beforeEach(async () => {
  await database.owner.query("DELETE FROM graphile_worker._private_jobs");
  for (const fake of [first, second, third]) {
    fake.setMode({ kind: "ok" });
    fake.messages.length = 0;
  }
});

const revoked: FakeMode = { kind: "error", status: 401, code: 20003 };
const broken: FakeMode = { kind: "error", status: 503 };
const busy: FakeMode = { kind: "error", status: 429, code: 20429 };
const otp: SendFields = { notificationType: "authentication", notificationSubtype: "one_time_passcode" };

async function makeWorld(tiers: "one" | "two" = "two") {
  const world = await makeSendingWorld(database);
  const a = (await world.addTwilio(first.baseUrl, { name: "Primary" })).id;
  const b = (await world.addTwilio(second.baseUrl, { name: "Secondary" })).id;
  await world.addRule("production", tiers === "one" ? [[a]] : [[a], [b]], { channel: "sms" });
  return { ...world, a, b };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

async function healthOf(world: SendingWorld, id: string) {
  forgetHealth(world.tenantId);
  return (await tenantHealth(world.tenant.worker)).get(id);
}
async function incidentsOf(world: SendingWorld, id: string): Promise<string[]> {
  const found = await database.owner.query<{ kind: string; code: string | null }>(
    "SELECT kind, code FROM connection_incidents WHERE tenant_id = $1 AND connection_id = $2 ORDER BY id",
    [world.tenantId, id],
  );
  return found.rows.map(({ kind, code }) => (code === null ? kind : `${kind} ${code}`));
}
/** Sends one message and runs the jobs that are due. */
async function sendOne(world: World, fields: SendFields = {}): Promise<string> {
  const id = messageId(await world.send(fields));
  await world.runJobs();
  await world.health.settled();
  return id;
}
const connectionOf = async (world: SendingWorld, id: string) => {
  const connection = (await tenantConnections(world.tenant.worker)).get(id);
  if (!connection) throw new Error("no such connection");
  return connection;
};
/** Reports calls to a monitor that it has not made itself. */
async function tell(
  world: World,
  monitor: HealthMonitor,
  outcome: SendOutcome,
  count: number,
  durationMs = 50,
) {
  const connection = await connectionOf(world, world.a);
  const health = await healthOf(world, world.a);
  for (let index = 0; index < count; index++) {
    monitor.begin(connection, health).end({ outcome, startedAt: new Date(), durationMs });
  }
}
const gone: SendOutcome = {
  kind: "not_sent",
  retry: "later",
  code: "provider_unavailable",
  detail: "connection refused",
};
const notCarried = notTried("never", "invalid_message", "The message has no text");
const sent: SendOutcome = { kind: "sent", providerMessageId: "x", final: true };
const monitorOf = (world: SendingWorld) =>
  new HealthMonitor({ db: database.worker, http: world.http, log: logger() });

describe("a connection that fails", () => {
  it("is left out at once for all processes, and each message reaches the next one meanwhile", async () => {
    const world = await makeWorld();
    first.setMode(revoked);
    const early = await sendOne(world);
    expect(await world.notification(early)).toMatchObject({
      status: "sent",
      provider: "Secondary",
      attempts: 2,
    });
    expect(await healthOf(world, world.a)).toMatchObject({
      breaker: "open",
      reasonCode: "provider_credentials",
      openings: 1,
    });
    const asked = first.requests();
    const late = await sendOne(world);
    expect(await world.notification(late)).toMatchObject({
      status: "sent",
      provider: "Secondary",
      attempts: 1,
    });
    expect(first.requests()).toBe(asked);
  });

  it("is found by several processes at once, and reported once: incident, audit, notice and webhook", async () => {
    const world = await makeWorld();
    const owner = {
      ...world.tenant.as("owner"),
      actor: { type: "user" as const, id: world.tenant.owner.id, name: "Olga", email: "o@example.com" },
    };
    await database.owner.query(
      `INSERT INTO webhook_endpoints (tenant_id, id, application_id, environment_id, url, secret, events, updated_at)
       SELECT $1, gen_random_uuid(), $2, e, 'https://hooks.example/' || e, '\\x00', '{}', now() FROM unnest($3::uuid[]) AS e`,
      [
        world.tenantId,
        world.tenant.application.id,
        [world.tenant.environments.production, world.tenant.environments.staging],
      ],
    );
    const monitors = Array.from({ length: 4 }, () => monitorOf(world));
    await Promise.all(monitors.map((monitor) => tell(world, monitor, gone, 5)));
    await Promise.all(monitors.map((monitor) => monitor.settled()));

    expect(await healthOf(world, world.a)).toMatchObject({
      breaker: "open",
      reasonDetail: "connection refused",
    });
    expect(await incidentsOf(world, world.a)).toEqual(["opened provider_unavailable"]);
    const audit = await database.owner.query(
      "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'provider.unavailable'",
      [world.tenantId],
    );
    expect(audit.rows).toMatchObject([{ data: { name: "Primary", code: "provider_unavailable" } }]);
    expect((await listOwnNotices(owner, { limit: 10 })).data).toMatchObject([
      {
        kind: "provider.unavailable",
        targetId: world.a,
        data: { provider: "Primary", reason: "connection refused" },
      },
    ]);
    const owed = await database.owner.query<{ url: string; payload: Record<string, unknown> }>(
      `SELECT e.environment_id, d.payload FROM webhook_deliveries d JOIN webhook_endpoints e ON e.tenant_id = d.tenant_id AND e.id = d.endpoint_id
       WHERE d.tenant_id = $1 AND d.event = 'processing.error'`,
      [world.tenantId],
    );
    expect(owed.rows).toMatchObject([
      {
        environment_id: world.tenant.environments.production,
        payload: {
          code: "provider_unavailable",
          provider: "Primary",
          reason: { code: "provider_unavailable" },
        },
      },
    ]);
  });

  it("is not opened again by calls that had begun before it came back", async () => {
    const world = await makeWorld();
    const late = monitorOf(world);
    const connection = await connectionOf(world, world.a);
    const calls = Array.from({ length: 5 }, () => late.begin(connection, undefined));
    const startedAt = new Date();
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    await world.passTime(10_000);
    await world.health.tick();
    await world.passTime(30_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "closed" });
    for (const call of calls)
      call.end({ outcome: gone, startedAt: new Date(startedAt.getTime() - 60_000), durationMs: 15_000 });
    await late.settled();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "closed" });
  });

  it("is probed after a first fault, so that it is out soon even where little is sent", async () => {
    const world = await makeWorld();
    const closed = await startFakeTwilio();
    await closed.close();
    const dead = await world.addTwilio(closed.baseUrl, { name: "Dead" });
    await world.addRule("production", [[dead.id], [world.b]], { channel: "sms", region: "DE" });
    let clock = Date.now();
    const monitor = new HealthMonitor({
      db: database.worker,
      http: world.http,
      log: logger(),
      now: () => new Date(clock),
    });
    const connection = await connectionOf(world, dead.id);
    monitor.begin(connection, undefined).end({ outcome: gone, startedAt: new Date(clock), durationMs: 5 });
    let seconds = 0;
    while ((await healthOf(world, dead.id))?.breaker !== "open" && seconds < 60) {
      seconds += 1;
      clock += 1_000;
      await monitor.tick();
    }
    expect(seconds).toBeLessThan(60);
    expect(await incidentsOf(world, dead.id)).toEqual(["opened provider_unavailable"]);
  });

  it("is found out although messages that it cannot carry come in between", async () => {
    const world = await makeWorld();
    for (let call = 0; call < 5; call++) {
      await tell(world, world.health, gone, 1);
      await tell(world, world.health, notCarried, 1);
    }
    await world.health.settled();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "open" });
  });

  it("is not one that asks to slow down or refuses recipients", async () => {
    const world = await makeWorld("one");
    first.setMode(busy);
    for (let index = 0; index < 6; index++) await sendOne(world);
    first.setMode({ kind: "error", status: 400, code: 21211 });
    await world.passTime(60_000);
    await world.runJobs();
    for (let index = 0; index < 6; index++)
      await sendOne(world, { recipients: [{ channel: "sms", recipient: "+4915112345679" }] });
    expect(await healthOf(world, world.a)).toBeUndefined();
  });
});

describe("messages without another connection", () => {
  it("wait without using up attempts, one after the other, and go out once it is back", async () => {
    const world = await makeWorld("one");
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    const accepted = await world.send({
      recipients: [1, 2, 3].map((digit) => ({ channel: "sms", recipient: `+491511234567${String(digit)}` })),
    });
    await world.runJobs();
    const ids = [0, 1, 2].map((index) => messageId(accepted, index));
    const nextProbeAt = (await healthOf(world, world.a))?.nextProbeAt?.getTime() ?? Infinity;
    const dueAt = await Promise.all(
      ids.map(async (id) => (await world.notification(id)).due_at?.getTime() ?? 0),
    );
    expect(Math.min(...dueAt)).toBeGreaterThan(nextProbeAt);
    expect(new Set(dueAt).size).toBe(3);
    expect(first.requests()).toBe(first.requests());
    for (const id of ids)
      expect(await world.notification(id)).toMatchObject({ status: "queued", attempts: 0 });
    const { waits } = await getTimeline(world.tenant.system, { id: ids[0] ?? "" });
    expect(waits).toContain("Primary is unavailable since");

    await world.passTime(10_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "half_open" });
    await world.passTime(2_000);
    await world.runJobs();
    await world.passTime(2_000);
    await world.runJobs();
    for (const id of ids) expect(await world.notification(id)).toMatchObject({ status: "sent", attempts: 1 });
  });

  it("say why they were never sent when their time is up", async () => {
    const world = await makeWorld("one");
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    const id = await sendOne(world, otp);
    await database.owner.query(
      "UPDATE connection_health SET next_probe_at = now() + interval '1 hour' WHERE tenant_id = $1",
      [world.tenantId],
    );
    await database.owner.query("UPDATE notifications SET expires_at = now(), due_at = now() WHERE id = $1", [
      id,
    ]);
    await database.owner.query("UPDATE graphile_worker._private_jobs SET run_at = now()");
    await world.runJobs();
    const message = await world.notification(id);
    expect(message).toMatchObject({
      status: "expired",
      attempts: 0,
      failure: { code: "provider_unavailable" },
    });
    expect(JSON.stringify(message.failure)).toContain("Primary is unavailable since");
  });

  it("are due when their time is up rather than after it", async () => {
    const world = await makeWorld("one");
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    await database.owner.query(
      "UPDATE connection_health SET next_probe_at = now() + interval '1 hour' WHERE tenant_id = $1",
      [world.tenantId],
    );
    forgetHealth(world.tenantId);
    const id = await sendOne(world, otp);
    const { rows } = await database.owner.query<{ same: boolean }>(
      "SELECT due_at = expires_at AS same FROM notifications WHERE id = $1",
      [id],
    );
    expect(rows).toEqual([{ same: true }]);
  });
});

describe("a connection on trial", () => {
  async function onTrial() {
    const world = await makeWorld("one");
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    await world.passTime(10_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "half_open" });
    return world;
  }

  it("works again when the trial is over, even if too few messages went over it to end it early", async () => {
    const world = await onTrial();
    const id = await sendOne(world);
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "half_open" });
    await world.passTime(20_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "closed" });
  });

  it("works again when the trial is over although messages are always in progress, if none of them fails", async () => {
    const world = await onTrial();
    const connection = await connectionOf(world, world.a);
    const health = await healthOf(world, world.a);
    const deferred: SendOutcome = {
      kind: "not_sent",
      retry: "later",
      code: "provider_deferred",
      detail: "later",
    };
    const ended = world.health.begin(connection, health);
    world.health.begin(connection, health);
    ended.end({ outcome: deferred, startedAt: new Date(), durationMs: 50 });
    await world.passTime(20_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "closed" });
  });

  it("stays on trial beyond its time while the only message has no answer yet", async () => {
    const world = await onTrial();
    world.health.begin(await connectionOf(world, world.a), await healthOf(world, world.a));
    await world.passTime(20_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "half_open" });
  });

  it("whose probes failed is not restored by a message that it cannot carry", async () => {
    const world = await onTrial();
    await database.owner.query("UPDATE connection_health SET trial = 'blind' WHERE connection_id = $1", [
      world.a,
    ]);
    await tell(world, world.health, notCarried, 1);
    await world.health.settled();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "half_open" });
  });

  it("gets a few messages at a time, however many come at once", async () => {
    const world = await onTrial();
    first.setMode({ kind: "hang" });
    const before = first.messages.length;
    await world.send({
      recipients: Array.from({ length: 8 }, (_, index) => ({
        channel: "sms" as const,
        recipient: `+49151123456${String(10 + index)}`,
      })),
    });
    await world.runJobs();
    expect(first.messages.length - before).toBe(probeRules.trials.full.slots);
  });
});

describe("a connection that was out", () => {
  it("comes back by itself, also when nothing is sent", async () => {
    const world = await makeWorld();
    first.setMode(revoked);
    await sendOne(world);
    first.setMode({ kind: "ok" });
    await world.passTime(10_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "half_open" });
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "half_open" });
    await world.passTime(20_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toMatchObject({
      breaker: "closed",
      nextProbeAt: null,
      reasonCode: null,
    });
    expect(await incidentsOf(world, world.a)).toEqual([
      "opened provider_credentials",
      "probed passed",
      "closed",
    ]);
    expect(await world.notification(await sendOne(world))).toMatchObject({ provider: "Primary" });
  });

  it("comes back as soon as a few messages went through", async () => {
    const world = await makeWorld();
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    await world.passTime(10_000);
    await world.health.tick();
    for (let index = 0; index < 3; index++) {
      expect(await world.notification(await sendOne(world))).toMatchObject({ provider: "Primary" });
    }
    expect(await healthOf(world, world.a)).toMatchObject({ breaker: "closed" });
    const notices = await database.owner.query(
      "SELECT kind, read_at IS NULL AS unread FROM notices WHERE tenant_id = $1 AND user_id = $2 ORDER BY id",
      [world.tenantId, world.tenant.owner.id],
    );
    expect(notices.rows).toEqual([
      { kind: "provider.unavailable", unread: false },
      { kind: "provider.recovered", unread: true },
    ]);
  });

  it("is out again after one fault on trial, and is probed less often each time", async () => {
    const world = await makeWorld();
    first.setMode(revoked);
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    first.setMode({ kind: "ok" });
    await world.passTime(10_000);
    await world.health.tick();
    first.setMode(broken);
    await sendOne(world);
    expect(await healthOf(world, world.a)).toMatchObject({
      breaker: "open",
      openings: 2,
      reasonCode: "provider_error",
    });
    const pauseOf = async () => ((await healthOf(world, world.a))?.nextProbeAt?.getTime() ?? 0) - Date.now();
    expect(await pauseOf()).toBeGreaterThan(6_000);
    // Opened twice, notified once.
    const notices = await database.owner.query("SELECT kind FROM notices WHERE tenant_id = $1", [
      world.tenantId,
    ]);
    expect(notices.rows).toEqual([{ kind: "provider.unavailable" }]);
  });

  it("is probed by one process at a time", async () => {
    const world = await makeWorld();
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    await world.passTime(10_000);
    const asked = first.requests();
    await Promise.all([world.health, monitorOf(world), monitorOf(world)].map((monitor) => monitor.tick()));
    expect(first.requests()).toBe(asked + 1);
  });

  it("stays out while its probes fail, which is recorded when the problem is a new one", async () => {
    const world = await makeWorld();
    const fake = await startFakeTwilio({ account: { accountSid: "AC00", authToken: "other" } });
    const dead = await world.addTwilio(fake.baseUrl, { name: "Revoked" });
    await world.addRule("production", [[dead.id], [world.b]], { channel: "sms", region: "DE" });
    await sendOne(world);
    for (let index = 0; index < 3; index++) {
      await world.passTime(400_000);
      await world.health.tick();
    }
    expect(await healthOf(world, dead.id)).toMatchObject({ breaker: "open", openings: 4 });
    expect(await incidentsOf(world, dead.id)).toEqual(["opened provider_credentials", "probed failed"]);
    await fake.close();
  });

  it("is deleted from the state when it is switched off", async () => {
    const world = await makeWorld();
    await tell(world, world.health, gone, 5);
    await world.health.settled();
    await database.owner.query(
      "UPDATE provider_connections SET enabled = false, updated_at = now() WHERE id = $1",
      [world.a],
    );
    const { forgetConnections } = await import("../connections/load-connection.ts");
    forgetConnections(world.tenantId);
    await world.passTime(10_000);
    await world.health.tick();
    expect(await healthOf(world, world.a)).toBeUndefined();
  });
});

describe("a connection that becomes slow", () => {
  const judge = async (world: World) => {
    for (let index = 0; index < 5; index++) await world.health.tick();
  };

  it("is reported as slow, keeps a quarter of its weight, and recovers without flapping", async () => {
    const world = await makeWorld();
    await tell(world, world.health, sent, 15, 50);
    await tell(world, world.health, sent, 4, 6_000);
    await judge(world);
    expect((await healthOf(world, world.a))?.slow).toBeFalsy();
    await tell(world, world.health, sent, 1, 6_000);
    await judge(world);
    expect(await healthOf(world, world.a)).toMatchObject({ slow: true, breaker: "closed" });
    // Better, but not yet good.
    await tell(world, world.health, sent, 30, 50);
    await judge(world);
    expect(await healthOf(world, world.a)).toMatchObject({ slow: true });
    // Good, but it has only just become slow.
    await tell(world, world.health, sent, 100, 50);
    await judge(world);
    expect(await healthOf(world, world.a)).toMatchObject({ slow: true });
    await world.passTime(300_000);
    await tell(world, world.health, sent, 1, 50);
    await judge(world);
    expect(await healthOf(world, world.a)).toMatchObject({ slow: false });
    expect(await incidentsOf(world, world.a)).toEqual(["slow", "recovered"]);
  });
});
