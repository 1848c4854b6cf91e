import { expect, test } from "vitest";
import { placeComplaints } from "./place-complaints.ts";

const on =
  (...fields: string[]) =>
  (name: string) =>
    fields.includes(name);

test("a complaint stands at its field, at the one that is shown for it, or at the one that it is a part of", () => {
  const { atFields, others } = placeComplaints(
    [
      ["agent.recipients", "At most 1,000"],
      ["hours", "At most 720"],
      ["classes.0", "Choose another"],
      ["revision", "Too old"],
    ],
    { hours: "period" },
    on("agent.recipients", "period", "classes"),
  );
  expect([...atFields]).toEqual([
    ["agent.recipients", "At most 1,000"],
    ["period", "At most 720"],
    ["classes", "Choose another"],
  ]);
  expect(others).toEqual([["revision", "Too old"]]);
});

test("a row's complaint stands in the row, and of several in a field the first does", () => {
  const { atFields } = placeComplaints(
    [
      ["addresses.1.address", "No number"],
      ["addresses.1.address", "Too long"],
    ],
    (path) => (path === "addresses.1.address" ? "rows.2.address" : undefined),
    on("rows.2.address"),
  );
  expect([...atFields]).toEqual([["rows.2.address", "No number"]]);
});

test("where the field that stands for it is not shown, the one of its own name does", () => {
  const { atFields } = placeComplaints([["expiresAt", "In the past"]], { expiresAt: "day" }, on("expiresAt"));
  expect([...atFields]).toEqual([["expiresAt", "In the past"]]);
});

test("what has no field is told once for each thing, however many of it are wrong", () => {
  const many = Array.from(
    { length: 1_000 },
    (_, index) => [`recipients.${String(index)}`, "No number"] as const,
  );
  expect(placeComplaints(many, {}, on()).others).toEqual([["recipients.0", "No number"]]);
});
