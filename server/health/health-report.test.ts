import { afterAll, expect, it } from "vitest";
import { updateProvider } from "../connections/update-provider.ts";
import { foldMetrics } from "../insights/fold-metrics.ts";
import { testDatabase } from "../testing/database.ts";
import { roleCtx } from "../testing/factories.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { closeConnection, openConnection } from "./change-health.ts";
import { healthReport } from "./health-report.ts";
import { listHealth } from "./list-health.ts";
import { listIncidents } from "./list-incidents.ts";
import { probeNow } from "./probe-now.ts";

const database = await testDatabase();
const fake = await startFakeTwilio();
afterAll(() => fake.close());

const query = { range: "24h" as const };
const change = { db: database.worker, now: () => new Date(), random: () => 0.5 };
const evidence = { code: "provider_timeout", detail: "No answer", from: Date.now() };

async function makeWorld() {
  const world = await makeSendingWorld(database);
  const { alpha, beta } = world.tenant.units;
  const shared = (await world.addTwilio(fake.baseUrl, { name: "Shared" })).id;
  const own = (await world.addTwilio(fake.baseUrl, { name: "Alpha's own", unitId: alpha })).id;
  await world.addRule("production", [[own], [shared]], { channel: "sms" });
  return {
    ...world,
    shared,
    own,
    ownSubject: { id: own, tenantId: world.tenantId, unitId: alpha, name: "Alpha's own" },
    inAlpha: roleCtx(database.web, world.tenantId, "operator", alpha),
    inBeta: roleCtx(database.web, world.tenantId, "operator", beta),
  };
}

it("shows outcomes and durations of calls, the same by the hour and by the day", async () => {
  const world = await makeWorld();
  fake.setMode({ kind: "ok" });
  await world.send({
    recipients: [1, 2, 3].map((digit) => ({ channel: "sms", recipient: `+491511234567${String(digit)}` })),
  });
  await world.runJobs();
  fake.setMode({ kind: "error", status: 400, code: 21606 });
  await world.send();
  await world.runJobs();
  await foldMetrics(database.worker);
  const fresh = await healthReport(world.tenant.system, query);
  expect(fresh.connections).toMatchObject([
    { name: "Alpha's own", sent: 3, notSent: 1, unknown: 0 },
    { name: "Shared", sent: 0, notSent: 1 },
  ]);
  expect(fresh.series).toHaveLength(24);
  expect(fresh.series.at(-1)).toMatchObject({ sent: 3, notSent: 2, unknown: 0 });
  expect(fresh.errors).toMatchObject([{ code: "sender_rejected", total: 2 }]);
  expect(fresh.errors[0]?.counts.at(-1)).toBe(2);
  const [first] = fresh.connections;
  expect(first?.p50Ms).toBeGreaterThan(0);
  expect(first?.p95Ms).toBeGreaterThanOrEqual(first?.p50Ms ?? Infinity);
  expect(fresh.durations.map(({ name }) => name)).toEqual(["Alpha's own", "Shared"]);

  const month = await healthReport(world.tenant.system, { range: "30d" });
  expect(month.connections).toEqual(fresh.connections);
  expect(month.series).toHaveLength(30);
});

it("narrows to a connection and a channel", async () => {
  const world = await makeWorld();
  fake.setMode({ kind: "ok" });
  await world.send();
  await world.runJobs();
  await foldMetrics(database.worker);
  const of = async (fields: object) =>
    (await healthReport(world.tenant.system, { ...query, ...fields })).connections.length;
  expect(await of({ connectionId: world.own })).toBe(1);
  expect(await of({ connectionId: world.shared })).toBe(0);
  expect(await of({ channel: "sms" })).toBe(1);
  expect(await of({ channel: "email" })).toBe(0);
});

it("shows members the connections of their unit and tenant-wide ones, and hides the others", async () => {
  const world = await makeWorld();
  await openConnection(change, world.ownSubject, { ...evidence, from: Date.now() });
  await closeConnection(change, world.ownSubject, ["open"]);
  const names = async (ctx: typeof world.inAlpha) => (await listHealth(ctx)).data.map(({ name }) => name);
  expect(await names(world.inAlpha)).toEqual(["Alpha's own", "Shared"]);
  expect(await names(world.inBeta)).toEqual(["Shared"]);
  const kinds = async (ctx: typeof world.inAlpha) =>
    (await listIncidents(ctx, { limit: 10 })).data.map(({ kind, connection }) => `${connection} ${kind}`);
  expect(await kinds(world.inAlpha)).toEqual(["Alpha's own closed", "Alpha's own opened"]);
  expect(await kinds(world.inBeta)).toEqual([]);
  expect((await refusal(healthReport(world.inBeta, { ...query, connectionId: world.own }))).code).toBe(
    "not_found",
  );
  expect((await refusal(listIncidents(world.inBeta, { limit: 10, connectionId: world.own }))).code).toBe(
    "not_found",
  );
});

it("pages incidents without gaps", async () => {
  const world = await makeWorld();
  for (let round = 0; round < 3; round++) {
    await openConnection(change, world.ownSubject, { ...evidence, from: Date.now() });
    await closeConnection(change, world.ownSubject, ["open"]);
  }
  const first = await listIncidents(world.tenant.system, { limit: 4 });
  const rest = await listIncidents(world.tenant.system, { limit: 4, cursor: first.nextCursor ?? "" });
  expect([...first.data, ...rest.data].map(({ kind }) => kind)).toEqual(
    Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? "closed" : "opened")),
  );
  expect(rest.nextCursor).toBeNull();
});

/** Seconds until a connection's next probe. */
async function dueIn(connectionId: string): Promise<number> {
  const { rows } = await database.owner.query<{ seconds: number }>(
    "SELECT extract(epoch FROM next_probe_at - now())::float8 AS seconds FROM connection_health WHERE connection_id = $1",
    [connectionId],
  );
  return rows[0]?.seconds ?? Number.NaN;
}

it("probes at once for those who manage connections, or have changed one, and only one that is open", async () => {
  const world = await makeWorld();
  const manager = world.tenant.as("administrator");
  expect((await refusal(probeNow(manager, { connectionId: world.own }))).code).toBe("conflict");
  await openConnection(change, world.ownSubject, { ...evidence, from: Date.now() });
  const reader = world.tenant.as("auditor");
  expect((await refusal(probeNow(reader, { connectionId: world.own }))).code).toBe("permission_denied");
  await updateProvider(manager, { id: world.own, changes: { name: "Mended" } });
  expect(await dueIn(world.own)).toBeLessThanOrEqual(0);
  await database.owner.query(
    "UPDATE connection_health SET next_probe_at = now() + interval '1 hour' WHERE connection_id = $1",
    [world.own],
  );
  await probeNow(manager, { connectionId: world.own });
  await world.health.tick();
  const now = (await listHealth(manager)).data.find(({ id }) => id === world.own);
  expect(now).toMatchObject({ breaker: "half_open", mayProbe: true });
});
