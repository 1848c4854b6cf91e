import { describe, expect, it } from "vitest";
import { nearestName, unknownName } from "./nearest-name.ts";

const known = ["transactionId", "scheduledAt", "expiresAt", "events", "url", "to", "templateVariables"];

describe("the nearest name", () => {
  it.each([
    ["scheduleAt", "scheduledAt"],
    ["scheduled_at", "scheduledAt"],
    ["SCHEDULEDAT", "scheduledAt"],
    ["event", "events"],
    ["evnets", "events"],
    ["transactionID", "transactionId"],
    ["ot", "to"],
    ["variables", "templateVariables"],
  ])("of %s is %s", (name, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });

  it.each(["priority", "x", "", "colour", "a".repeat(100_000)])("of what is not alike is none", (name) => {
    expect(nearestName(name, known)).toBeUndefined();
  });

  it("is named with what is not known, cut when that is long", () => {
    expect(unknownName("scheduleAt", known)).toBe(
      '"scheduleAt" is not known here. Did you mean scheduledAt?',
    );
    expect(unknownName("priority", known)).toBe(
      '"priority" is not known here; remove it or correct its name.',
    );
    expect(unknownName("x".repeat(10_000), known).length).toBeLessThan(150);
  });
});
