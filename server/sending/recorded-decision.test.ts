import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { conversationOperations } from "../conversations/operations.ts";
import { deliveryReport } from "../insights/delivery-report.ts";
import { foldMetrics } from "../insights/fold-metrics.ts";
import { newId } from "../kernel/ids.ts";
import { forgetRules } from "../routing/load-rules.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { notificationOperations } from "./operations.ts";
import { recordDecision } from "./recorded-decision.ts";

const database = await testDatabase();
const twilio = await startFakeTwilio();
afterAll(() => twilio.close());
beforeEach(() => database.owner.query("DELETE FROM graphile_worker._private_jobs"));

const timelineOf = (world: SendingWorld, id: string) =>
  notificationOperations.timeline.call(world.tenant.as("owner"), { id });

async function change(world: SendingWorld, statement: string) {
  await database.owner.query(statement, [world.tenantId]);
  forgetRules(world.tenantId, world.tenant.environments.production);
}

/** Two connections in tiers; the first does not serve the sender, so that the second carries what is sent. */
async function twoTiers() {
  const world = await makeSendingWorld(database);
  const refusing = await startFakeTwilio();
  refusing.setMode({ kind: "error", status: 400, code: 21606 });
  const a = await world.addTwilio(refusing.baseUrl, { name: "First" });
  const b = await world.addTwilio(twilio.baseUrl, { name: "Second" });
  const off = await world.addTwilio(twilio.baseUrl, { name: "Off" });
  await database.owner.query("UPDATE provider_connections SET enabled = false WHERE id = $1", [off.id]);
  await world.addRule("production", [[a.id], [b.id, off.id]], { channel: "sms" });
  const id = messageId(await world.send());
  await world.runJobs();
  await refusing.close();
  return { world, id, a: a.id, b: b.id };
}

describe("why a message went the way it went", () => {
  test("is what was decided when it went, attempt by attempt, not what the rules say today", async () => {
    const { world, id, a, b } = await twoTiers();
    const before = await timelineOf(world, id);
    expect(before.decisions).toMatchObject([
      {
        attempt: 1,
        connectionId: a,
        rule: { since: "unchanged" },
        candidates: [
          { name: "First", tier: 0, state: null },
          { name: "Second", tier: 1, state: null },
        ],
        leftOut: [{ name: "Off", why: "the connection was disabled" }],
      },
      {
        attempt: 2,
        connectionId: b,
        candidates: [
          { name: "First", state: "failed" },
          { name: "Second", state: null },
        ],
      },
    ]);

    await change(
      world,
      `UPDATE routing_rules SET tiers = jsonb_build_array(jsonb_build_array(jsonb_build_object('connectionId', '${b}', 'weight', 1))) WHERE tenant_id = $1`,
    );
    const changed = await timelineOf(world, id);
    expect(changed.route.candidates.map(({ name }) => name)).toEqual(["Second"]);
    expect(changed.decisions.map(({ candidates }) => candidates.map(({ name }) => name))).toEqual([
      ["First", "Second"],
      ["First", "Second"],
    ]);
    expect(changed.decisions.map(({ rule }) => rule?.since)).toEqual(["changed", "changed"]);

    await change(world, "UPDATE routing_rules SET enabled = false WHERE tenant_id = $1");
    expect((await timelineOf(world, id)).decisions[1]?.rule?.since).toBe("disabled");
    await change(world, "DELETE FROM routing_rules WHERE tenant_id = $1");
    expect((await timelineOf(world, id)).decisions[1]?.rule?.since).toBe("deleted");
  });

  test("does not count a rule as changed that only has another name, or was changed back", async () => {
    const { world, id } = await twoTiers();
    const since = async () => (await timelineOf(world, id)).decisions[0]?.rule?.since;
    await change(world, "UPDATE routing_rules SET name = 'Renamed' WHERE tenant_id = $1");
    expect(await since()).toBe("unchanged");
    await change(world, "UPDATE routing_rules SET priority = 7 WHERE tenant_id = $1");
    expect(await since()).toBe("changed");
    await change(world, "UPDATE routing_rules SET priority = 100 WHERE tenant_id = $1");
    expect(await since()).toBe("unchanged");
  });

  test("is recorded of a message that nothing could carry, with who was left out and why", async () => {
    const world = await makeSendingWorld(database);
    const mail = await world.addSmtp(1, { name: "Mail" });
    await world.addRule("production", [[mail]], {});
    const id = messageId(await world.send());
    await world.runJobs();
    expect((await world.notification(id)).failure?.code).toBe("no_route");
    expect((await timelineOf(world, id)).decisions).toMatchObject([
      {
        attempt: null,
        connectionId: null,
        candidates: [],
        leftOut: [{ name: "Mail", why: "it did not carry this channel" }],
      },
    ]);
  });

  test("is not made up of today's rules for a message from before it was recorded", async () => {
    const { world, id } = await twoTiers();
    await database.owner.query("UPDATE attempts SET decision = NULL WHERE tenant_id = $1", [world.tenantId]);
    const { decisions, attempts } = await timelineOf(world, id);
    expect(decisions).toEqual([]);
    expect(attempts).toHaveLength(2);
  });

  test("takes at most 5 KB, however many connections a rule has and however long their names are", () => {
    const candidates = Array.from({ length: 200 }, () => ({
      connectionId: newId(),
      name: "Ä".repeat(128),
      tier: 0,
      weight: 1,
      share: 0.5,
    }));
    const decided = {
      rule: { id: newId(), name: "R".repeat(128), mark: "0123456789ab" },
      leftOut: candidates.map(({ connectionId: id, name }) => ({
        ...{ id, name },
        code: "connection_disabled" as const,
      })),
    };
    const recorded = recordDecision(decided, candidates, {
      health: new Map<string, ConnectionHealth>(),
      attempts: [],
    });
    expect(Buffer.byteLength(JSON.stringify(recorded))).toBeLessThan(5_000);
    expect(recorded.candidates).toHaveLength(8);
    expect(recorded.more).toBe(384);
  });
});

