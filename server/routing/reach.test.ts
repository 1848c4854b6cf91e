import { beforeAll, describe, expect, it } from "vitest";
import { forgetHealth } from "../connections/connection-state.ts";
import { newId } from "../kernel/ids.ts";
import { explainSend } from "../sending/explain-send.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { orderOfSend } from "../sending/orders.ts";
import { sendRequestSchema } from "../sending/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { createRule } from "./create-rule.ts";
import { dryRun } from "./dry-run.ts";
import { routingMatrix } from "./routing-matrix.ts";
import { ruleInputSchema } from "./schemas.ts";
import { unroutable } from "./unroutable.ts";

const database = await testDatabase();
let world: SendingWorld;
let environmentId: string;
let europe: string;
let america: string;
const only = (connectionId: string) => [[{ connectionId, weight: 100 }]];

beforeAll(async () => {
  world = await makeSendingWorld(database);
  const { tenant } = world;
  environmentId = tenant.environments.production;
  europe = (await world.addTwilio("http://127.0.0.1:9", { name: "Europe" })).id;
  america = (await world.addTwilio("http://127.0.0.1:9", { name: "America", processingRegion: "US" })).id;
  await createRule(tenant.system, {
    ...ruleInputSchema.parse({ name: "SMS", channel: "sms", tiers: only(europe) }),
    environmentId,
  });
  // As if nothing had ever refused it.
  await world.addRule("production", [[america]], { channel: "sms", region: "FR" });
  await createRule(tenant.system, {
    ...ruleInputSchema.parse({
      name: "Switched off",
      enabled: false,
      notificationType: "marketing",
      tiers: only(europe),
    }),
    environmentId,
  });
});

const example = {
  application: "shop",
  channel: "sms" as const,
  notificationType: "order",
  notificationSubtype: "order_status",
};

describe("a dry run", () => {
  it("names the rule, its connections and why each of the others is left out", async () => {
    const { route, problem, region } = await dryRun(world.tenant.as("operator"), {
      ...example,
      environmentId,
    });
    expect(region).toBe("DE");
    expect(problem).toBeNull();
    expect(route).toMatchObject({
      ruleName: "SMS",
      candidates: [{ name: "Europe", tier: 0, share: 100, health: null }],
    });
    expect(route.excluded.map(({ code, why }) => [code, why])).toEqual([
      ["not_matching", "the rule is for another region"],
    ]);
  });

  it("names residency where that is the obstacle", async () => {
    const result = await dryRun(world.tenant.system, { ...example, region: "FR", environmentId });
    expect(result.route.candidates).toEqual([]);
    expect(result.problem?.code).toBe("region_not_allowed");
    expect(result.route.excluded).toContainEqual(
      expect.objectContaining({ code: "region_not_allowed", name: "America" }),
    );
  });

  it("tries an unsaved rule in place of the stored one, and leaves everything as it is", async () => {
    const draft = {
      ...ruleInputSchema.parse({ name: "Draft", channel: "sms", region: "DE", tiers: only(europe) }),
    };
    const tried = await dryRun(world.tenant.system, { ...example, environmentId, draft });
    expect(tried.route.ruleName).toBe("Draft");
    expect((await dryRun(world.tenant.system, { ...example, environmentId })).route.ruleName).toBe("SMS");
    const none = await dryRun(world.tenant.system, { ...example, environmentId, rules: [] });
    expect(none.problem?.code).toBe("no_rule");
  });

  it("shows a connection that is out, and which one is used meanwhile", async () => {
    const own = await makeSendingWorld(database);
    const ids = [];
    for (const name of ["First", "Second"])
      ids.push((await own.addTwilio("http://127.0.0.1:9", { name })).id);
    const [first, second] = ids as [string, string];
    const at = own.tenant.environments.production;
    const tiers = [
      [
        { connectionId: first, weight: 60 },
        { connectionId: second, weight: 40 },
      ],
    ];
    await createRule(own.tenant.system, {
      ...ruleInputSchema.parse({ name: "Both", tiers }),
      environmentId: at,
    });
    await database.owner.query(
      `INSERT INTO connection_health (tenant_id, connection_id, breaker, since, reason_code, updated_at)
       VALUES ($1, $2, 'open', now(), 'provider_unavailable', now())`,
      [own.tenantId, first],
    );
    forgetHealth(own.tenantId);
    const { route, warnings } = await dryRun(own.tenant.system, { ...example, environmentId: at });
    expect(route.candidates.map(({ name, health }) => [name, health?.breaker])).toEqual([
      ["Second", undefined],
      ["First", "open"],
    ]);
    expect(warnings).toMatchObject([{ code: "breaker_open", connectionId: first }]);
  });

  it("warns of the simulator where messages are to arrive, not in the sandbox", async () => {
    const own = await makeSendingWorld(database);
    const { id } = await own.tenant.addSimulator(["production", "sandbox"]);
    const warnedIn = async (environment: "production" | "sandbox") =>
      (await dryRun(own.tenant.system, { ...example, environmentId: own.tenant.environments[environment] }))
        .warnings;
    expect(await warnedIn("production")).toMatchObject([{ code: "simulated", connectionId: id }]);
    expect(await warnedIn("sandbox")).toEqual([]);
  });

  it("of an application of another unit is answered like one that does not exist", async () => {
    const beta = world.tenant.as("operator", world.tenant.units.beta);
    const foreign = await refusal(dryRun(beta, { ...example, environmentId }));
    const unknown = await refusal(dryRun(beta, { ...example, application: "nope", environmentId }));
    expect([foreign.code, foreign.message]).toEqual([unknown.code, unknown.message]);
  });
});

