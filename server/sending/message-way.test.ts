import { describe, expect, it } from "vitest";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { probeRules } from "../health/health-rules.ts";
import { chooseOn } from "./message-way.ts";

const candidate = (connectionId: string, tier: number) => ({
  connectionId,
  name: connectionId,
  tier,
  weight: 100,
  share: 100,
});
const candidates = [candidate("first", 0), candidate("second", 1)];
const row = { class: "authentication", tried: null } as const;
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
/** A connection whose places on trial are all taken, one of them by the message itself. */
const full = { availability: () => ({ from: Date.now() + probeRules.trial, out: true }) };
const longBusy = { busyUntil: new Map([["first", Date.now() + 3_600_000]]), held: "second" };

describe("a message that is looked at again while a connection has room for it", () => {
  it("stays with it, although the one that it would rather take had no room a moment ago", () => {
    const way = { candidates, connections: new Map(), health: new Map() };
    expect(chooseOn(way, row, free, longBusy)).toEqual({ do: "use", connectionId: "second" });
  });

  it("does not need a place on trial beside its own", () => {
    const way = { candidates: candidates.slice(1), connections: new Map(), health: health("half_open") };
    expect(chooseOn(way, row, full, { held: "second" })).toEqual({ do: "use", connectionId: "second" });
    expect(chooseOn(way, row, full)).toMatchObject({ do: "wait" });
  });

  it("leaves it when it has become unavailable, or the rules name it no more", () => {
    const open = { candidates: candidates.slice(1), connections: new Map(), health: health("open") };
    expect(chooseOn(open, row, full, { held: "second" })).toMatchObject({ do: "wait" });
    const other = { candidates: candidates.slice(0, 1), connections: new Map(), health: new Map() };
    expect(chooseOn(other, row, free, { held: "second" })).toEqual({ do: "use", connectionId: "first" });
  });
});