describe("what the simulator carried in production", () => {
  test("is said to be simulated with its message, its attempts, in the conversation and in the report, apart from what was delivered", async () => {
    const world = await makeSendingWorld(database);
    const simulator = await world.tenant.addSimulator(["production"]);
    const id = messageId(await world.send());
    await world.runJobs();
    const { notification, attempts } = await timelineOf(world, id);
    expect(notification.simulated).toBe(true);
    expect(attempts.map((attempt) => attempt.simulated)).toEqual([true]);
    const conversation = newId();
    await database.owner.query(
      `INSERT INTO conversations (tenant_id, id, sandbox, channel, address, own_address, connection_id, environment_id, application_id, unit_id, last_inbound_at)
       SELECT tenant_id, $3, false, channel, recipient, '', connection_id, environment_id, application_id, unit_id, now()
       FROM notifications WHERE tenant_id = $1 AND id = $2`,
      [world.tenantId, id, conversation],
    );
    const said = await conversationOperations.messages.call(world.tenant.as("owner"), {
      id: conversation,
      limit: 10,
    });
    expect(said.data).toMatchObject([{ id, direction: "outbound", simulated: true }]);
    await foldMetrics(database.worker);
    const owner = world.tenant.as("owner");
    const report = await deliveryReport(owner, { environmentId: world.tenant.environments.production });
    expect(report.totals.sent).toBe(1);
    expect(report.simulated).toMatchObject({ connectionId: simulator.id, sent: 1 });
    const other = await deliveryReport(owner, {
      environmentId: world.tenant.environments.production,
      provider: newId(),
    });
    expect(other.simulated).toMatchObject({ sent: 0, delivered: 0 });
  });

  test("a real provider's message is not", async () => {
    const { world, id } = await twoTiers();
    const { notification, attempts } = await timelineOf(world, id);
    expect(notification.simulated).toBe(false);
    expect(attempts.map((attempt) => attempt.simulated)).toEqual([false, false]);
  });
});
