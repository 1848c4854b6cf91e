import { expect, test } from "vitest";
import type { Change } from "../sending/notification-change.ts";
import { testDatabase } from "../testing/database.ts";
import { rowsLookedAt } from "../testing/plans.ts";
import { becomes, claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import { foldMetrics } from "./fold-metrics.ts";
import { overviewReport } from "./overview-report.ts";
import { overviewPeriods } from "./vocabulary.ts";
import type { OutcomeCounts } from "./schemas.ts";

const database = await testDatabase();

const failed = becomes("failed", { failure: { code: "recipient_unreachable", detail: "" } });

async function makeTraffic() {
  const world = await makeSendingWorld(database);
  const { id: simulator } = await world.tenant.addSimulator([]);
  const real = await world.addSmtp(25);
  const histories: Change[][] = [
    [],
    [claimOver(real), takenBy(1), becomes("delivered")],
    [claimOver(real), takenBy(1), becomes("delivered")],
    [claimOver(real), takenBy(1), failed],
    [claimOver(real), takenBy(1, { final: true })],
    [becomes("rejected", { reason: { code: "suppressed", detail: "" } })],
    [becomes("canceled", { reason: { code: "canceled", detail: "" } })],
    [claimOver(simulator), takenBy(1), becomes("delivered")],
    [claimOver(simulator), takenBy(1), failed],
    [claimOver(simulator), takenBy(1)],
  ];
  for (const history of histories) await world.advance(messageId(await world.send()), ...history);
  await foldMetrics(database.worker);
  return { world, histories };
}

const ended = ({ accepted, ...outcomes }: OutcomeCounts) =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0) - accepted;

test.each(overviewPeriods)(
  "over %s a message that a simulator took is never among the delivered or failed ones, and each is counted once",
  async (period) => {
    const { world } = await makeTraffic();
    const ask = { period, environmentId: world.tenant.environments.production };
    const report = await overviewReport(world.tenant.as("owner"), ask);
    const expected = {
      accepted: 10,
      underWay: 2,
      delivered: 2,
      sentWithoutReceipt: 1,
      failed: 1,
      rejected: 1,
      expired: 0,
      canceled: 1,
      undetermined: 0,
      simulated: 2,
    };
    expect(report.totals).toEqual(expected);
    expect(ended(report.totals)).toBe(0);
    expect(report.channels).toEqual([{ channel: "sms", ...expected }]);
    for (const [name, count] of Object.entries(expected))
      expect(
        report.series.reduce((sum, point) => sum + point[name as keyof OutcomeCounts], 0),
        name,
      ).toBe(count);
    expect(report.failures).toEqual([
      { status: "failed", code: "recipient_unreachable", count: 1 },
      { status: "rejected", code: "suppressed", count: 1 },
    ]);
    expect(report.sentMs).not.toBeNull();
    expect(report.previous.totals.accepted).toBe(0);
    expect(report.wholeHours).toBe(false);
  },
);

test("the last hour is the last sixty minutes, not the clock's hour, and is compared with the sixty before", async () => {
  const { world } = await makeTraffic();
  const inMinutes = async (minutes: number) => {
    const now = new Date(Date.now() + minutes * 60_000);
    const owner = { ...world.tenant.as("owner"), now: () => now };
    return overviewReport(owner, { period: "1h", environmentId: world.tenant.environments.production });
  };
  for (const minutes of [0, 20, 40, 57]) {
    const report = await inMinutes(minutes);
    expect([report.totals.accepted, report.previous.totals.accepted], `${String(minutes)} min`).toEqual([
      10, 0,
    ]);
    expect(Date.parse(report.to) - Date.parse(report.from)).toBe(3_600_000);
    expect(report.series).toHaveLength(12);
  }
  for (const minutes of [63, 90, 117]) {
    const report = await inMinutes(minutes);
    expect([report.totals.accepted, report.previous.totals.accepted]).toEqual([0, 10]);
    expect(report.previous.accepted.reduce((sum, count) => sum + count, 0)).toBe(10);
  }
});

test("the last hour agrees with the messages of its unit, application and channel only", async () => {
  const { world } = await makeTraffic();
  const owner = world.tenant.as("owner");
  const ask = { period: "1h" as const, environmentId: world.tenant.environments.production };
  expect((await overviewReport(owner, { ...ask, channel: "email" })).totals.accepted).toBe(0);
  expect((await overviewReport(owner, { ...ask, application: "nosuch" })).totals.accepted).toBe(0);
  expect((await overviewReport(owner, { ...ask, channel: "sms" })).totals.accepted).toBe(10);
  const other = await makeSendingWorld(database);
  const stranger = other.tenant.as("owner");
  expect((await overviewReport(stranger, ask)).totals.accepted).toBe(0);
});

