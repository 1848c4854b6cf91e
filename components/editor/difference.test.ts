import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceOf } from "./difference.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "\r\n", "\n", "😀", "😁"), { maxLength: 12 })
  .map((all) => all.join(""));

test("the edit makes one text of the other, whatever they are", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const edit = differenceOf(before, after);
      expect(before.slice(0, edit.start) + edit.text + before.slice(edit.end)).toBe(after);
      expect(edit.text.isWellFormed()).toBe(true);
    }),
  );
});

test("what is appended is all that is written", () => {
  expect(differenceOf("Hello", "Hello Ada")).toEqual({ start: 5, end: 5, text: " Ada" });
  expect(differenceOf("", "x")).toEqual({ start: 0, end: 0, text: "x" });
});
