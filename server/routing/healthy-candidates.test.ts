import { expect, it } from "vitest";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { unavailableReason } from "../health/unavailable-reason.ts";
import { healthyCandidates } from "./healthy-candidates.ts";

const since = new Date("2026-11-01T10:00:00Z");
const health = (fields: Partial<ConnectionHealth>): ConnectionHealth => ({
  breaker: "closed",
  since,
  reasonCode: null,
  reasonDetail: null,
  openings: 0,
  trial: null,
  nextProbeAt: null,
  slow: false,
  slowSince: null,
  ...fields,
});
const candidate = (connectionId: string, tier: number, weight: number) => ({
  connectionId,
  name: connectionId.toUpperCase(),
  tier,
  weight,
  share: 0,
});
const tiers = [candidate("a", 0, 50), candidate("b", 0, 30), candidate("c", 0, 20), candidate("d", 1, 1)];

/** Of 1,000 messages, how many try which connection first. */
function firsts(known: Record<string, ConnectionHealth>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let step = 0; step < 1_000; step++) {
    const [first] = healthyCandidates(tiers, new Map(Object.entries(known)), step / 1_000);
    const id = first?.connectionId ?? "";
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}
const open = health({ breaker: "open" });

it("gives the share of a connection that is out to the others of its tier by their weights, before the next tier", () => {
  expect(firsts({ a: open })).toEqual({ b: 600, c: 400 });
  expect(firsts({ a: open, b: open })).toEqual({ c: 1_000 });
});

it("leaves a slow connection a quarter of its weight, and its full share where the whole tier is slow", () => {
  // 50 : 30/4 : 20
  const { b = 0 } = firsts({ b: health({ slow: true }) });
  expect(b).toBeCloseTo((7.5 / 77.5) * 1_000, -1);
  const slow = health({ slow: true });
  const { a = 0 } = firsts({ a: slow, b: slow, c: slow, d: slow });
  expect(a).toBe(500);
});

it("keeps those that are out at the end of their tier, and one on trial in its place", () => {
  const order = healthyCandidates(
    tiers,
    new Map([
      ["a", open],
      ["b", health({ breaker: "half_open" })],
    ]),
    0,
  );
  expect(order.map(({ connectionId }) => connectionId)).toEqual(["b", "c", "a", "d"]);
});

it("explains why nothing can go out only when every connection is out", () => {
  const all = new Map(
    tiers.map(({ connectionId }) => [connectionId, health({ breaker: "open", reasonDetail: "No answer" })]),
  );
  expect(unavailableReason(tiers.slice(0, 1), all)).toEqual({
    code: "provider_unavailable",
    detail: "A is unavailable since 2026-11-01T10:00:00.000Z (No answer).",
  });
  expect(unavailableReason(tiers, new Map([["a", open]]))).toBeNull();
  expect(unavailableReason([], all)).toBeNull();
});
