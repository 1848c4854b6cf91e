import { describe, expect, it } from "vitest";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { probeRules } from "../health/health-rules.ts";
import { nextConnection } from "./message-route.ts";

const candidate = (connectionId: string, tier: number) => ({
  connectionId,
  name: connectionId,
  tier,
  weight: 100,
  share: 100,
});
const candidates = [candidate("first", 0), candidate("second", 1)];
const delivery = { class: "authentication", attempts: [] } as const;
const health = (breaker: ConnectionHealth["breaker"]): ReadonlyMap<string, ConnectionHealth> =>
  new Map([
    [
      "second",
      {
        breaker,
        since: new Date(),
        reasonCode: null,
        reasonDetail: null,
        openings: 1,
        trial: null,
        nextProbeAt: null,
        slow: false,
        slowSince: null,
      },
    ],
  ]);
const free = { availability: () => ({ from: 0, out: false }) };
/** A connection whose trial is full, including the message itself. */
const full = { availability: () => ({ from: Date.now() + probeRules.trial, out: true }) };
const longBusy = { busyUntil: new Map([["first", Date.now() + 3_600_000]]), reserved: "second" };

describe("a message that is decided again while a connection has room for it", () => {
  it("stays with it, even if the preferred one had no room a moment ago", () => {
    const route = { candidates, connections: new Map(), health: new Map() };
    expect(nextConnection(route, delivery, free, longBusy)).toEqual({ do: "use", connectionId: "second" });
  });

  it("does not need a second place on trial", () => {
    const route = { candidates: candidates.slice(1), connections: new Map(), health: health("half_open") };
    expect(nextConnection(route, delivery, full, { reserved: "second" })).toEqual({
      do: "use",
      connectionId: "second",
    });
    expect(nextConnection(route, delivery, full)).toMatchObject({ do: "wait" });
  });

  it("leaves it when it has become unavailable, or the rules no longer name it", () => {
    const open = { candidates: candidates.slice(1), connections: new Map(), health: health("open") };
    expect(nextConnection(open, delivery, full, { reserved: "second" })).toMatchObject({ do: "wait" });
    const other = { candidates: candidates.slice(0, 1), connections: new Map(), health: new Map() };
    expect(nextConnection(other, delivery, free, { reserved: "second" })).toEqual({
      do: "use",
      connectionId: "first",
    });
  });
});
