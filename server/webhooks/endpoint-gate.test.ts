import { describe, expect, it } from "vitest";
import { EndpointGate } from "./endpoint-gate.ts";
import type { Admission, Entry } from "./endpoint-gate.ts";

const start = 1_000_000;
/** Nobody waits in line unless a test says so. */
const gateOf = (options: Partial<ConstructorParameters<typeof EndpointGate>[0]> = {}) =>
  new EndpointGate({ maxOpen: 1_000, maxWaiting: 0, patienceMs: 60_000, ...options });

function admitted(entry: Entry | Promise<Entry>): Admission {
  if (!("leave" in entry)) throw new Error("put off");
  return entry;
}

/** Takes all the places there are. */
function fill(gate: EndpointGate, endpoint: string, now: number): Admission[] {
  const taken: Admission[] = [];
  for (;;) {
    const entry = gate.enter(endpoint, now);
    if (!("leave" in entry)) return taken;
    taken.push(entry);
  }
}

function proven(gate: EndpointGate, endpoint: string, now: number): void {
  admitted(gate.enter(endpoint, now)).leave(true, now + 10);
}

describe("the gate to an endpoint", () => {
  it("opens ten calls at once to an endpoint that answers well, two to one that nobody knows yet", () => {
    const gate = gateOf();
    expect(fill(gate, "new", start)).toHaveLength(2);
    proven(gate, "good", start);
    expect(fill(gate, "good", start)).toHaveLength(10);
  });

  it("falls back to two when the endpoint fails, is slow on average, or does not answer right now", () => {
    const gate = gateOf();
    proven(gate, "failing", start);
    admitted(gate.enter("failing", start)).leave(false, start + 10);
    expect(fill(gate, "failing", start)).toHaveLength(2);

    proven(gate, "slow", start);
    admitted(gate.enter("slow", start)).leave(true, start + 15_000);
    expect(fill(gate, "slow", start + 15_000).map((call) => call.pace)).toEqual(["slow", "slow"]);

    proven(gate, "hanging", start);
    const open = fill(gate, "hanging", start);
    for (const admission of open.slice(0, 9)) admission.leave(true, start + 20);
    expect(fill(gate, "hanging", start + 2_000)).toHaveLength(1);
  });

  it("gives all its places back when the endpoint recovers", () => {
    const gate = gateOf();
    let now = start;
    admitted(gate.enter("e", now)).leave(false, (now += 15_000));
    for (let i = 0; i < 20; i++) admitted(gate.enter("e", now)).leave(true, (now += 20));
    expect(fill(gate, "e", now)).toHaveLength(10);
  });

  it("puts off what it cannot take one after the other, at the endpoint's pace, and never for good", () => {
    const gate = gateOf();
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
    const gate = gateOf({ maxOpen: 5 });
    const open = ["a", "b", "c", "d"].flatMap((endpoint) => fill(gate, endpoint, start));
    expect(open).toHaveLength(5);
    open[0]?.leave(true, start);
    open[0]?.leave(true, start);
    expect(fill(gate, "z", start)).toHaveLength(1);
  });

  it("lets those wait whose turn comes in a moment, first come first served, and bounds how many", async () => {
    const gate = gateOf({ maxWaiting: 2 });
    proven(gate, "e", start);
    const open = Array.from({ length: 10 }, () => admitted(gate.enter("e", start)));
    const order: number[] = [];
    const waiting = [1, 2].map(async (number) => {
      const entry = await gate.enter("e", start);
      order.push(number);
      return admitted(entry);
    });
    expect(gate.enter("e", start)).toHaveProperty("retryAt");
    open[0]?.leave(true, start + 10);
    const first = await waiting[0];
    expect(order).toEqual([1]);
    first?.leave(true, start + 20);
    await waiting[1];
    expect(order).toEqual([1, 2]);
  });

  it("lets nobody wait for an endpoint that is slow, and nobody for longer than patience lasts", async () => {
    const gate = gateOf({ maxWaiting: 100, patienceMs: 30 });
    proven(gate, "hanging", start);
    fill(gate, "hanging", start - 5_000);
    expect(gate.enter("hanging", start)).toHaveProperty("retryAt");
    proven(gate, "busy", start);
    const now = Date.now();
    expect(await Promise.all(Array.from({ length: 11 }, async () => gate.enter("busy", now)))).toContainEqual(
      {
        retryAt: expect.any(Number) as number,
      },
    );
  });
});
