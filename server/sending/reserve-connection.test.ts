import { describe, expect, it } from "vitest";
import type { ConnectionHealth } from "../connections/connection-state.ts";
import { makeConnection } from "../testing/delivery.ts";
import { ConnectionLimiter } from "./connection-limiter.ts";
import { reserveConnection } from "./reserve-connection.ts";

const connections = new Map(
  ["a", "b"].map((id) => [id, makeConnection(id, undefined, { maxConcurrency: 1 })]),
);
const candidates = ["a", "b"].map((connectionId, tier) => ({
  connectionId,
  name: connectionId,
  tier,
  weight: 100,
  share: 100,
}));
const route = { candidates, connections, health: new Map<string, ConnectionHealth>() };
const delivery = { class: "authentication", attempts: [] } as const;

/** Counts the open calls, as the health of connections does. */
function healthOf(out: readonly string[] = []) {
  const calls = { underWay: 0 };
  return {
    calls,
    availability: (id: string) =>
      out.includes(id) ? { from: Date.now() + 5_000, out: true } : { from: 0, out: false },
    begin: () => {
      calls.underWay++;
      return {
        end: () => {
          calls.underWay--;
        },
      };
    },
  };
}

describe("the connection of an attempt", () => {
  it("is the best that has room, else the next one", async () => {
    const limiter = new ConnectionLimiter().lane({ slots: 8 });
    const health = healthOf();
    const first = await reserveConnection(route, delivery, { health, limiter });
    const second = await reserveConnection(route, delivery, { health, limiter });
    expect(first).toMatchObject({ do: "use", reservation: { connection: { id: "a" } } });
    expect(second).toMatchObject({ do: "use", reservation: { connection: { id: "b" } } });
    expect(health.calls.underWay).toBe(2);
    if (first.do === "use") first.reservation.release();
    const third = await reserveConnection(route, delivery, { health, limiter });
    expect(third).toMatchObject({ do: "use", reservation: { connection: { id: "a" } } });
  });

  it("is waited for when none has room, and no call is left open", async () => {
    const limiter = new ConnectionLimiter().lane({ slots: 8 });
    const full = healthOf();
    for (let i = 0; i < 2; i++) await reserveConnection(route, delivery, { health: full, limiter });
    const health = healthOf();
    const reserved = await reserveConnection(route, delivery, { health, limiter });
    expect(reserved).toMatchObject({ do: "wait", outages: [] });
    expect(health.calls.underWay).toBe(0);
  });

  it("is waited for when all are out, and named, so that the message is resumed when it works again", async () => {
    const limiter = new ConnectionLimiter().lane({ slots: 8 });
    const open = new Map([["a", { breaker: "open" } as ConnectionHealth]]);
    const out = { ...route, candidates: candidates.slice(0, 1), health: open };
    const reserved = await reserveConnection(out, delivery, { health: healthOf(["a"]), limiter });
    expect(reserved).toMatchObject({ do: "wait", outages: ["a"] });
  });

  it("is none without candidates, or when the one that must be tried again is gone", async () => {
    const deps = { health: healthOf(), limiter: new ConnectionLimiter().lane({ slots: 8 }) };
    expect(await reserveConnection({ ...route, candidates: [] }, delivery, deps)).toEqual({ do: "none" });
    const gone = { ...route, connections: new Map<string, never>() };
    expect(await reserveConnection(gone, delivery, deps)).toEqual({ do: "none" });
  });
});
