import { expect, test } from "vitest";
import { isolated, named } from "./isolated.ts";

test("a name from right to left is kept apart from the words and numbers of the sentence around it", () => {
  expect(isolated("Delete “حملة الربيع 2026”?")).toBe("Delete “\u2068حملة الربيع 2026\u2069”?");
  expect(isolated("حملة الربيع: 12 messages")).toBe("\u2068حملة الربيع\u2069: 12 messages");
  expect(isolated("שלום 7 is paused, حملة, too")).toBe("\u2068שלום\u2069 7 is paused, \u2068حملة\u2069, too");
  expect(isolated("Take “Owner” from דנה")).toBe("Take “Owner” from \u2068דנה\u2069");
});

test("a name alone runs by its own letters, and all other texts stay as they are", () => {
  expect(isolated("حملة 2026!")).toBe("\u2068حملة 2026!\u2069");
  for (const text of ["Delete “Spring sale”?", "", "Zürich 12", null, undefined, 4])
    expect(isolated(text)).toBe(text);
});

test("a name with words of both directions runs by its first letter, alone and within a sentence", () => {
  const mixed = "عرض Black Friday الكبير";
  expect(isolated(named(mixed))).toBe(`\u2068${mixed}\u2069`);
  expect(isolated(`Delete ${named(mixed)}?`)).toBe(`Delete \u2068${mixed}\u2069?`);
  expect(isolated(`${named(mixed)} now gives חברים`)).toBe(
    `\u2068${mixed}\u2069 now gives \u2068חברים\u2069`,
  );
  expect(isolated(`Rotate “${mixed}”?`)).toBe(`Rotate “\u2068${mixed}\u2069”?`);
  expect(isolated(named("حملة 2026!"))).toBe("\u2068حملة 2026!\u2069");
  expect(named("Spring sale")).toBe("Spring sale");
});

test("a long text of many digits and marks is read in a moment", () => {
  const text = `${"٣ ".repeat(50_000)}x`;
  const began = performance.now();
  expect(isolated(text)).toHaveLength(text.length + 2);
  expect(performance.now() - began).toBeLessThan(1_000);
});
