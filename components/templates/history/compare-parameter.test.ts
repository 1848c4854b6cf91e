import { describe, expect, test } from "vitest";
import { parseAsComparison } from "./compare-parameter.ts";

describe("the address of a comparison", () => {
  test("says two versions, or one and the draft", () => {
    expect(parseAsComparison.parse("3..5")).toEqual({ left: 3, right: 5 });
    expect(parseAsComparison.parse("5..draft")).toEqual({ left: 5, right: "draft" });
    expect(parseAsComparison.serialize({ left: 5, right: "draft" })).toBe("5..draft");
  });

  test("is no comparison when it says anything else", () => {
    for (const text of ["", "3", "0..1", "3..", "3...5", "-1..2", "a..b", "3..5..7", "9999999999..1"])
      expect(parseAsComparison.parse(text)).toBeNull();
  });
});
