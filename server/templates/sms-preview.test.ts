import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smsSegments } from "../template-language/segments.ts";
import { smsPreview } from "./sms-preview.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(...Array.from("abc €{}[]ñя“”–…😀e\u0301"), "👩‍🚀"), maxLength: 400 }),
  fc.string({ maxLength: 500 }),
);

describe("the split of an SMS into segments", () => {
  it("has as many parts as are billed, and together they are the text", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("auto", "GSM-7", "UCS-2"), (text, encoding) => {
        const preview = smsPreview(text, encoding);
        expect(preview).toMatchObject(smsSegments(text, encoding));
        expect(preview.parts.join("")).toBe(text);
        expect(preview.parts).toHaveLength(preview.segments);
        expect(preview.used).toBeLessThanOrEqual(preview.perSegment);
      }),
      { numRuns: 300 },
    );
  });

  it("shows how full the last segment is, in the units of the encoding", () => {
    expect(smsPreview("a".repeat(160))).toMatchObject({ perSegment: 160, used: 160 });
    expect(smsPreview("a".repeat(161))).toMatchObject({ perSegment: 153, used: 8 });
    expect(smsPreview("€")).toMatchObject({ perSegment: 160, used: 2 });
    expect(smsPreview("я".repeat(70))).toMatchObject({ perSegment: 70, used: 70 });
    expect(smsPreview("я".repeat(71))).toMatchObject({ perSegment: 67, used: 4 });
    expect(smsPreview("")).toMatchObject({ segments: 1, parts: [""], used: 0 });
  });

  it("offers plain forms only for characters that have one", () => {
    expect(smsPreview("“çok iyi” – ya").plainForms).toEqual({ "“": '"', "”": '"', "–": "-" });
  });
});
