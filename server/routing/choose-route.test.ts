import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseRoute } from "./choose-route.ts";
import type { RoutableConnection, RouteFacts, RoutingRule } from "./choose-route.ts";

const facts: RouteFacts = {
  region: "DE",
  applicationId: "shop",
  unitId: "alpha",
  channel: "sms",
  notificationType: "order",
  notificationSubtype: "receipt",
};
const europe = { spread: 0, allowedRegions: new Set(["EU"]), simulatorOnly: false };

function rule(id: string, fields: Partial<RoutingRule> = {}): RoutingRule {
  return {
    id,
    name: `Rule ${id}`,
    region: null,
    applicationId: null,
    channel: null,
    notificationType: null,
    notificationSubtype: null,
    priority: 100,
    tiers: [[{ connectionId: "a", weight: 1 }]],
    ...fields,
  };
}

function connections(...list: (Partial<RoutableConnection> & { id: string })[]) {
  return new Map(
    list.map((entry) => [
      entry.id,
      {
        name: `Connection ${entry.id}`,
        unitId: null,
        channels: ["sms"],
        processingRegion: "EU",
        enabled: true,
        adapter: { name: "twilio" },
        ...entry,
      },
    ]),
  );
}

const ids = (route: ReturnType<typeof chooseRoute>) => route.candidates.map((one) => one.connectionId);

describe("the sandbox", () => {
  const sandbox = { ...europe, simulatorOnly: true };
  const simulator = {
    id: "s",
    name: "Simulator",
    processingRegion: "US",
    adapter: { name: "simulator" },
    channels: ["sms", "email"],
  };

  it("has the simulator where the rules have nothing, and where they say so it is the rule's", () => {
    const known = connections({ id: "a" }, simulator);
    const own = { connectionId: "s", name: "Simulator", tier: 0, weight: 1, share: 100 };
    expect(chooseRoute([], known, facts, sandbox)).toMatchObject({ ruleId: null, candidates: [own] });
    expect(chooseRoute([rule("any")], known, facts, sandbox)).toMatchObject({
      ruleId: "any",
      candidates: [{ ...own, tier: 1 }],
      excluded: [{ connectionId: "a", code: "sandbox_only" }],
    });
    const named = rule("any", { tiers: [[{ connectionId: "s", weight: 5 }]] });
    const here = connections({ id: "a" }, { ...simulator, processingRegion: "EU" });
    expect(chooseRoute([named], here, facts, sandbox).candidates).toEqual([{ ...own, weight: 5 }]);
  });

  it("has nothing for a channel that the simulator does not carry, and lends it to no other environment", () => {
    const known = connections({ id: "a" }, simulator);
    expect(ids(chooseRoute([], known, { ...facts, channel: "whatsapp" }, sandbox))).toEqual([]);
    expect(ids(chooseRoute([], known, facts, europe))).toEqual([]);
  });
});

