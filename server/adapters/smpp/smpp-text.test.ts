import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smsSegments } from "../../template-language/segments.ts";
import { decodeText, encodeText, splitHeader, withHeader } from "./smpp-text.ts";

const gsm =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà\f^{}\\[~]|€";

const textOf = (alphabet: readonly string[]) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 800 }).map((chars) => chars.join(""));

function decoded(text: string, encoding?: "auto" | "GSM-7" | "UCS-2") {
  const encoded = encodeText(text, encoding);
  if (!encoded) throw new Error("too long");
  return { ...encoded, texts: encoded.parts.map((part) => decodeText(part, encoded.dataCoding)) };
}

describe("a text in parts", () => {
  it("comes back whole, in as many parts as are billed, when it is GSM 03.38", () => {
    fc.assert(
      fc.property(textOf(Array.from(gsm)), (text) => {
        const { dataCoding, texts, parts } = decoded(text);
        expect(dataCoding).toBe(0);
        expect(texts.join("")).toBe(text);
        expect(parts).toHaveLength(smsSegments(text).segments);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(parts.length === 1 ? 160 : 153);
      }),
    );
  });

  it("comes back whole, in as many parts as are billed, when it needs UCS-2", () => {
    const alphabet = [
      "a",
      "ж",
      "€",
      "\u{1f600}",
      "\u{1f44d}\u{1f3fd}",
      "\u{1f1e9}\u{1f1ea}",
      "e\u0301",
      "한",
    ];
    fc.assert(
      fc.property(textOf(alphabet), (text) => {
        const { dataCoding, texts, parts } = decoded(`ж${text}`);
        expect(dataCoding).toBe(8);
        expect(texts.join("")).toBe(`ж${text}`);
        expect(parts).toHaveLength(smsSegments(`ж${text}`).segments);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(parts.length === 1 ? 140 : 134);
        // Each part is a text of its own: no half of a surrogate pair at either end.
        for (const each of texts) expect(each).not.toContain("\ufffd");
      }),
    );
  });

  it("never ends in the escape of a character of two septets", () => {
    for (let lead = 145; lead < 160; lead++) {
      const { parts, texts } = decoded("a".repeat(lead) + "€".repeat(20));
      for (const part of parts) expect(part.at(-1)).not.toBe(0x1b);
      expect(texts.join("")).toBe("a".repeat(lead) + "€".repeat(20));
    }
  });

  it("is UCS-2 when that is asked for, and at most 255 parts long", () => {
    expect(encodeText("abc", "UCS-2")).toEqual({
      dataCoding: 8,
      parts: [Buffer.from([0, 97, 0, 98, 0, 99])],
    });
    expect(encodeText("a".repeat(153 * 255))?.parts).toHaveLength(255);
    expect(encodeText("a".repeat(153 * 255 + 1))).toBeNull();
  });
});

describe("what comes in", () => {
  it("loses its header and keeps its text", () => {
    const text = Buffer.from("hello");
    expect(splitHeader(withHeader(text, 200, 3, 2))).toEqual({
      part: { reference: 200, total: 3, number: 2 },
      text,
    });
    const wide = Buffer.concat([Buffer.from([6, 8, 4, 1, 200, 3, 2]), text]);
    expect(splitHeader(wide)).toEqual({ part: { reference: 0x1_0000 + 456, total: 3, number: 2 }, text });
    const ports = Buffer.concat([Buffer.from([6, 5, 4, 0x0b, 0x84, 0x23, 0xf0]), text]);
    expect(splitHeader(ports)).toEqual({ text });
  });

  it("is read by its coding, and never throws", () => {
    expect(decodeText(Buffer.from([0x00, 0x1b, 0x65]), 0)).toBe("@€");
    expect(decodeText(Buffer.from([0x40, 0x24]), 1)).toBe("@$");
    expect(decodeText(Buffer.from([0xe4, 0xdf]), 3)).toBe("äß");
    expect(decodeText(Buffer.from([0x04, 0x36]), 8)).toBe("ж");
    expect(decodeText(Buffer.from([0x04, 0x36]), 0x18)).toBe("ж");
    expect(decodeText(Buffer.from("abc"), 0xf1)).toBe("abc");
    expect(decodeText(Buffer.from([1, 2]), 4)).toBeNull();
    expect(decodeText(Buffer.from([1, 2]), 0xf5)).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 255 }), (bytes, coding) => {
        const { text } = splitHeader(Buffer.from(bytes));
        decodeText(text, coding);
      }),
    );
  });
});
