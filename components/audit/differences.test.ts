import { expect, test } from "vitest";
import { differencesOf } from "./differences.ts";

test("each value that differs is a line of its own, however deep it stands", () => {
  expect(
    differencesOf(
      { name: "Old", enabled: true, gates: { approvals: 1 }, regions: ["EU"] },
      { name: "New", enabled: true, gates: { approvals: 2 }, regions: ["EU", "US"] },
    ),
  ).toEqual([
    { path: "name", before: "Old", after: "New" },
    { path: "gates.approvals", before: "1", after: "2" },
    { path: "regions", before: "EU", after: "EU, US" },
  ]);
});

test("what was made has no before, what was deleted no after", () => {
  expect(differencesOf(undefined, { enabled: false })).toEqual([
    { path: "enabled", before: undefined, after: "no" },
  ]);
  expect(differencesOf({ unitId: null }, null)).toEqual([
    { path: "unitId", before: "none", after: undefined },
  ]);
});

test("members of lists of things are named by their place", () => {
  expect(differencesOf([{ sender: "A" }, { sender: "B" }], [{ sender: "A" }, { sender: "C" }])).toEqual([
    { path: "[2].sender", before: "B", after: "C" },
  ]);
});
