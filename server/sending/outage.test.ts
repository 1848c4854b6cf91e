import { afterAll, expect, it } from "vitest";
import { forgetHealth } from "../connections/connection-state.ts";
import { dryRun } from "../routing/dry-run.ts";
import { routingMatrix } from "../routing/routing-matrix.ts";
import { unroutable } from "../routing/unroutable.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { currentOutage } from "./outage.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());

const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    channel: "sms" as const,
    recipient: `+49151${String(10_000_000 + index)}`,
  }));

/** A world whose only connection for SMS has been found unavailable. */
async function worldOut() {
  const world = await makeSendingWorld(database);
  const { id } = await world.addTwilio(provider.baseUrl, { name: "Twilio EU" });
  await world.addRule("production", [[id]]);
  const environmentId = world.tenant.environments.production;
  provider.setMode({ kind: "error", status: 401, code: 20003 });
  await world.send({ recipients: recipients(1) });
  await world.runJobs();
  await world.health.settled();
  provider.setMode({ kind: "ok" });
  forgetHealth(world.tenantId);
  await world.send({ recipients: recipients(3) });
  await world.runJobs();
  forgetHealth(world.tenantId);
  return { ...world, connectionId: id, environmentId };
}

it("an outage names the connection, its reason and rule, and how many messages of which application wait since when, the one that showed it included", async () => {
  const world = await worldOut();
  const { connections } = await currentOutage(world.tenant.system, { environmentId: world.environmentId });
  expect(connections).toHaveLength(1);
  const [found] = connections;
  expect(found).toMatchObject({ id: world.connectionId, name: "Twilio EU", breaker: "open" });
  expect(found?.reason?.detail).not.toBe("");
  expect(found?.ruleId).not.toBeNull();
  expect(found?.waiting).toMatchObject({ count: 4, more: false });
  expect(found?.waiting.applications).toEqual([
    { name: "shop", title: expect.any(String) as string, count: 4 },
  ]);
  expect(Date.now() - Date.parse(found?.waiting.oldestAt ?? "")).toBeLessThan(60_000);
});

it("an outage of one environment is none of another's, and nobody is told how much waits in another team", async () => {
  const world = await worldOut();
  const staging = await currentOutage(world.tenant.system, {
    environmentId: world.tenant.environments.staging,
  });
  expect(staging.connections).toEqual([]);
  const beta = world.tenant.as("operator", world.tenant.units.beta);
  const seen = await currentOutage(beta, { environmentId: world.environmentId });
  expect(seen.connections.map(({ waiting }) => waiting.count)).toEqual(seen.connections.map(() => 0));
});

it("nothing is wrong any more once the connection works and the messages have left", async () => {
  const world = await worldOut();
  await database.owner.query("UPDATE connection_health SET breaker = 'closed' WHERE connection_id = $1", [
    world.connectionId,
  ]);
  forgetHealth(world.tenantId);
  expect(await currentOutage(world.tenant.system, { environmentId: world.environmentId })).toEqual({
    connections: [],
  });
});

it("what only unavailable connections could carry is listed as unroutable, in the matrix and in a dry run", async () => {
  const world = await worldOut();
  const { system } = world.tenant;
  const { environmentId } = world;
  const { gaps } = await unroutable(system, { environmentId, hours: 24 });
  const gap = gaps.find(({ problem }) => problem.code === "no_working_connection");
  expect(gap).toMatchObject({ application: "shop", channel: "sms", severity: "blocked" });
  expect(gap?.problem.detail).toContain('"Twilio EU" is unavailable');
  const { rows } = await routingMatrix(system, { environmentId, by: "region" });
  const cell = rows.find(({ application, channel }) => application === "shop" && channel === "sms")?.cells[0];
  expect(cell?.[0]?.problem?.code).toBe("no_working_connection");
  const result = await dryRun(system, {
    environmentId,
    application: "shop",
    channel: "sms",
    notificationType: "order",
    notificationSubtype: "order_status",
  });
  expect(result.problem?.code).toBe("no_working_connection");
  const warning = result.warnings.find(({ code }) => code === "breaker_open");
  expect(warning?.detail).toContain("messages wait");
});

it("a second connection that works takes over, and the dry run says so", async () => {
  const world = await worldOut();
  const { id } = await world.addTwilio(provider.baseUrl, { name: "Twilio US" });
  await database.owner.query("UPDATE routing_rules SET tiers = $2 WHERE tenant_id = $1", [
    world.tenantId,
    JSON.stringify([[{ connectionId: world.connectionId, weight: 1 }], [{ connectionId: id, weight: 1 }]]),
  ]);
  const { system } = world.tenant;
  const { gaps } = await unroutable(system, { environmentId: world.environmentId, hours: 24 });
  expect(gaps.filter(({ problem }) => problem.code === "no_working_connection")).toEqual([]);
});
