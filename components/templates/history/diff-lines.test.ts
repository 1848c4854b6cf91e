import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metadataText, variablesText } from "./content-text.ts";
import { diffLines, diffLists, diffWords, foldUnchanged } from "./diff-lines.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "c d", "", "{{ name }}"), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join("\n"));
const joined = (pieces: readonly { text: string }[]) => pieces.map((piece) => piece.text).join("");

describe("comparing two lists", () => {
  test("names what only one of them has, by its place", () => {
    expect(diffLists(["a", "b", "c"], ["a", "x", "c", "d"])).toEqual({
      left: new Set([1]),
      right: new Set([1, 3]),
    });
    expect(diffLists(["a"], ["a"])).toEqual({ left: new Set(), right: new Set() });
  });
});

describe("comparing two texts", () => {
  test("each side can be put together again from the rows", () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const rows = diffLines(left, right);
        const side = (which: "left" | "right") =>
          rows.flatMap((row) => (row[which] ? joined(row[which].pieces) : [])).join("\n");
        expect(side("left")).toBe(left);
        expect(side("right")).toBe(right);
      }),
    );
  });

  test("equal texts have no changed row", () => {
    fc.assert(
      fc.property(text, (same) => {
        expect(diffLines(same, same).every((row) => row.kind === "same")).toBe(true);
      }),
    );
  });

  test("a replaced line is paired, and only the words that differ are marked", () => {
    const [first, second] = diffLines("Hello\nyour order has shipped", "Hello\nyour order is on its way");
    expect(first?.kind).toBe("same");
    expect(second?.kind).toBe("changed");
    expect(second?.right?.pieces[0]).toEqual({ text: "your order ", changed: false });
  });

  test("words of one line come back complete", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        const words = diffWords(left, right);
        expect(joined(words.left)).toBe(left);
        expect(joined(words.right)).toBe(right);
      }),
    );
  });

  test("folding leaves out only unchanged rows that are far from a change", () => {
    const lines = Array.from({ length: 30 }, (_, index) => String(index));
    const rows = diffLines(lines.join("\n"), lines.with(15, "changed").join("\n"));
    const folded = foldUnchanged(rows);
    expect(folded.map((row) => row.kind)).toEqual([
      "fold",
      ...Array.from({ length: 3 }, () => "same"),
      "changed",
      ...Array.from({ length: 3 }, () => "same"),
      "fold",
    ]);
  });
});

describe("settings and variables as text", () => {
  test("lists become one line an entry, and how the provider judged is left out", () => {
    expect(
      metadataText({
        approvalStatus: "approved",
        buttons: [{ type: "url", text: "Track", url: "https://example.com" }],
        header: { type: "image", url: "https://example.com/a.png" },
        templateName: "order_shipped",
      }),
    ).toBe(
      "Approved template: order_shipped\nHeader: image, https://example.com/a.png\nButton 1: url, “Track”, https://example.com",
    );
  });

  test("a declaration says type, need, bounds and example", () => {
    expect(
      variablesText([
        { name: "size", type: "enum", required: false, values: ["s", "m"], example: "s" },
        { name: "name", type: "string", required: true, maxLength: 20 },
      ]),
    ).toBe("size: enum, optional, one of s | m, example “s”\nname: text, required, at most 20 characters");
  });
});
