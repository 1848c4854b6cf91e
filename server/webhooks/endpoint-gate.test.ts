import { describe, expect, it } from "vitest";
import { EndpointGate } from "./endpoint-gate.ts";
import type { Admission } from "./endpoint-gate.ts";

const start = 1_000_000;

function admitted(entry: ReturnType<EndpointGate["enter"]>): Admission {
  if ("retryAt" in entry) throw new Error("put off");
  return entry;
}

/** Takes all the places there are. */
function fill(gate: EndpointGate, endpoint: string, now: number): Admission[] {
  const taken: Admission[] = [];
  for (;;) {
    const entry = gate.enter(endpoint, now);
    if ("retryAt" in entry) return taken;
    taken.push(entry);
  }
}

function proven(gate: EndpointGate, endpoint: string, now: number): void {
  admitted(gate.enter(endpoint, now)).leave(true, now + 10);
}

describe("the gate to an endpoint", () => {
  it("opens ten calls at once to an endpoint that answers well, two to one that nobody knows yet", () => {
    const gate = new EndpointGate(1_000);
    expect(fill(gate, "new", start)).toHaveLength(2);
    proven(gate, "good", start);
    expect(fill(gate, "good", start)).toHaveLength(10);
  });

  it("falls back to two when the endpoint fails, is slow on average, or does not answer right now", () => {
    const gate = new EndpointGate(1_000);
    proven(gate, "failing", start);
    admitted(gate.enter("failing", start)).leave(false, start + 10);
    expect(fill(gate, "failing", start)).toHaveLength(2);

    proven(gate, "slow", start);
    admitted(gate.enter("slow", start)).leave(true, start + 15_000);
    expect(fill(gate, "slow", start + 15_000).map((call) => call.slow)).toEqual([true, true]);

    proven(gate, "hanging", start);
    const open = fill(gate, "hanging", start);
    for (const admission of open.slice(0, 9)) admission.leave(true, start + 20);
    expect(fill(gate, "hanging", start + 2_000)).toHaveLength(1);
  });

  it("gives all its places back when the endpoint recovers", () => {
    const gate = new EndpointGate(1_000);
    let now = start;
    admitted(gate.enter("e", now)).leave(false, (now += 15_000));
    for (let i = 0; i < 20; i++) admitted(gate.enter("e", now)).leave(true, (now += 20));
    expect(fill(gate, "e", now)).toHaveLength(10);
  });

  it("puts off what it cannot take one after the other, at the endpoint's pace, and never for good", () => {
    const gate = new EndpointGate(1_000);
    proven(gate, "e", start);
    fill(gate, "e", start);
    const times = Array.from({ length: 50_000 }, () => {
      const entry = gate.enter("e", start);
      if (!("retryAt" in entry)) throw new Error("admitted");
      return entry.retryAt;
    });
    expect(times[0]).toBeGreaterThan(start);
    expect(times[100]).toBeGreaterThan(times[0]!);
    expect(Math.max(...times)).toBeLessThanOrEqual(start + 120_001);
  });

  it("bounds the open calls of all endpoints together", () => {
    const gate = new EndpointGate(5);
    const open = ["a", "b", "c", "d"].flatMap((endpoint) => fill(gate, endpoint, start));
    expect(open).toHaveLength(5);
    open[0]?.leave(true, start);
    open[0]?.leave(true, start);
    expect(fill(gate, "z", start)).toHaveLength(1);
  });
});
