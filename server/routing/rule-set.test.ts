import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differencesOf, prioritiesFor, summaryOf } from "./rule-set.ts";
import type { SnapshotRule } from "./rule-set.ts";
import { wholePercent } from "./vocabulary.ts";

describe("priorities for an order", () => {
  it("put rules into exactly that order, whatever they had", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }), (priorities) => {
        const order = priorities.map((priority, index) => ({ id: String(index), priority }));
        const changed = prioritiesFor(order);
        const result = order.map(({ id, priority }) => changed.get(id) ?? priority);
        expect(result.every((priority, index) => index === 0 || priority > (result[index - 1] ?? 0))).toBe(
          true,
        );
        expect(result.every((priority) => Number.isInteger(priority) && priority >= 1)).toBe(true);
      }),
    );
  });

  it("leave an ascending order as it is", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 1_000 }), { maxLength: 30 }), (priorities) => {
        const order = priorities
          .toSorted((a, b) => a - b)
          .map((priority, index) => ({ id: String(index), priority }));
        expect(prioritiesFor(order).size).toBe(0);
      }),
    );
  });

  it("change only the moved rule where there is room", () => {
    const order = [30, 10, 20, 40].map((priority) => ({ id: `was ${String(priority)}`, priority }));
    expect(prioritiesFor(order)).toEqual(new Map([["was 30", 5]]));
  });

  it("are renumbered where there is none", () => {
    const order = [3, 1, 2].map((priority) => ({ id: `was ${String(priority)}`, priority }));
    expect(prioritiesFor(order)).toEqual(
      new Map([
        ["was 3", 10],
        ["was 1", 20],
        ["was 2", 30],
      ]),
    );
  });
});

describe("whole percent", () => {
  it("always adds up to 100, leaves nobody at zero, and gives the larger weight never less", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 1, maxLength: 20 }), (weights) => {
        const shares = wholePercent(weights);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100);
        expect(shares.every((share) => Number.isInteger(share) && share >= 1)).toBe(true);
        const byWeight = weights.map((weight, index) => [weight, shares[index] ?? 0] as const);
        for (const [weight, share] of byWeight) {
          for (const [other, theirs] of byWeight)
            if (weight > other) expect(share).toBeGreaterThanOrEqual(theirs);
        }
      }),
    );
  });
});

describe("differences between two sets of rules", () => {
  const rule = (id: string, fields: Partial<SnapshotRule> = {}): SnapshotRule => ({
    id,
    name: id,
    enabled: true,
    region: null,
    applicationId: null,
    channel: null,
    notificationType: null,
    notificationSubtype: null,
    priority: 100,
    tiers: [[{ connectionId: "c", weight: 100, name: "Twilio" }]],
    ...fields,
  });
  const wording = { application: (id: string) => id };

  it("describe the changes of connections and their shares", () => {
    const tiers = [
      [
        { connectionId: "c", weight: 70, name: "Twilio" },
        { connectionId: "d", weight: 30, name: "Vonage" },
      ],
      [{ connectionId: "e", weight: 100, name: "Infobip" }],
    ];
    const [difference] = differencesOf([rule("a")], [rule("a", { tiers })], wording);
    expect(difference?.fields).toEqual([
      { field: "connections", before: "Twilio", after: "Twilio 70% and Vonage 30%, then Infobip" },
    ]);
  });

  it("are none between equal sets, in any order", () => {
    expect(differencesOf([rule("a"), rule("b")], [rule("b"), rule("a")], wording)).toEqual([]);
  });

  it("become one line", () => {
    const old = [rule("a"), rule("b"), rule("c")];
    const line = (after: SnapshotRule[]) => summaryOf(differencesOf(old, after, wording));
    expect(line(old.filter(({ id }) => id !== "b"))).toBe('Deleted rule "b"');
    expect(line(old.map((each) => ({ ...each, priority: 1 })))).toBe("Reordered 3 rules");
    expect(line([rule("a", { enabled: false }), rule("b"), rule("c")])).toBe('Disabled rule "a"');
    expect(line([rule("a", { region: "DE" }), rule("new"), rule("newer")])).toBe(
      "Added 2 rules, changed 1 rule, deleted 2 rules",
    );
  });
});
