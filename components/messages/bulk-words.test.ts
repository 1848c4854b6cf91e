import { expect, test } from "vitest";
import { canceledText, resentText } from "./bulk-words.ts";

const of = <Outcome extends string>(...counts: [Outcome, number][]) =>
  counts.flatMap(([outcome, count]) => Array.from({ length: count }, () => ({ outcome })));

test("what came of several messages is said with each number, and nothing of what did not happen", () => {
  expect(canceledText(of(["canceled", 12], ["too_late", 3]))).toBe(
    "12 messages canceled, 3 could no longer be canceled.",
  );
  expect(canceledText(of(["canceled", 1]))).toBe("1 message canceled.");
  expect(resentText(of(["resent", 2], ["already_resent", 1], ["refused", 1], ["not_found", 1]))).toBe(
    "2 messages sent again, 1 had been sent again already, 2 could not be sent again.",
  );
});
