import { register } from "prom-client";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../server/kernel/ids.ts";
import { createLogger } from "../server/kernel/log.ts";
import { testDatabase } from "../server/testing/database.ts";
import { makeSendingWorld } from "../server/testing/sending-world.ts";
import { InstallationGauges } from "./installation-gauges.ts";
import { Presence } from "./presence.ts";

const database = await testDatabase();
const { owner, worker: db } = database;
const lines: Record<string, unknown>[] = [];
const log = createLogger("info", {
  write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
});
const make = () => new InstallationGauges({ db, log, mayLead: () => Promise.resolve(true) });

/** The value of a metric with these labels; undefined when it has none. */
async function value(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const metric = await register.getSingleMetric(name)?.get();
  return metric?.values.find((one) =>
    Object.entries({ ...one.labels, ...labels }).every(
      ([label, text]) => labels[label] === text && one.labels[label] === text,
    ),
  )?.value;
}

const one = newId();
const two = newId();
const enqueue = (task: string, tenant: string, messages: number, runAt?: string) =>
  owner.query("SELECT enqueue_jobs($1)", [
    JSON.stringify([
      {
        task,
        payload: { tenantId: tenant, notificationIds: Array.from({ length: messages }, () => newId()) },
        ...(runAt === undefined ? {} : { runAt }),
      },
    ]),
  ]);
const clearQueue = () => owner.query("DELETE FROM graphile_worker._private_jobs");

beforeEach(async () => {
  register.resetMetrics();
  lines.length = 0;
  await clearQueue();
});

describe("the queue", () => {
  it("is counted in messages by lane, due and scheduled, up and down again", async () => {
    const gauges = make();
    await enqueue("deliver_bulk", one, 10);
    await enqueue("deliver_bulk", one, 7);
    await enqueue("deliver_bulk", two, 3);
    await enqueue("deliver_bulk", two, 4, new Date(Date.now() + 3_600_000).toISOString());
    await enqueue("deliver_otp", two, 1);
    await owner.query("SELECT enqueue_jobs($1)", [JSON.stringify([{ task: "purge_expired", payload: {} }])]);
    await gauges.update();
    const state = (lane: string, is: string) => value("tidings_queue_messages", { lane, state: is });
    expect(await state("bulk", "due")).toBe(20);
    expect(await state("bulk", "scheduled")).toBe(4);
    expect(await state("otp", "due")).toBe(1);
    expect(await state("maintenance", "due")).toBe(1);
    await clearQueue();
    await gauges.update();
    for (const lane of ["bulk", "otp", "maintenance"]) expect(await state(lane, "due"), lane).toBe(0);
    expect(await state("bulk", "scheduled")).toBe(0);
  });

  it("shows what was given up", async () => {
    const gauges = make();
    await enqueue("deliver_otp", one, 1);
    await owner.query("UPDATE graphile_worker._private_jobs SET attempts = max_attempts");
    await gauges.update();
    expect(await value("tidings_queue_messages", { lane: "otp", state: "given_up" })).toBe(1);
    expect(await value("tidings_queue_messages", { lane: "otp", state: "due" })).toBe(0);
    await clearQueue();
    await gauges.update();
    expect(await value("tidings_queue_messages", { lane: "otp", state: "given_up" })).toBe(0);
  });

  it("shows that one organisation floods a lane, with two labels however many organisations there are", async () => {
    const gauges = make();
    for (let n = 0; n < 5; n++) await enqueue("deliver_bulk", newId(), 1);
    for (let n = 0; n < 300; n++) await enqueue("deliver_bulk", one, 10);
    await gauges.update();
    const due = (tenants: string) => value("tidings_queue_due_messages", { lane: "bulk", tenants });
    expect(await due("busiest")).toBe(3_000);
    expect(await due("others")).toBe(5);
    expect(await value("tidings_queue_tenants", { lane: "bulk" })).toBe(6);
    const text = await register.metrics();
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    // Who it is, the log says; once.
    await gauges.update();
    expect(lines.filter((line) => "tenantId" in line)).toMatchObject([
      { lane: "bulk", tenantId: one, messages: 3_000, of: 3_005 },
    ]);
    await clearQueue();
    await gauges.update();
    expect([await due("busiest"), await due("others")]).toEqual([0, 0]);
    expect(await value("tidings_queue_tenants", { lane: "bulk" })).toBe(0);
  });

  it("keeps counting right while a long line is being worked off", async () => {
    const gauges = make();
    for (let n = 0; n < 20; n++) await enqueue("deliver_transactional", one, 10);
    await owner.query(
      `DELETE FROM graphile_worker._private_jobs WHERE id IN (
         SELECT id FROM graphile_worker._private_jobs ORDER BY priority, run_at LIMIT 12)`,
    );
    await enqueue("deliver_transactional", one, 5);
    await enqueue("deliver_transactional", two, 2);
    await gauges.update();
    expect(await value("tidings_queue_messages", { lane: "transactional", state: "due" })).toBe(87);
  });

  it("says how long the oldest has waited, of who has most and of the others", async () => {
    const gauges = make();
    await enqueue("deliver_bulk", one, 10);
    await enqueue("deliver_bulk", one, 10);
    await enqueue("deliver_bulk", two, 1);
    await owner.query(
      `UPDATE graphile_worker._private_jobs SET updated_at = now() - CASE payload->>'tenantId'
         WHEN $1 THEN interval '90 s' ELSE interval '20 s' END`,
      [one],
    );
    // A job whose time has come and that has no turn yet.
    await enqueue("deliver_otp", two, 1, new Date(Date.now() + 3_600_000).toISOString());
    await owner.query(
      "UPDATE graphile_worker._private_jobs SET run_at = now() - interval '40 s' WHERE run_at > now()",
    );
    await gauges.update();
    const oldest = (lane: string, tenants: string) =>
      value("tidings_queue_oldest_seconds", { lane, tenants });
    expect(await oldest("bulk", "busiest")).toBeCloseTo(90, -1);
    expect(await oldest("bulk", "others")).toBeCloseTo(20, -1);
    expect(await oldest("otp", "busiest")).toBeCloseTo(40, -1);
    await clearQueue();
    await gauges.update();
    expect([await oldest("bulk", "busiest"), await oldest("bulk", "others")]).toEqual([0, 0]);
    expect(await oldest("otp", "busiest")).toBe(0);
  });
});