test("an hour with more messages than are read one by one is told by whole hours from the rollups, and says so", async () => {
  const { world } = await makeTraffic();
  await database.owner.query(
    "UPDATE rollups SET accepted = accepted + 100000 WHERE tenant_id = $1 AND grain = 'hour' AND slice = 'whole'",
    [world.tenantId],
  );
  const report = await overviewReport(world.tenant.as("owner"), {
    period: "1h",
    environmentId: world.tenant.environments.production,
  });
  expect(report).toMatchObject({ wholeHours: true, step: "hour", compared: null });
  // What tells connections apart was not touched.
  expect(report.totals.accepted).toBe(10);
  expect(Date.parse(report.to) - Date.parse(report.from)).toBe(2 * 3_600_000);
});

test.each(["24h", "7d", "30d"] as const)(
  "over %s the hour that is not over is compared with nothing, nor its like with it",
  async (period) => {
    const { world } = await makeTraffic();
    const length = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24 }[period];
    const inHours = async (hours: number) => {
      const now = new Date(Date.now() + hours * 3_600_000);
      const owner = { ...world.tenant.as("owner"), now: () => now };
      const { environments } = world.tenant;
      const { totals, previous, compared, series } = await overviewReport(owner, {
        period,
        environmentId: environments.production,
      });
      expect(previous.accepted.length).toBeLessThanOrEqual(series.length);
      const seen = previous.accepted.reduce((sum, count) => sum + count, 0);
      const [over, then] = [compared?.now, compared?.then];
      return [
        totals.accepted,
        over?.accepted,
        over?.underWay,
        previous.totals.accepted,
        then?.accepted,
        seen,
      ];
    };
    expect(await inHours(0)).toEqual([10, 0, 0, 0, 0, 0]);
    expect(await inHours(1)).toEqual([10, 10, 2, 0, 0, 0]);
    expect(await inHours(length)).toEqual([0, 0, 0, 10, 0, 0]);
    expect(await inHours(length + 1)).toEqual([0, 0, 0, 10, 10, 10]);
  },
);

test("in a sandbox nothing is set apart as simulated, because everything is, and the report says that it is one", async () => {
  const world = await makeSendingWorld(database);
  const { id: simulator } = await world.tenant.addSimulator([]);
  const id = messageId(await world.send({}, { environment: "sandbox" }));
  await world.advance(id, claimOver(simulator), takenBy(1), becomes("delivered"));
  await foldMetrics(database.worker);
  for (const period of overviewPeriods) {
    const ask = { period, environmentId: world.tenant.environments.sandbox };
    const { sandbox, totals } = await overviewReport(world.tenant.as("owner"), ask);
    expect({ sandbox, delivered: totals.delivered, simulated: totals.simulated }).toEqual({
      sandbox: true,
      delivered: 1,
      simulated: 0,
    });
  }
});

test("reading the last hour touches its messages only, however many are older", async () => {
  const { world } = await makeTraffic();
  // Thousands of older ones of the same environment.
  await database.owner.query(
    `INSERT INTO notifications SELECT (jsonb_populate_record(NULL::notifications, to_jsonb(n) || jsonb_build_object(
       'id', uuidv7_floor(at), 'created_at', at))).*
     FROM (SELECT * FROM notifications WHERE tenant_id = $1 LIMIT 1) AS n
     CROSS JOIN generate_series(now() - interval '90 hours', now() - interval '3 hours', interval '1 minute') AS at`,
    [world.tenantId],
  );
  await database.owner.query("ANALYZE notifications");
  const statements: { text: string; values: unknown[] }[] = [];
  const query = (text: string, values: unknown[]) => {
    statements.push({ text, values });
    return database.worker.pool.query(text, values);
  };
  const db = { ...database.worker, pool: { query } as unknown as typeof database.worker.pool };
  const ctx = { ...world.tenant.as("owner"), db };
  const report = await overviewReport(ctx, {
    period: "1h",
    environmentId: world.tenant.environments.production,
  });
  expect(report.totals.accepted).toBe(10);
  const [reads] = statements.filter(({ text }) => text.includes("notification_facts"));
  const looked = await rowsLookedAt(database.owner, reads?.text ?? "", reads?.values ?? []);
  expect(looked).toBeGreaterThanOrEqual(10);
  expect(looked).toBeLessThan(100);
});
