import { describe, expect, it } from "vitest";
import { versionKey } from "../sending/template-tests.ts";
import { approvalKey } from "../templates/whatsapp-approvals.ts";
import { allPassed, evaluateGates } from "./gates.ts";
import type { GateFacts, GatedVersion } from "./gates.ts";

const version = (more: Partial<GatedVersion> = {}): GatedVersion => ({
  templateId: "a",
  version: 3,
  checkedBy: ["deterministic"],
  blocked: false,
  unreviewed: false,
  templateName: null,
  templateLanguage: "",
  notificationType: "order",
  ...more,
});
const facts = (versions: GatedVersion[], more: Partial<GateFacts> = {}): GateFacts => ({
  versions,
  production: true,
  allowWithoutAi: false,
  whatsapp: new Map(),
  isMarketing: () => false,
  tested: new Set(),
  ...more,
});
const none = {
  approvals: 0,
  moderation: false,
  whatsappApproval: false,
  whatsappCategory: false,
  testSend: false,
  humanReview: false,
};

describe("the gate for WhatsApp's category", () => {
  const gates = { ...none, whatsappCategory: true };
  const named = version({ templateName: "shipped", templateLanguage: "en" });
  const key = approvalKey({ templateId: "a", templateName: "shipped", language: "en" });
  const known = (category: string | null, nextCategory: string | null = null) =>
    new Map([[key, { status: "approved", reason: null, category, nextCategory }]]);

  it("fails for what WhatsApp counts as marketing, or will, and its type does not, and says what to do", () => {
    for (const whatsapp of [known("marketing"), known("utility", "marketing")]) {
      const [result] = evaluateGates(gates, 0, facts([named], { whatsapp }));
      expect(result).toMatchObject({ gate: "whatsappCategory", state: "failed", templates: ["a"] });
      expect(result?.detail).toMatch(/Reword it .* class marketing/);
      expect(evaluateGates(gates, 0, facts([named], { whatsapp, isMarketing: () => true }))).toMatchObject([
        { state: "passed" },
      ]);
    }
    for (const whatsapp of [known("utility"), known(null), new Map()]) {
      expect(evaluateGates(gates, 0, facts([named, version()], { whatsapp }))).toMatchObject([
        { state: "passed" },
      ]);
    }
  });
});

describe("the gate for a person's review", () => {
  const gates = { ...none, humanReview: true };

  it("waits for versions that AI had a part in and nobody has reviewed, and names them", () => {
    const [result] = evaluateGates(
      gates,
      0,
      facts([version(), version({ templateId: "b", unreviewed: true })]),
    );
    expect(result).toMatchObject({ gate: "humanReview", state: "waiting", templates: ["b"] });
    expect(evaluateGates(gates, 0, facts([version()]))).toMatchObject([
      { gate: "humanReview", state: "passed" },
    ]);
    expect(evaluateGates(none, 0, facts([version({ unreviewed: true })]))).toEqual([]);
  });
});

describe("gates", () => {
  it("that a stage does not have are not evaluated", () => {
    expect(evaluateGates(none, 0, facts([version({ blocked: true })]))).toEqual([]);
    expect(allPassed([])).toBe(true);
  });

  it.each([
    [1, 0, "waiting"],
    [2, 1, "waiting"],
    [2, 2, "passed"],
    [1, 3, "passed"],
  ])("with %i approvals required and %i given are %s", (approvals, given, state) => {
    expect(evaluateGates({ ...none, approvals }, given, facts([]))).toMatchObject([
      { gate: "approvals", state },
    ]);
  });

  const ai = ["deterministic", "policy:model"];
  it.each([
    ["what only the fixed checks saw", { checkedBy: ["deterministic"] }, {}, "failed"],
    ["what an AI service saw", { checkedBy: ai }, {}, "passed"],
    ["what an AI service saw and refused", { checkedBy: ai, blocked: true }, {}, "failed"],
    ["what the tenant lets through", { checkedBy: ["deterministic"] }, { allowWithoutAi: true }, "passed"],
    ["what blocks, whatever the tenant lets through", { blocked: true }, { allowWithoutAi: true }, "failed"],
    ["a stage that is not production", { checkedBy: ["deterministic"] }, { production: false }, "passed"],
    ["what nobody moderated", { checkedBy: [] }, { production: false }, "failed"],
  ] as const)("of moderation, for %s", (_what, more, stage, state) => {
    const results = evaluateGates({ ...none, moderation: true }, 0, facts([version({ ...more })], stage));
    expect(results).toMatchObject([{ gate: "moderation", state }]);
    expect(results[0]?.templates).toEqual(state === "failed" ? ["a"] : []);
  });

  const named = version({ templateName: "shipped", templateLanguage: "de" });
  const key = approvalKey({ templateId: "a", templateName: "shipped", language: "de" });
  it.each([
    ["approved", "passed"],
    ["pending", "waiting"],
    ["unsubmitted", "waiting"],
    ["rejected", "failed"],
    ["paused", "failed"],
    [null, "waiting"],
  ] as const)("of WhatsApp, for a template that is %s", (status, state) => {
    const whatsapp = new Map(status === null ? [] : [[key, { status, reason: null }]]);
    const gates = { ...none, whatsappApproval: true };
    expect(evaluateGates(gates, 0, facts([named, version()], { whatsapp }))).toMatchObject([{ state }]);
    // Session messages and other channels name none.
    expect(evaluateGates(gates, 0, facts([version()], { whatsapp }))).toMatchObject([{ state: "passed" }]);
  });

  it("of WhatsApp use the name and language of the version, not another's approval", () => {
    const whatsapp = new Map([[key, { status: "approved", reason: null }]]);
    const other = version({ templateName: "shipped", templateLanguage: "en" });
    expect(evaluateGates({ ...none, whatsappApproval: true }, 0, facts([other], { whatsapp }))).toMatchObject(
      [{ state: "waiting" }],
    );
  });

  it("of test sends use the exact version", () => {
    const gates = { ...none, testSend: true };
    const tested = new Set([versionKey("a", 2)]);
    expect(evaluateGates(gates, 0, facts([version()], { tested }))).toMatchObject([{ state: "waiting" }]);
    tested.add(versionKey("a", 3));
    expect(evaluateGates(gates, 0, facts([version()], { tested }))).toMatchObject([{ state: "passed" }]);
  });

  it("name at most fifty templates", () => {
    const many = Array.from({ length: 80 }, (_, index) => version({ templateId: String(index) }));
    const [result] = evaluateGates({ ...none, moderation: true }, 0, facts(many));
    expect(result?.templates).toHaveLength(50);
    expect(result?.detail).toContain("80 versions");
  });
});
