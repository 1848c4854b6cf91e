import { describe, expect, it } from "vitest";
import type { SendOutcome } from "../adapters/adapter.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import { AttemptWindow } from "./attempt-window.ts";
import { breakerRules, probePause, restAfterBusy, slowRules } from "./health-rules.ts";
import { classifyOutcome } from "./classify-outcome.ts";
import type { Verdict } from "./classify-outcome.ts";

const start = Date.UTC(2026, 10, 1);

/** Records calls, `every` ms apart, each of 100 ms; returns after which of them there was evidence. */
function opens(verdicts: Verdict[], every = 200): number | null {
  const window = new AttemptWindow();
  for (const [index, verdict] of verdicts.entries()) {
    const startedAt = start + index * every;
    const found = window.record({
      startedAt,
      endedAt: startedAt + 100,
      verdict,
      code: "c",
      detail: "d",
      slow: false,
    });
    if (found) return index + 1;
  }
  return null;
}
const times = (count: number, verdict: Verdict): Verdict[] => Array.from({ length: count }, () => verdict);

describe("the calls of a connection count against it", () => {
  it("after five faults in a row, or three that stretch over ten seconds", () => {
    expect(opens(times(20, "fault"))).toBe(5);
    expect(opens(times(20, "fault"), 5_000)).toBe(3);
    expect(opens(times(20, "fault"), 60_000)).toBe(3);
  });

  it("not while every few of them work", () => {
    const mixed = Array.from({ length: 200 }, (_, index): Verdict =>
      index % 3 === 0 ? "works" : index % 3 === 1 ? "fault" : "works",
    );
    expect(opens(mixed)).toBeNull();
  });

  it("when half of at least twenty calls of a minute are faults", () => {
    const half = Array.from({ length: 40 }, (_, index): Verdict => (index % 2 === 0 ? "fault" : "works"));
    expect(opens(half)).toBe(21);
    expect(opens(half, breakerRules.window / 10)).toBeNull();
  });

  it("at once when it does not accept the credentials", () => {
    expect(opens(["works", "refused"])).toBe(2);
  });

  it("never when it only asks to slow down, or when calls say nothing about it", () => {
    expect(opens([...times(200, "busy"), ...times(200, "nothing")])).toBeNull();
    expect(opens(["fault", "fault", "busy", "nothing", "fault", "fault", "fault"])).toBe(7);
  });

  it("once per event, however many calls it failed: a session that ended with fifty messages is one fault", () => {
    const window = new AttemptWindow();
    const lost = (at: number, cause: string) =>
      window.record({
        startedAt: start + at,
        endedAt: start + at + 1,
        verdict: "fault",
        code: "c",
        detail: "d",
        slow: false,
        cause,
      });
    for (let index = 0; index < 50; index++) expect(lost(index, "session 1")).toBeNull();
    for (const session of [2, 3, 4]) {
      for (let index = 0; index < 50; index++)
        expect(lost(100 * session + index, `session ${String(session)}`)).toBeNull();
    }
    expect(lost(1_000, "session 5")).toMatchObject({ from: start });
  });

  it("from the first fault of the row on, so that older findings do not count", () => {
    const window = new AttemptWindow();
    const call = (at: number, verdict: Verdict) =>
      window.record({
        startedAt: start + at,
        endedAt: start + at + 1,
        verdict,
        code: "c",
        detail: "d",
        slow: false,
      });
    call(0, "fault");
    call(10, "works");
    for (const at of [20, 30, 40, 50]) call(at, "fault");
    expect(call(60, "fault")).toEqual({ code: "c", detail: "d", from: start + 20 });
    window.forgetFaults();
    expect(call(70, "fault")).toBeNull();
  });

  it("as slow by their share in the last minutes, leaving out calls that say nothing", () => {
    const window = new AttemptWindow();
    const call = (at: number, slow: boolean, verdict: Verdict = "works") =>
      window.record({ startedAt: start + at, endedAt: start + at, verdict, code: "", detail: "", slow });
    for (let index = 0; index < 10; index++) call(index, true);
    for (let index = 0; index < 30; index++) call(1_000 + index, false);
    call(1_100, true, "nothing");
    expect(window.slowness(start + 2_000)).toEqual({ calls: 40, share: 0.25 });
    expect(window.slowness(start + 500 + slowRules.window)).toEqual({ calls: 30, share: 0 });
    expect(window.slowness(start + 5_000 + slowRules.window)).toEqual({ calls: 0, share: 0 });
  });

  it("and stops being slow where little is sent by its newest calls since, however far apart", () => {
    const window = new AttemptWindow();
    const callAt = (endedAt: number, slow: boolean) =>
      window.record({ startedAt: endedAt - 100, endedAt, verdict: "works", code: "", detail: "", slow });
    for (let index = 0; index < slowRules.minCalls; index++) callAt(start + index, true);
    const slowSince = start + 1_000;
    let now = slowSince;
    for (let index = 1; index < slowRules.minCalls; index++) callAt((now += slowRules.window), false);
    expect(window.slowness(now, slowSince).calls).toBeLessThan(slowRules.minCalls);
    callAt((now += slowRules.window), false);
    expect(window.slowness(now, slowSince)).toEqual({ calls: slowRules.minCalls, share: 0 });
    expect(window.slowness(now).calls).toBeLessThan(slowRules.minCalls);
  });
});

describe("an outcome counts", () => {
  const notSent = (code: FailureCode, retry: "later" | "failover" | "never"): SendOutcome => ({
    kind: "not_sent",
    retry,
    code,
    detail: "d",
  });
  it("as the provider's fault only where it is", () => {
    expect(classifyOutcome({ kind: "sent", providerMessageId: null, final: true })).toBe("works");
    expect(classifyOutcome({ kind: "unknown", code: "provider_timeout", detail: "d" })).toBe("fault");
    expect(classifyOutcome(notSent("provider_unavailable", "later"))).toBe("fault");
    expect(classifyOutcome(notSent("provider_tls_failed", "later"))).toBe("fault");
    expect(classifyOutcome(notSent("provider_credentials", "failover"))).toBe("refused");
    expect(classifyOutcome(notSent("provider_rate_limited", "later"))).toBe("busy");
    for (const code of ["invalid_recipient", "opted_out", "content_rejected", "mailbox_full"] as const) {
      expect(classifyOutcome(notSent(code, "never")), code).toBe("works");
    }
    for (const code of ["sender_rejected", "region_not_enabled", "provider_rejected"] as const) {
      expect(classifyOutcome(notSent(code, "failover")), code).toBe("nothing");
    }
    expect(classifyOutcome(notSent("provider_deferred", "later"))).toBe("nothing");
  });
});

describe("pauses", () => {
  it("double from five seconds to five minutes, spread by a fifth", () => {
    expect([1, 2, 3, 7, 50].map((openings) => probePause(openings, 0.5, false))).toEqual([
      5_000, 10_000, 20_000, 300_000, 300_000,
    ]);
    expect([probePause(1, 0, false), probePause(1, 1, false)]).toEqual([4_000, 6_000]);
  });

  it("are at most ten seconds while messages have no other connection", () => {
    for (const openings of [1, 2, 3, 7, 50]) {
      for (const random of [0, 0.5, 0.999])
        expect(probePause(openings, random, true)).toBeLessThanOrEqual(10_000);
    }
  });

  it("double from a second to half a minute for a connection that asks to slow down", () => {
    expect([1, 2, 6, 50].map(restAfterBusy)).toEqual([1_000, 2_000, 30_000, 30_000]);
  });
});
