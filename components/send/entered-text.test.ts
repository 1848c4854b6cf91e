import { expect, test } from "vitest";
import { enteredText, nothingEntered } from "./entered-text.ts";

test("whatever was entered counts, also a recipient that is half typed", () => {
  for (const entered of [
    enteredText({ email: ["ada@example.com"] }, "", {}, {}),
    enteredText({}, "ada@", {}, {}),
    enteredText({}, "", { t1: { name: "" } }, {}),
    enteredText({}, "", {}, { region: "CH" }),
  ])
    expect(entered).not.toBe(nothingEntered);
});

test("what was taken back is as if it had never been entered", () => {
  expect(enteredText({ email: [], phone: [] }, " ", { t1: {} }, {})).toBe(nothingEntered);
});
