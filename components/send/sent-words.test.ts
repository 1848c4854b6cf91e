import { expect, test } from "vitest";
import { sentWords } from "./sent-words.ts";

const of = (...statuses: string[]) => sentWords(statuses.map((status) => ({ status }))).title;

test("what was rejected is not counted as accepted", () => {
  expect(of("queued")).toBe("1 message accepted");
  expect(of("queued", "scheduled", "rejected")).toBe("2 messages accepted, 1 recipient rejected");
  expect(of("rejected")).toBe("Nothing sent: 1 recipient rejected");
  expect(of("rejected", "rejected")).toBe("Nothing sent: 2 recipients rejected");
});
