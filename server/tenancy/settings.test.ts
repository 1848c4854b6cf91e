import { expect, test } from "vitest";
import { readTenantSettings } from "./settings.ts";

test("what is not set has its default", () => {
  for (const stored of [{}, null, undefined, { other: 1 }]) {
    expect(readTenantSettings(stored)).toEqual({
      ai: { enabled: true, drafting: true, policy: "", monthlyTokens: null, allowWithoutAi: false },
      consentPolicies: [],
      allowedTransferRegions: [],
    });
  }
});

test("a part that cannot be read counts as its strictest, and the others hold", () => {
  const settings = readTenantSettings({
    ai: { enabled: "no" },
    allowedTransferRegions: ["US"],
    consentPolicies: [{ class: "service", policy: "exempt" }],
  });
  expect(settings.ai).toMatchObject({ enabled: false, drafting: false, allowWithoutAi: false });
  expect(settings.allowedTransferRegions).toEqual(["US"]);
  expect(settings.consentPolicies).toEqual([{ class: "service", policy: "exempt" }]);
});

test("settings that are no settings at all allow nothing", () => {
  for (const stored of [
    7,
    "no",
    [],
    { consentPolicies: [{ policy: "?" }], allowedTransferRegions: "US", ai: [] },
  ]) {
    const { ai, consentPolicies, allowedTransferRegions } = readTenantSettings(stored);
    expect(ai.enabled).toBe(false);
    expect(allowedTransferRegions).toEqual([]);
    expect(consentPolicies.map((entry) => [entry.class, entry.policy])).toEqual([
      ["authentication", "opt_out"],
      ["transactional", "opt_in_required"],
      ["service", "opt_in_required"],
      ["marketing", "opt_in_required"],
    ]);
  }
});
