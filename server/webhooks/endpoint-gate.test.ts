import { describe, expect, it } from "vitest";
import type { Permit, Slot } from "../kernel/slot-gate.ts";
import { endpointGate, paceOf } from "./endpoint-gate.ts";

type EndpointGate = ReturnType<typeof endpointGate>;

const start = 1_000_000;
/** Nobody waits in line unless a test says so. */
const gateOf = (options: Partial<Parameters<typeof endpointGate>[0]> = {}) =>
  endpointGate({ maxOpen: 1_000, maxWaiting: 0, patienceMs: 60_000, ...options });
const enter = (gate: EndpointGate, id: string, now: number) => gate.acquireSoon({ id }, now);
const putOff = { granted: false, retryAt: expect.any(Number) as number };

function admitted(permit: Permit | Promise<Permit>): Slot {
  if (permit instanceof Promise || !permit.granted) throw new Error("put off");
  return permit;
}

/** Takes all the places there are. */
function fill(gate: EndpointGate, endpoint: string, now: number): Slot[] {
  const taken: Slot[] = [];
  for (;;) {
    const permit = enter(gate, endpoint, now);
    if (permit instanceof Promise || !permit.granted) return taken;
    taken.push(permit);
  }
}

function proven(gate: EndpointGate, endpoint: string, now: number): void {
  admitted(enter(gate, endpoint, now)).release({ succeeded: true, endedAt: now + 10 });
}

describe("the gate to an endpoint", () => {
  it("opens ten calls at once to an endpoint that answers well, two to an unknown one", () => {
    const gate = gateOf();
    expect(fill(gate, "new", start)).toHaveLength(2);
    proven(gate, "good", start);
    expect(fill(gate, "good", start)).toHaveLength(10);
  });

  it("falls back to two when the endpoint fails, is slow on average, or does not answer right now", () => {
    const gate = gateOf();
    proven(gate, "failing", start);
    admitted(enter(gate, "failing", start)).release({ succeeded: false, endedAt: start + 10 });
    expect(fill(gate, "failing", start)).toHaveLength(2);

    proven(gate, "slow", start);
    admitted(enter(gate, "slow", start)).release({ succeeded: true, endedAt: start + 15_000 });
    expect(fill(gate, "slow", start + 15_000).map(({ traffic }) => paceOf(traffic, start + 15_000))).toEqual([
      "slow",
      "slow",
    ]);

    proven(gate, "hanging", start);
    const open = fill(gate, "hanging", start);
    for (const slot of open.slice(0, 9)) slot.release({ succeeded: true, endedAt: start + 20 });
    expect(fill(gate, "hanging", start + 2_000)).toHaveLength(1);
  });

  it("restores all slots when the endpoint recovers", () => {
    const gate = gateOf();
    let now = start;
    admitted(enter(gate, "e", now)).release({ succeeded: false, endedAt: (now += 15_000) });
    for (let i = 0; i < 20; i++)
      admitted(enter(gate, "e", now)).release({ succeeded: true, endedAt: (now += 20) });
    expect(fill(gate, "e", now)).toHaveLength(10);
  });

  it("postpones what it cannot take one after the other, at the endpoint's pace, and never for ever", () => {
    const gate = gateOf();
    proven(gate, "e", start);
    fill(gate, "e", start);
    const times = Array.from({ length: 50_000 }, () => {
      const permit = gate.acquire({ id: "e" }, start);
      if (permit.granted) throw new Error("admitted");
      return permit.retryAt;
    });
    expect(times[0]).toBeGreaterThan(start);
    expect(times[100]).toBeGreaterThan(times[0]!);
    expect(Math.max(...times)).toBeLessThanOrEqual(start + 120_001);
  });

  it("bounds the open calls of all endpoints together", () => {
    const gate = gateOf({ maxOpen: 5 });
    const open = ["a", "b", "c", "d"].flatMap((endpoint) => fill(gate, endpoint, start));
    expect(open).toHaveLength(5);
    open[0]?.release({ succeeded: true, endedAt: start });
    open[0]?.release({ succeeded: true, endedAt: start });
    expect(fill(gate, "z", start)).toHaveLength(1);
  });

  it("lets a delivery wait whose turn comes in a moment, first come first served, and bounds how many", async () => {
    const gate = gateOf({ maxWaiting: 2 });
    proven(gate, "e", start);
    const open = Array.from({ length: 10 }, () => admitted(enter(gate, "e", start)));
    const order: number[] = [];
    const waiting = [1, 2].map(async (number) => {
      const permit = await enter(gate, "e", start);
      order.push(number);
      return admitted(permit);
    });
    expect(enter(gate, "e", start)).toEqual(putOff);
    open[0]?.release({ succeeded: true, endedAt: start + 10 });
    const first = await waiting[0];
    expect(order).toEqual([1]);
    first?.release({ succeeded: true, endedAt: start + 20 });
    await waiting[1];
    expect(order).toEqual([1, 2]);
  });

  it("lets nobody wait for a slow endpoint, and nobody for longer than the limit", async () => {
    const gate = gateOf({ maxWaiting: 100, patienceMs: 30 });
    proven(gate, "hanging", start);
    fill(gate, "hanging", start - 5_000);
    expect(enter(gate, "hanging", start)).toEqual(putOff);
    proven(gate, "busy", start);
    const now = Date.now();
    expect(
      await Promise.all(Array.from({ length: 11 }, async () => enter(gate, "busy", now))),
    ).toContainEqual(putOff);
  });
});
