import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formatLocal } from "./time.tsx";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-27T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a time of another year says which: a key that expires in a year does not seem to expire today", () => {
  expect(formatLocal("2027-11-27T12:00:00Z")).toContain("2027");
  expect(formatLocal("2025-11-27T12:00:00Z")).toContain("2025");
});

test("a time of this year says its year only where it is asked to", () => {
  expect(formatLocal("2026-01-27T12:00:00Z")).not.toContain("2026");
  expect(formatLocal("2026-01-27T12:00:00Z", true)).toContain("2026");
});
