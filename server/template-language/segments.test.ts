import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import { describe, expect, it } from "vitest";
import { smsSegments, toGsmForms } from "./segments.ts";

const gsm = Array.from(
  "\n\r !\"#$%&'()*+,-./0123456789:;<=>?@ABCabc_¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ" + "\f[\\]^{|}~€",
);

function expectAsCalculated(text: string): void {
  const calculated = new SegmentedMessage(text);
  expect(smsSegments(text)).toEqual({
    encoding: calculated.encodingName,
    segments: calculated.segmentsCount,
    unicodeCharacters: [...new Set(calculated.getNonGsmCharacters())],
  });
}

describe("SMS segments", () => {
  it("equal the calculator on texts of GSM-7", () => {
    const text = fc.string({ unit: fc.constantFrom(...gsm), maxLength: 500 });
    fc.assert(fc.property(text, expectAsCalculated), { numRuns: 300 });
  });

  it("equal the calculator on texts of several scripts", () => {
    const unit = fc.constantFrom(...gsm.slice(0, 60), ...Array.from("çáяЖ漢字한글אبñ“”–…\u00a0"));
    fc.assert(fc.property(fc.string({ unit, maxLength: 300 }), expectAsCalculated), { numRuns: 200 });
  });

  it("equal the calculator on any text, with emoji, combining marks and broken surrogates", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), expectAsCalculated), {
      numRuns: 200,
    });
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 150 });
    fc.assert(
      fc.property(units, (codes) => {
        expectAsCalculated(String.fromCharCode(...codes));
      }),
      { numRuns: 200 },
    );
  });

  it("equal the calculator on texts of every plane, wherever an extension character or a pair meets a segment's end", () => {
    const unit = fc.oneof(
      fc.constantFrom(...gsm),
      fc.constantFrom(...Array.from("^{}\\[~]|€\f")),
      fc.constantFrom("👍🏽", "👩‍👩‍👧", "🇩🇪", "e\u0301", "\u0301", "\u200d", "\ufe0f", "\u20e3", "à", "ſ", "İ"),
      fc.integer({ min: 0x80, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    );
    fc.assert(fc.property(fc.string({ unit, maxLength: 200 }), expectAsCalculated), { numRuns: 400 });
    // Around every boundary: plain characters up to it, then something that may not be split.
    const border = fc.tuple(
      fc.constantFrom(66, 69, 133, 152, 159, 305),
      fc.nat(2),
      fc.constantFrom("€", "👍", "👩‍👩‍👧", "я", "e\u0301", "a"),
      fc.constantFrom("a", "я"),
    );
    fc.assert(
      fc.property(border, ([length, more, last, fill]) => {
        expectAsCalculated(fill.repeat(length + more) + last + fill.repeat(more));
      }),
      { numRuns: 300 },
    );
  });

  it("break at the lengths of the standard", () => {
    expect(smsSegments("a".repeat(160)).segments).toBe(1);
    expect(smsSegments("a".repeat(161)).segments).toBe(2);
    expect(smsSegments("€".repeat(80)).segments).toBe(1);
    expect(smsSegments("€".repeat(81)).segments).toBe(2);
    expect(smsSegments("я".repeat(70)).segments).toBe(1);
    expect(smsSegments("я".repeat(71)).segments).toBe(2);
  });

  it("name the characters that force UCS-2, each once", () => {
    expect(smsSegments("çok güzel, çok “iyi”")).toMatchObject({
      encoding: "UCS-2",
      unicodeCharacters: ["ç", "“", "”"],
    });
  });

  it("are counted as UCS-2 where a template asks for it", () => {
    expect(smsSegments("a".repeat(71), "UCS-2")).toMatchObject({ encoding: "UCS-2", segments: 2 });
  });

  it("stay in GSM-7 when typographic characters are replaced by plain ones", () => {
    expect(smsSegments(toGsmForms("“Hello”\u00a0– it’s ready…")).encoding).toBe("GSM-7");
  });
});