describe("the route of a message", () => {
  it("is decided by the most specific rule that matches the message", () => {
    const rules = [
      rule("any"),
      rule("channel", { channel: "sms" }),
      rule("both", { channel: "sms", region: "DE", priority: 900 }),
      rule("elsewhere", { channel: "sms", region: "FR", applicationId: "shop" }),
    ];
    const route = chooseRoute(rules, connections({ id: "a" }), facts, europe);
    expect(route.ruleId).toBe("both");
    expect(route.excluded).toContainEqual({
      ruleId: "elsewhere",
      ruleName: "Rule elsewhere",
      code: "not_matching",
      why: "the rule is for another region",
    });
    expect(route.excluded.map((entry) => entry.ruleId).sort()).toEqual(["any", "channel", "elsewhere"]);
  });

  it("is decided by priority among equally specific rules, and by id among equal priorities", () => {
    const first = chooseRoute(
      [rule("a", { region: "DE", priority: 20 }), rule("b", { channel: "sms", priority: 10 })],
      connections({ id: "a" }),
      facts,
      europe,
    );
    expect(first.ruleId).toBe("b");
    const tied = [rule("y", { region: "DE" }), rule("x", { channel: "sms" })];
    expect(chooseRoute(tied, connections({ id: "a" }), facts, europe).ruleId).toBe("x");
    expect(chooseRoute(tied.toReversed(), connections({ id: "a" }), facts, europe).ruleId).toBe("x");
  });

  it("lists the tiers in their order, and says why the others are left out", () => {
    const tier = (...members: string[]) => members.map((connectionId) => ({ connectionId, weight: 1 }));
    const route = chooseRoute(
      [
        rule("r", {
          tiers: [
            tier("gone", "off", "mail"),
            [{ connectionId: "zero", weight: 0 }, ...tier("first")],
            tier("us", "beta", "second"),
          ],
        }),
      ],
      connections(
        { id: "off", enabled: false },
        { id: "mail", channels: ["email"] },
        { id: "zero" },
        { id: "first" },
        { id: "us", processingRegion: "US" },
        { id: "beta", unitId: "beta" },
        { id: "second", unitId: "alpha" },
      ),
      facts,
      europe,
    );
    expect(route.candidates.map(({ connectionId, tier: index }) => [connectionId, index])).toEqual([
      ["first", 1],
      ["second", 2],
    ]);
    expect(Object.fromEntries(route.excluded.map((entry) => [entry.connectionId, entry.why]))).toEqual({
      gone: "the connection no longer exists",
      off: "the connection is disabled",
      mail: "the connection does not carry sms",
      zero: "its weight is 0",
      us: "the connection processes data in US, which the organisation does not allow",
      beta: "the connection belongs to another unit",
    });
  });

  it("leaves no candidate when no rule matches", () => {
    const route = chooseRoute([rule("r", { channel: "email" })], connections({ id: "a" }), facts, europe);
    expect(route).toMatchObject({ ruleId: null, candidates: [] });
  });

  it("distributes a tier's messages by weight", () => {
    const weights = { a: 70, b: 20, c: 10 };
    const tiers = [Object.entries(weights).map(([connectionId, weight]) => ({ connectionId, weight }))];
    const known = connections({ id: "a" }, { id: "b" }, { id: "c" });
    const firsts = { a: 0, b: 0, c: 0 };
    for (let step = 0; step < 1_000; step++) {
      const route = chooseRoute([rule("r", { tiers })], known, facts, { ...europe, spread: step / 1_000 });
      firsts[ids(route)[0] as keyof typeof firsts]++;
    }
    expect(firsts).toEqual({ a: 700, b: 200, c: 100 });
  });

  const connectionArbitrary = fc.record({
    unitId: fc.constantFrom(null, "alpha", "beta"),
    channels: fc.subarray(["sms", "email", "whatsapp"]),
    processingRegion: fc.constantFrom("EU", "US"),
    enabled: fc.boolean(),
  });
  const ruleArbitrary = fc.record({
    region: fc.constantFrom(null, "DE", "FR"),
    applicationId: fc.constantFrom(null, "shop", "desk"),
    channel: fc.constantFrom(null, "sms", "email"),
    notificationType: fc.constantFrom(null, "order", "marketing"),
    notificationSubtype: fc.constantFrom(null, "receipt"),
    priority: fc.integer({ min: 0, max: 3 }),
    tiers: fc.array(
      fc.array(fc.record({ connectionId: fc.constantFrom("0", "1", "2", "3", "4"), weight: fc.nat(5) }), {
        maxLength: 4,
      }),
      { maxLength: 3 },
    ),
  });

  it("holds for any rules: only usable connections, tier by tier, the same for the same message", () => {
    fc.assert(
      fc.property(
        fc.array(ruleArbitrary, { maxLength: 6 }),
        fc.array(connectionArbitrary, { maxLength: 5 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.subarray(["EU", "US"]),
        fc.nat(100),
        (ruleFields, connectionFields, spread, regions, rotation) => {
          const rules = ruleFields.map((fields, index) => rule(`r${String(index)}`, fields));
          const known = connections(
            ...connectionFields.map((fields, index) => ({ id: String(index), ...fields })),
          );
          const options = { spread, allowedRegions: new Set(regions), simulatorOnly: false };
          const route = chooseRoute(rules, known, facts, options);

          for (const candidate of route.candidates) {
            const connection = known.get(candidate.connectionId);
            expect(connection?.enabled).toBe(true);
            expect(connection?.channels).toContain("sms");
            expect([null, "alpha"]).toContain(connection?.unitId);
            expect(regions).toContain(connection?.processingRegion);
            expect(candidate.weight).toBeGreaterThan(0);
          }
          const tiers = route.candidates.map((candidate) => candidate.tier);
          expect(tiers).toEqual([...tiers].sort((a, b) => a - b));

          // Every member of the deciding rule is either a candidate or excluded with a reason.
          const decided = rules.find((one) => one.id === route.ruleId);
          const members = decided?.tiers.flat() ?? [];
          const reasons = route.excluded.filter((entry) => entry.connectionId !== undefined);
          expect(route.candidates.length + reasons.length).toBe(members.length);

          // No matching rule is more specific than the one that decides.
          const fields = [
            "region",
            "applicationId",
            "channel",
            "notificationType",
            "notificationSubtype",
          ] as const;
          const matches = (one: RoutingRule) =>
            fields.every((name) => [null, facts[name]].includes(one[name]));
          const named = (one: RoutingRule) => fields.filter((name) => one[name] !== null).length;
          const best = Math.max(-1, ...rules.filter(matches).map(named));
          expect(decided ? named(decided) : -1).toBe(best);

          // The order in which rules are stored does not matter.
          const turned = [...rules.slice(rotation % 7), ...rules.slice(0, rotation % 7)];
          expect(chooseRoute(turned, known, facts, options).candidates).toEqual(route.candidates);
        },
      ),
      { numRuns: 300 },
    );
  });
});
