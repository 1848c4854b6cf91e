import { expect, test } from "vitest";
import { numberComplaint, readNumber } from "./typed-number.ts";

test.each([
  ["1200", "1200"],
  [" 1200.50 ", "1200.50"],
  ["1200,50", "1200.50"],
  ["1,5", "1.5"],
  ["99,9", "99.9"],
  ["0,9412", "0.9412"],
  ["0,941", "0.941"],
  ["1.200", "1.200"],
  ["", ""],
])("a comma is a decimal sign: %j is %j", (typed, number) => {
  expect(readNumber(typed)).toBe(number);
});

test.each([
  ["1,200", "Write 1200 or 1.200"],
  [" 12,000 ", "Write 12000 or 12.000"],
  ["1234,567", "Write 1234567 or 1234.567"],
])("a comma before exactly three digits may mean two numbers: %j", (typed, complaint) => {
  expect(readNumber(typed)).toBeUndefined();
  expect(numberComplaint(typed)).toBe(complaint);
});

test.each(["1,200,000", "1,200.50", "1.200,50"])("%j stays none, for the schema to refuse", (typed) => {
  expect(Number(readNumber(typed))).toBeNaN();
});
