import { expect, test } from "vitest";
import { consentPolicyProblem, readTenantSettings } from "./settings.ts";

test("a missing setting has its default", () => {
  for (const stored of [{}, null, undefined, { other: 1 }]) {
    expect(readTenantSettings(stored)).toEqual({
      ai: { enabled: true, drafting: true, policy: "", monthlyTokens: null, allowWithoutAi: false },
      consentPolicies: [],
      consentWords: { stop: [], start: [], help: [] },
      wordReplies: {
        stop: { enabled: true, text: null },
        start: { enabled: true, text: null },
        help: { enabled: true, text: null },
      },
      retention: { contentDays: 90, metadataMonths: 13, webhookLogDays: 30 },
      allowedTransferRegions: [],
    });
  }
});

test("a malformed part counts as its strictest value, and the others are kept", () => {
  const settings = readTenantSettings({
    ai: { enabled: "no" },
    allowedTransferRegions: ["US"],
    consentPolicies: [{ class: "service", policy: "exempt" }],
  });
  expect(settings.ai).toMatchObject({ enabled: false, drafting: false, allowWithoutAi: false });
  expect(settings.allowedTransferRegions).toEqual(["US"]);
  expect(settings.consentPolicies).toEqual([{ class: "service", policy: "exempt" }]);
});

test("malformed retention deletes nothing early", () => {
  const longest = { contentDays: 730, metadataMonths: 60, webhookLogDays: 365 };
  expect(readTenantSettings({ retention: { contentDays: 1 } }).retention).toEqual(longest);
  expect(readTenantSettings("no").retention).toEqual(longest);
});

test("malformed settings allow nothing", () => {
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

test("a consent policy that cannot be read is told from one that can", () => {
  for (const stored of [{}, null, { consentPolicies: [] }, { ai: 7 }]) {
    expect(consentPolicyProblem(stored)).toBeNull();
  }
  expect(consentPolicyProblem({ consentPolicies: [{ class: "service", policy: "maybe" }] })).toBe("policy");
  expect(consentPolicyProblem({ consentPolicies: {} })).toBe("policy");
  for (const stored of [7, "no", []]) expect(consentPolicyProblem(stored)).toBe("settings");
});