describe("messages, webhooks and connections", () => {
  it("open messages are counted by status, up and down again, and nothing that has ended is read", async () => {
    const gauges = make();
    const world = await makeSendingWorld(database);
    await world.send();
    await world.send();
    await world.send({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    await gauges.update();
    const open = (status: string) => value("tidings_messages_open", { status });
    expect([await open("queued"), await open("scheduled"), await open("sending")]).toEqual([2, 1, 0]);
    await owner.query("UPDATE notifications SET status = 'sending' WHERE status = 'queued'");
    await gauges.update();
    expect([await open("queued"), await open("scheduled"), await open("sending")]).toEqual([0, 1, 2]);
    await owner.query("UPDATE notifications SET status = 'delivered', due_at = NULL");
    await gauges.update();
    expect([await open("queued"), await open("scheduled"), await open("sending")]).toEqual([0, 0, 0]);
  });

  it("the backlog of webhooks and the age of its oldest go up and down again", async () => {
    const gauges = make();
    const tenant = newId();
    const insert = (due: string) =>
      owner.query(
        `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, at, state, next_attempt_at)
         VALUES ($1, $2, $3, 'notification.sent', now(), 'pending', now() + $4::interval)`,
        [tenant, newId(), newId(), due],
      );
    await insert("-50 s");
    await insert("-1 s");
    await insert("1 h");
    await gauges.update();
    const backlog = (state: string) => value("tidings_webhook_backlog", { state });
    expect([await backlog("due"), await backlog("later")]).toEqual([2, 1]);
    expect(await value("tidings_webhook_oldest_due_seconds")).toBeCloseTo(50, -1);
    await owner.query("UPDATE webhook_deliveries SET state = 'delivered', next_attempt_at = NULL");
    await gauges.update();
    expect([await backlog("due"), await backlog("later")]).toEqual([0, 0]);
    expect(await value("tidings_webhook_oldest_due_seconds")).toBe(0);
  });

  it("a connection that is taken out of the routes is counted until it works again", async () => {
    const gauges = make();
    const world = await makeSendingWorld(database);
    const { id } = await world.addTwilio("http://127.0.0.1:9");
    await owner.query(
      `INSERT INTO connection_health (tenant_id, connection_id, breaker, since, updated_at) VALUES ($1, $2, 'open', now(), now())`,
      [world.tenantId, id],
    );
    await gauges.update();
    expect(await value("tidings_breaker_state", { adapter: "twilio", state: "open" })).toBe(1);
    await owner.query("UPDATE connection_health SET breaker = 'closed'");
    await gauges.update();
    expect(await value("tidings_breaker_state", { adapter: "twilio", state: "open" })).toBe(0);
  });
});

describe("the computation", () => {
  it("of a figure that fails hurts neither the others nor the worker; the figure disappears and its time stands still", async () => {
    const gauges = make();
    await enqueue("deliver_otp", one, 1);
    await gauges.update();
    const updated = (group: string) => value("tidings_gauges_updated_timestamp_seconds", { group });
    const [queue = 0, webhooks = 0] = [await updated("queue"), await updated("webhooks")];
    expect(Date.now() / 1_000 - queue).toBeLessThan(30);
    await owner.query("ALTER FUNCTION webhook_backlog(int) RENAME TO webhook_backlog_away");
    try {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await gauges.update();
      await gauges.update();
      expect(await updated("webhooks")).toBe(webhooks);
      expect(await updated("queue")).toBeGreaterThan(queue);
      expect(await value("tidings_webhook_backlog", { state: "due" })).toBeUndefined();
      expect(await value("tidings_webhook_oldest_due_seconds")).toBeUndefined();
      expect(await value("tidings_queue_messages", { lane: "otp", state: "due" })).toBe(1);
      expect(await value("tidings_gauges_failed_total", { group: "webhooks" })).toBe(2);
      expect(lines.filter(({ level }) => level === "warn")).toMatchObject([{ group: "webhooks" }]);
      // No connection is left in a transaction that failed.
      expect(db.pool.totalCount - db.pool.idleCount).toBe(0);
    } finally {
      await owner.query("ALTER FUNCTION webhook_backlog_away(int) RENAME TO webhook_backlog");
    }
    await gauges.update();
    expect(await updated("webhooks")).toBeGreaterThan(webhooks);
    expect(await value("tidings_webhook_backlog", { state: "due" })).toBe(0);
  });

  it("of a figure that takes too long is given up after two seconds", async () => {
    const gauges = make();
    const lock = await owner.connect();
    await lock.query("BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE");
    const started = performance.now();
    try {
      await gauges.update();
    } finally {
      await lock.query("ROLLBACK");
      lock.release();
    }
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await value("tidings_gauges_failed_total", { group: "webhooks" })).toBe(1);
    expect(await value("tidings_messages_open", { status: "queued" })).toBe(0);
  });

  it("reads as much with many ended messages as with few", async () => {
    const plan = await owner.query<{ read: string }>(
      `INSERT INTO notifications (tenant_id, id, request_id, position, environment_id, application_id, unit_id, sandbox, channel,
         recipient, region, language, notification_type, notification_subtype, class, status, sequence, expires_at, created_at)
       SELECT $1, uuidv7_new(), $2, n, $2, $2, $2, false, 'sms', '+49', 'DE', 'en', 'order', 'status', 'transactional', 'delivered', 3, now(), now()
       FROM generate_series(1, 20000) AS n`,
      [newId(), newId()],
    );
    expect(plan.rowCount).toBe(20_000);
    // A session that has seen it before: the first time, it also reads the catalogue to plan it.
    const client = await db.pool.connect();
    const explain =
      "EXPLAIN (ANALYZE, BUFFERS, FORMAT TEXT) SELECT * FROM open_messages(1000, 20000, 100000)";
    for (let times = 0; times < 3; times++)
      await client.query("SELECT * FROM open_messages(1000, 20000, 100000)");
    const { rows } = await client.query<Record<string, string>>(explain);
    client.release();
    const buffers = rows.map((row) => Object.values(row).join(" ")).join("\n");
    const hits = [...buffers.matchAll(/shared hit=(\d+)(?: read=(\d+))?/g)].map(
      ([, hit, read]) => Number(hit) + Number(read ?? 0),
    );
    // 20,000 messages are more than 500 pages.
    expect(Math.max(...hits)).toBeLessThan(400);
  });

  it("is one process's: the next has the figures when that one has ended", async () => {
    const open = (name: string) =>
      Presence.open({ name, lanes: ["maintenance"] }, { db, log, onLost: () => undefined });
    const [first, second] = [await open("gauges one"), await open("gauges two")];
    expect([await first.leads("gauges"), await second.leads("gauges"), await first.leads("gauges")]).toEqual([
      true,
      false,
      true,
    ]);
    const idle = new InstallationGauges({ db, log, mayLead: () => second.leads("gauges") });
    await idle.update();
    expect(await value("tidings_queue_messages", { lane: "otp", state: "due" })).toBeUndefined();
    await first.close();
    expect(await second.leads("gauges")).toBe(true);
    await enqueue("deliver_otp", one, 1);
    await idle.update();
    expect(await value("tidings_queue_messages", { lane: "otp", state: "due" })).toBe(1);
    await second.close();
  });
});