describe("explaining a send", () => {
  it("shows the same route as a dry run", async () => {
    const order = orderOfSend(environmentId, sendRequestSchema.parse(sendBody({ region: "DE" })));
    const [message] = (await explainSend(world.tenant.system, order)).messages;
    const tried = await dryRun(world.tenant.system, { ...example, region: "DE", environmentId });
    expect(message?.route).toEqual(tried.route);
  });

  it("explains a stored message with its own share of the tier, which is where it goes", async () => {
    const own = await makeSendingWorld(database);
    const twilio = await startFakeTwilio();
    const tier = [];
    for (const name of ["A", "B"]) {
      tier.push({ connectionId: (await own.addTwilio(twilio.baseUrl, { name })).id, weight: 50 });
    }
    await createRule(own.tenant.system, {
      ...ruleInputSchema.parse({ name: "Half", channel: "sms", tiers: [tier] }),
      environmentId: own.tenant.environments.production,
    });
    const told = new Set<string>();
    for (let sent = 0; sent < 24 && told.size < 2; sent++) {
      const id = messageId(await own.send({ transactionId: newId() }));
      await own.runJobs();
      const timeline = await getTimeline(own.tenant.system, { id });
      const first = timeline.route.candidates[0];
      expect(first?.share).toBe(50);
      expect(first?.name).toBe(timeline.attempts[0]?.provider);
      told.add(first?.name ?? "");
    }
    await twilio.close();
    expect([...told].sort()).toEqual(["A", "B"]);
  });
});

describe("the matrix", () => {
  it("agrees with a dry run in each cell", async () => {
    const { system } = world.tenant;
    const matrix = await routingMatrix(system, { environmentId, by: "region", search: "shop" });
    expect(matrix.columns).toEqual(["DE", "FR"]);
    const sms = matrix.rows.find(({ channel }) => channel === "sms");
    for (const [index, region] of matrix.columns.entries()) {
      const { route, problem } = await dryRun(system, { ...example, region, environmentId });
      const cell = sms?.cells[index] ?? [];
      expect(cell).toHaveLength(1);
      expect(cell[0]?.ruleId).toBe(route.ruleId);
      expect(cell[0]?.tiers.flat().map(({ name }) => name)).toEqual(route.candidates.map(({ name }) => name));
      expect(cell[0]?.problem?.code).toBe(problem?.code);
    }
  });

  it("shows a unit's member only their applications", async () => {
    const beta = world.tenant.as("operator", world.tenant.units.beta);
    const { rows } = await routingMatrix(beta, { environmentId, by: "region" });
    expect(new Set(rows.map(({ application }) => application))).toEqual(new Set(["desk"]));
  });
});

describe("what cannot be routed", () => {
  it("is listed before anybody sends it, with the reason", async () => {
    const { gaps, checked } = await unroutable(world.tenant.system, { environmentId, hours: 24 });
    expect(checked).toBeGreaterThan(0);
    const told = gaps.map(({ application, channel, problem }) => [application, channel, problem.code]);
    expect(told).toContainEqual(["shop", "sms", "region_not_allowed"]);
    expect(told).toContainEqual(["shop", "email", "no_rule"]);
    // Only marketing has a rule that would match.
    expect(told).toContainEqual(["shop", "email", "rules_disabled"]);
    expect(gaps.find(({ problem }) => problem.code === "rules_disabled")?.problem.detail).toContain(
      "Switched off",
    );
  });

  it("includes connections without a sender for a region", async () => {
    const own = await makeSendingWorld(database);
    const { id } = await own.addTwilio("http://127.0.0.1:9", { name: "German" });
    await database.owner.query(
      "UPDATE provider_connections SET senders = $2, updated_at = now() WHERE id = $1",
      [id, JSON.stringify([{ channel: "sms", region: "FR", sender: "+33123456789" }])],
    );
    const at = own.tenant.environments.production;
    await createRule(own.tenant.system, {
      ...ruleInputSchema.parse({ name: "SMS", channel: "sms", tiers: only(id) }),
      environmentId: at,
    });
    const { gaps } = await unroutable(own.tenant.system, { environmentId: at, hours: 24 });
    const warning = gaps.find(({ severity }) => severity === "warning");
    expect(warning?.problem.code).toBe("sender_missing");
    expect(warning?.problem.detail).toContain("no sender for DE");
  });

  it("counts the messages that failed without a route, for those who see their application", async () => {
    const own = await makeSendingWorld(database);
    const { id } = await own.addTwilio("http://127.0.0.1:9");
    const at = own.tenant.environments.production;
    await own.addRule("production", [[id]], { channel: "email" });
    await own.send();
    await own.runJobs();
    const counts = async (unitId: string | null) =>
      (await unroutable(own.tenant.as("operator", unitId), { environmentId: at, hours: 24 })).traffic.map(
        ({ application, channel, count }) => [application, channel, count],
      );
    expect(await counts(null)).toEqual([["shop", "sms", 1]]);
    expect(await counts(own.tenant.units.beta)).toEqual([]);
  });
});
