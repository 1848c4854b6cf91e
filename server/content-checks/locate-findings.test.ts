import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModerationVerdict } from "../ai/wire.ts";
import { endpointFindings, piecesOf } from "../moderation/endpoint-check.ts";
import { occurrences, locateFindings } from "./locate-findings.ts";
import type { PolicyFinding } from "./policy-check.ts";

const body = {
  pointer: "/body",
  text: "No risk, {{ name }}: guaranteed gain.\n\nAgain: no\n  risk. No risk!",
};
const subject = { pointer: "/subject", text: "A safe offer" };
const claim = (more: Partial<Omit<PolicyFinding, "category">>) => ({
  category: "non_compliant_claim" as const,
  severity: "block" as const,
  pointer: "/body",
  excerpt: "No risk",
  explanation: "Nobody can promise that.",
  suggestion: "Little risk",
  ...more,
});
const place = (more: Parameters<typeof claim>[0], texts = [subject, body], variables: string[] = []) =>
  locateFindings([claim(more)], texts, variables);

describe("the position of a finding", () => {
  it("is every position of the excerpt", () => {
    expect(place({})).toMatchObject([
      { pointer: "/body", start: 0, end: 7, excerpt: "No risk", suggestion: "Little risk" },
      { pointer: "/body", start: 57, end: 64, excerpt: "No risk" },
    ]);
  });

  it("is found whatever the model did to white space, and without its quotation marks", () => {
    expect(place({ excerpt: "“Again: no risk.”" })).toMatchObject([
      { start: 39, end: 56, excerpt: "Again: no\n  risk." },
    ]);
  });

  it("is a whole word rather than a part of another, if there is one", () => {
    expect(place({ excerpt: "gain" })).toMatchObject([{ start: 32, end: 36 }]);
    expect(place({ excerpt: "guarantee" })).toMatchObject([{ start: 21, end: 30 }]);
  });

  it("is found in another text than the model named", () => {
    expect(place({ excerpt: "safe offer", pointer: "/nothing" })).toMatchObject([
      { pointer: "/subject", start: 2, end: 12 },
    ]);
  });

  it.each(["what stands nowhere", "", "…"])("is the whole text for %j, without a suggestion", (excerpt) => {
    expect(place({ excerpt })).toMatchObject([
      { pointer: "/body", start: 0, end: body.text.length, suggestion: null },
    ]);
    expect(place({ excerpt, pointer: "/nothing" })).toMatchObject([{ pointer: "/subject", start: 0 }]);
  });

  it("is given at most twenty times", () => {
    expect(occurrences("ha ".repeat(1_000), "ha")).toHaveLength(20);
  });

  it("is looked for within bounds when a model's answer does not end; what blocks comes first", () => {
    const many = Array.from({ length: 5_000 }, () => ({
      ...claim({ excerpt: "gain" }),
      severity: "warn" as const,
    }));
    const found = locateFindings([...many, claim({ excerpt: "Again" })], [body], []);
    expect(found).toHaveLength(100);
    expect(found[0]).toMatchObject({ severity: "block", excerpt: "Again" });
    expect(found.filter(({ suggestion }) => suggestion !== null)).toHaveLength(50);
  });

  it("contains the excerpt, for any text and any part of it", () => {
    const bare = (text: string) => text.replace(/[\s"“„»«”…]/g, "");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(50), fc.nat(20), (text, from, length) => {
        const excerpt = text.slice(from, from + length);
        fc.pre(bare(excerpt) !== "");
        const found = occurrences(text, excerpt);
        expect(found.length).toBeGreaterThan(0);
        for (const { start, end } of found) expect(bare(text.slice(start, end))).toBe(bare(excerpt));
      }),
    );
  });
});

describe("a suggestion", () => {
  it.each(["Up to 3%, {{ name }}", "Up to {{ rate }}", "", "{% if name %}Hello{% endif %}"])(
    "that keeps the text valid stays: %s",
    (suggestion) => {
      expect(place({ excerpt: "guaranteed gain", suggestion }, [body], ["rate"])[0]?.suggestion).toBe(
        suggestion,
      );
    },
  );

  it.each([
    ["has a variable that is not declared", "Up to {{ percent }}"],
    ["does not parse", "Up to {{ rate"],
    ["opens a block", "{% if name %}"],
    ["brings mark-up along", "<b>Gain</b>"],
    ["would be blocked itself", "Pay to DE89 3704 0044 0532 0130 00"],
    ["changes nothing", "guaranteed gain"],
  ])("that %s is dropped, the finding stays", (_, suggestion) => {
    expect(place({ excerpt: "guaranteed gain", suggestion }, [body], ["rate"])).toMatchObject([
      { excerpt: "guaranteed gain", suggestion: null },
    ]);
  });

  it("that would cut a tag in two is dropped", () => {
    expect(place({ excerpt: "risk, {{ na", suggestion: "danger" })).toMatchObject([{ suggestion: null }]);
  });
});

describe("the moderation endpoint", () => {
  const verdict = (category: string, score: number): ModerationVerdict => ({
    flagged: true,
    categories: [category],
    scores: { [category]: score },
  });
  const findings = (category: string, score: number) =>
    endpointFindings(piecesOf([body], "sms"), [verdict(category, score)]);

  it.each([
    ["harassment/threatening", 0.5, "abusive_language", "block"],
    ["hate", 0.5, "abusive_language", "block"],
    ["harassment", 0.9, "abusive_language", "block"],
    ["illicit", 0.5, "policy_violation", "block"],
    ["sexual/minors", 0.5, "policy_violation", "block"],
    // Anger, crisis lines and games are no reason to refuse a text.
    ["harassment", 0.5, "abusive_language", "warn"],
    ["self-harm", 0.99, "policy_violation", "warn"],
    ["violence", 0.99, "policy_violation", "warn"],
    ["something new", 0.99, "policy_violation", "warn"],
  ])("that flags %s with %d means %s: %s", (category, score, ours, severity) => {
    expect(findings(category, score)).toMatchObject([
      { category: ours, severity, pointer: "/body", start: 0, end: body.text.length, suggestion: null },
    ]);
  });

  it("reads all of a long text, in pieces that overlap, and gives one answer for it", () => {
    const text = Array.from({ length: 6_000 }, (_, index) => `w${String(index)}`).join(" ");
    const pieces = piecesOf([{ pointer: "/body", text }], "sms");
    expect(pieces.length).toBeGreaterThan(3);
    for (const word of text.split(" ")) {
      expect(pieces.some((piece) => ` ${piece.text} `.includes(` ${word} `))).toBe(true);
    }
    const verdicts = pieces.map((_, index) => verdict("harassment", index === 2 ? 0.9 : 0.5));
    expect(endpointFindings(pieces, verdicts)).toMatchObject([{ severity: "block" }]);
  });
});
