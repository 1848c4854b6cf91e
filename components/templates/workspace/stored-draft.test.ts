import { describe, expect, test } from "vitest";
import { emptyDraft } from "../draft.ts";
import { draftKey, parseStored, sameDraft } from "./stored-draft.ts";

const draft = { ...emptyDraft("webshop", "order/shipped"), name: "order-shipped", body: "Hi {{ name }}" };

describe("a draft kept on the device", () => {
  test("comes back as it was", () => {
    const stored = { draft, baseVersion: 3, at: "2026-11-21T14:02:00.000Z" };
    expect(parseStored(JSON.stringify(stored))).toEqual(stored);
  });

  test("of an earlier release gets the members that it lacks", () => {
    const { metadata: _, provider: __, ...older } = draft;
    const stored = parseStored(
      JSON.stringify({ draft: older, baseVersion: null, at: "2026-11-21T14:02:00Z" }),
    );
    expect(stored?.draft).toMatchObject({ metadata: {}, provider: "", body: "Hi {{ name }}" });
  });

  test.each([null, "", "{", "null", "{}", '{"draft":{},"at":"x"}', '{"draft":{"body":"x"},"at":"never"}'])(
    "that cannot be read is none: %s",
    (raw) => expect(parseStored(raw)).toBeNull(),
  );

  test("belongs to one person, one organisation and one template, and a variant's to the text it is made from", () => {
    const keys = [
      draftKey("t1", "u1", "a"),
      draftKey("t2", "u1", "a"),
      draftKey("t1", "u2", "a"),
      draftKey("t1", "u1", undefined),
      draftKey("t1", "u1", undefined, "a"),
      draftKey("t1", "u1", undefined, "b"),
    ];
    expect(new Set(keys).size).toBe(6);
  });
});

describe("whether something is unsaved", () => {
  test("depends on what was written, not on the order of writing it or on fields left empty", () => {
    const one = { ...draft, metadata: { from: "a@b.example", fromName: "A" } };
    expect(sameDraft(one, { ...draft, metadata: { fromName: "A", from: "a@b.example", replyTo: "" } })).toBe(
      true,
    );
    expect(sameDraft(one, { ...draft, metadata: { from: "a@b.example" } })).toBe(false);
    expect(sameDraft(draft, { ...draft, body: "Hi" })).toBe(false);
    expect(sameDraft(draft, { ...draft, note: "why" })).toBe(false);
  });
});
