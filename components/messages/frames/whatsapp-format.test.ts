import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatWhatsapp, type TextNode } from "./whatsapp-format.ts";

const letters = (nodes: readonly TextNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : letters(node.children))).join("");

describe("WhatsApp's marked-up text", () => {
  test("the four styles, also inside each other", () => {
    expect(formatWhatsapp("Hi *Ada*, _now_ ~12~ ```x *y*```")).toEqual([
      "Hi ",
      { style: "bold", children: ["Ada"] },
      ", ",
      { style: "italic", children: ["now"] },
      " ",
      { style: "strike", children: ["12"] },
      " ",
      { style: "mono", children: ["x *y*"] },
    ]);
    expect(formatWhatsapp("*very _big_*")).toEqual([
      { style: "bold", children: ["very ", { style: "italic", children: ["big"] }] },
    ]);
  });

  test("markers inside words, beside blanks, alone or over lines stay characters", () => {
    for (const text of [
      "order_number_1",
      "2 * 3 * 4",
      "* point",
      "*open",
      "*two\nlines*",
      "**",
      "``````",
      "a*b*",
    ])
      expect(formatWhatsapp(text)).toEqual([text]);
  });

  test("no letter is ever lost", () => {
    const unit = fc.constantFrom("a", "b", " ", "*", "_", "~", "`", "\n");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const strip = (value: string) => value.replace(/[*_~`]/g, "");
        expect(strip(letters(formatWhatsapp(text)))).toBe(strip(text));
      }),
    );
  });
});
