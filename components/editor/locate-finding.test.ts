import { describe, expect, test } from "vitest";
import { locateFinding } from "./locate-finding.ts";

const checked = "Win now! You will win a prize. Win now!";
const at = checked.indexOf("a prize");
const finding = { start: at, end: at + 7, excerpt: "a prize" };

describe("the place of a finding", () => {
  test("is where it was as long as that text is there", () => {
    expect(locateFinding({ ...finding, checkedText: checked }, checked)).toEqual({ start: at, end: at + 7 });
    expect(locateFinding(finding, checked)).toEqual({ start: at, end: at + 7 });
  });

  test("follows its text when something was written before it, also beyond the basic plane", () => {
    const moved = `Hello 🎉, ${checked}`;
    const place = locateFinding({ ...finding, checkedText: checked }, moved);
    expect(moved.slice(place!.start, place!.end)).toBe("a prize");
  });

  test("is the occurrence nearest to the old place", () => {
    const last = { start: checked.lastIndexOf("Win now!"), end: checked.length, excerpt: "Win now!" };
    const moved = `Oh. ${checked}`;
    expect(locateFinding({ ...last, checkedText: checked }, moved)).toEqual({
      start: last.start + 4,
      end: last.end + 4,
    });
  });

  test("is nowhere once its text is gone", () => {
    expect(
      locateFinding({ ...finding, checkedText: checked }, "Something else entirely, and long enough"),
    ).toBeNull();
    expect(locateFinding(finding, "")).toBeNull();
  });

  test("of a shortened secret is known from the text that was checked", () => {
    const secret = "Card 4111 1111 1111 1111 please";
    const shortened = { start: 5, end: 24, excerpt: "4111 … 1111" };
    expect(locateFinding({ ...shortened, checkedText: secret }, `Your ${secret}`)).toEqual({
      start: 10,
      end: 29,
    });
    expect(locateFinding(shortened, secret)).toEqual({ start: 5, end: 24 });
  });
});
