import fc from "fast-check";
import { expect, test } from "vitest";
import { consentPolicy } from "../../server/consent/consent-policy.ts";
import type { ConsentPolicyOverride } from "../../server/tenancy/schemas.ts";
import { channels } from "../messages/channel.tsx";
import { classes } from "./consent-words.ts";
import {
  chosenFor,
  draftOf,
  inheritedBy,
  overridesOf,
  preview,
  sameDraft,
  withCell,
  withoutRegion,
} from "./policy-draft.ts";

const policies = ["opt_in_required", "opt_out", "exempt"] as const;
const regions = ["DE", "US"];

const override = fc
  .record({
    class: fc.constantFrom(...classes),
    channel: fc.option(fc.constantFrom(...channels), { nil: undefined }),
    region: fc.option(fc.constantFrom(...regions), { nil: undefined }),
    policy: fc.constantFrom(...policies),
  })
  .map(({ channel, region, ...rest }): ConsentPolicyOverride => ({
    ...rest,
    ...(channel && { channel }),
    ...(region && { region }),
  }));
const stored = fc.uniqueArray(override, {
  maxLength: 30,
  selector: (each) => [each.class, each.channel, each.region].join("/"),
});

const everyCell = classes.flatMap((of) =>
  channels.flatMap((channel) => [...regions, "FR"].map((region) => ({ class: of, channel, region }))),
);

test("opening and saving a policy changes nothing of what holds, however it was written", () => {
  fc.assert(
    fc.property(stored, (consentPolicies) => {
      const draft = draftOf(consentPolicies);
      const saved = overridesOf(draft);
      for (const cell of everyCell) {
        const holds = consentPolicy({ consentPolicies }, cell);
        expect(consentPolicy({ consentPolicies: saved }, cell)).toBe(holds);
        // And the cell says so.
        expect(chosenFor(draft, cell) ?? inheritedBy(draft, cell)).toBe(holds);
      }
      expect(sameDraft(draftOf(saved), draft)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("what is chosen for a cell holds there and nowhere else", () => {
  fc.assert(
    fc.property(
      stored,
      fc.constantFrom(...everyCell),
      fc.constantFrom(...policies),
      (before, cell, policy) => {
        const consentPolicies = overridesOf(withCell(draftOf(before), cell, policy));
        for (const other of everyCell) {
          expect(consentPolicy({ consentPolicies }, other)).toBe(
            other === cell ? policy : consentPolicy({ consentPolicies: before }, other),
          );
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("a region that is taken out goes by what holds everywhere", () => {
  const draft = draftOf([{ class: "marketing", region: "DE", policy: "exempt" }]);
  expect(overridesOf(withoutRegion(draft, "DE"))).toEqual([]);
});

test("the preview asks what was said in the region, else everywhere, and nothing goes to a suppressed address", () => {
  const states = [
    { class: "marketing", region: null, state: "opted_in", policy: "exempt", allowed: true },
    { class: "marketing", region: "DE", state: "opted_out", policy: "exempt", allowed: true },
  ] as const;
  const draft = draftOf([{ class: "marketing", policy: "opt_out" }]);
  const marketing = (region: string, suppressed = false) =>
    preview([{ channel: "sms", suppressed, states: [...states] }], draft, region)[0]?.classes.find(
      (each) => each.class === "marketing",
    );
  expect(marketing("FR")).toMatchObject({ said: "opted_in", policy: "opt_out", allowed: true });
  expect(marketing("DE")).toMatchObject({ said: "opted_out", allowed: false });
  expect(marketing("FR", true)).toMatchObject({ allowed: false });
});
