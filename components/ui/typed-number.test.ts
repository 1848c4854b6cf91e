import { expect, test } from "vitest";
import { numberComplaint, readNumber, readWhole } from "./typed-number.ts";

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

test.each([
  ["1000", 1_000],
  [" 60 ", 60],
  ["1,000", 1_000],
  ["1.000", 1_000],
  ["1 000 000", 1_000_000],
  ["1’000’000", 1_000_000],
  ["12,34,000", 1_234_000],
  ["-5", -5],
])("a thousand is a thousand in every language: %j is %j", (typed, number) => {
  expect(readWhole(typed)).toBe(number);
});

test.each(["", "many", "1,5", "1,00", "12.5.000"])("%j is no whole number", (typed) => {
  expect(readWhole(typed)).toBeNaN();
});

test("what has decimals keeps them, for the schema to refuse", () => {
  expect(readWhole("1.5")).toBe(1.5);
});
