import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SendOutcome } from "../adapters/adapter.ts";
import { makeDelivery } from "../testing/delivery.ts";
import {
  afterAttempt,
  chooseConnection,
  expired,
  nextStep,
  refused,
  withoutRoute,
} from "./delivery-policy.ts";
import type { NextStep } from "./delivery-policy.ts";
import { classPolicies, sandboxReceiptWait } from "./message-class.ts";
import type { Delivery } from "./queries.ts";

type Failed = Exclude<SendOutcome, { kind: "sent" }>;

const now = new Date("2027-03-01T12:00:00.000Z");
const later = (ms: number) => new Date(now.getTime() + ms);

const row = (fields: Partial<Delivery> = {}) =>
  makeDelivery({ dueAt: now, expiresAt: later(60_000), now, ...fields });

const attempt = (number: number, outcome: string | null, connectionId = "a") => ({
  number,
  connectionId,
  worker: "w",
  outcome,
  code: null as string | null,
  startedAt: later(-100).toISOString(),
  finishedAt: now.toISOString(),
});
const notSent = (retry: "later" | "failover" | "never", retryAfterMs?: number): Failed => ({
  kind: "not_sent",
  retry,
  code: "provider_error",
  detail: "d",
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const unknown: Failed = { kind: "unknown", code: "provider_error", detail: "d" };
const classes = ["authentication", "transactional", "service", "marketing"] as const;

/** The next step, or how the message ends. */
const endOf = (step: NextStep) => (step.do === "end" ? step.as.to : step.do);

describe("what a job does with a message", () => {
  it("is nothing when nothing is due: finished, or due later than in a second", () => {
    expect(nextStep(row({ dueAt: null }), false)).toEqual({ do: "nothing" });
    expect(nextStep(row({ dueAt: later(1_001) }), false)).toEqual({ do: "nothing" });
    expect(nextStep(row({ dueAt: later(900) }), false)).toEqual({ do: "attempt" });
  });

  it("is nothing while another worker is working on it, and a recovery once that worker is gone", () => {
    const open = row({ status: "sending", openAttempt: 2, attemptCount: 2, dueAt: later(120_000) });
    expect(nextStep(open, true)).toEqual({ do: "nothing" });
    expect(nextStep(open, false)).toEqual({ do: "recover", attempt: 2 });
    const ended = { ...open, status: "delivered" as const, dueAt: null };
    expect(nextStep(ended, true)).toEqual({ do: "nothing" });
    expect(nextStep(ended, false)).toEqual({ do: "recover", attempt: 2 });
  });

  it("is the end as undetermined when the receipt did not come in time", () => {
    expect(nextStep(row({ status: "sent" }), false)).toMatchObject({ as: { to: "undetermined" } });
  });

  it("is expiry once the time-to-live has passed, and giving up after 25 attempts", () => {
    expect(nextStep(row({ expiresAt: now }), false)).toEqual({ do: "expire" });
    expect(nextStep(row({ expiresAt: later(900) }), false)).toEqual({ do: "wait" });
    expect(nextStep(row({ expiresAt: later(1) }), false)).toEqual({ do: "wait" });
    expect(nextStep(row({ expiresAt: later(1_100) }), false)).toEqual({ do: "attempt" });
    expect(nextStep(row({ attemptCount: 24, status: "sending" }), false)).toEqual({ do: "attempt" });
    expect(nextStep(row({ attemptCount: 25, status: "sending" }), false)).toMatchObject({
      as: { to: "failed" },
    });
  });

  it("is rejection when its recipient was erased by now", () => {
    expect(nextStep(row({ erased: true }), false)).toMatchObject({
      as: { to: "rejected", reason: { code: "suppressed" } },
    });
  });

  it("is rejection when consent or suppression forbid the attempt, unless an earlier one may have arrived", () => {
    const asked = { channel: "sms", class: "marketing", consent: "opted_out" } as const;
    for (const code of ["suppressed", "consent_denied"] as const) {
      expect(refused(row(), code, asked)).toMatchObject({ to: "rejected", reason: { code } });
      expect(refused(row({ unknownOutcomes: 1 }), code, asked)).toMatchObject({ to: "undetermined" });
    }
  });

  it("after an unknown outcome is one more attempt for one-time codes and transactions, none for the others", () => {
    for (const name of classes) {
      const once = row({
        class: name,
        status: "sending",
        attemptCount: 1,
        unknownOutcomes: 1,
        attempts: [attempt(1, "unknown")],
      });
      const retried = name === "authentication" || name === "transactional";
      expect(endOf(nextStep(once, false)), name).toBe(retried ? "attempt" : "undetermined");
      const refusedSince = { ...once, attempts: [attempt(1, "unknown"), attempt(2, "not_sent")] };
      expect(nextStep(refusedSince, false), name).toEqual(nextStep(once, false));
      const twice = { ...once, unknownOutcomes: 2, attempts: [attempt(1, "unknown"), attempt(2, "unknown")] };
      expect(endOf(nextStep(twice, false)), name).toBe("undetermined");
    }
  });

  it("after an unknown outcome is up to three more attempts where the provider recognises them, whatever the class", () => {
    for (const name of classes) {
      const unsure = (times: number) =>
        row({
          class: name,
          status: "sending",
          attemptCount: times,
          unknownOutcomes: times,
          attempts: [attempt(times, "unknown")],
        });
      expect(endOf(nextStep(unsure(1), false, { recognised: true })), name).toBe("attempt");
      expect(endOf(nextStep(unsure(3), false, { recognised: true })), name).toBe("attempt");
      expect(endOf(nextStep(unsure(4), false, { recognised: true })), name).toBe("undetermined");
    }
  });

  it("in a campaign nobody gets it twice, whatever the class, but where the provider recognises repetitions", () => {
    for (const name of classes) {
      const unsure = row({
        ...{ class: name, status: "sending", attemptCount: 1, unknownOutcomes: 1 },
        attempts: [attempt(1, "unknown")],
      });
      expect(endOf(nextStep(unsure, false, { inCampaign: true })), name).toBe("undetermined");
      expect(endOf(nextStep(unsure, false, { inCampaign: true, recognised: true })), name).toBe("attempt");
    }
  });

  it("never says that a message did not go out while an attempt's outcome is unknown", () => {
    const unsure = row({
      status: "sending",
      attemptCount: 1,
      unknownOutcomes: 1,
      attempts: [attempt(1, "unknown")],
    });
    expect(endOf(nextStep({ ...unsure, expiresAt: now }, false))).toBe("undetermined");
    expect(endOf(nextStep({ ...unsure, erased: true }, false))).toBe("undetermined");
    expect(endOf(nextStep({ ...unsure, attemptCount: 25 }, false))).toBe("undetermined");
    const refusedSince = [attempt(1, "unknown"), attempt(2, "not_sent")];
    expect(
      endOf(nextStep({ ...unsure, attemptCount: 2, attempts: refusedSince, expiresAt: now }, false)),
    ).toBe("undetermined");
  });
});

describe("the end of a message", () => {
  const failure = { code: "provider_rate_limited", detail: "d" } as const;
  const unavailable = { code: "provider_unavailable", detail: "All are out." } as const;

  it("that expired keeps the failure of its last attempt, or says that its connections were out", () => {
    expect(expired({ failure }, () => unavailable)).toMatchObject({ to: "expired", failure });
    expect(expired({ failure: null }, () => unavailable)).toMatchObject({ failure: unavailable });
    expect(expired({ failure: null }, () => null).failure).toBeUndefined();
  });

  it("that every connection refused for good has the last refusal, not that there was no route", () => {
    const rejected = { code: "sender_rejected", detail: "d" } as const;
    const final = { ...attempt(1, "not_sent"), code: "sender_rejected" };
    expect(withoutRoute({ attempts: [final], failure: rejected })).toEqual({
      to: "failed",
      failure: rejected,
    });
    expect(withoutRoute({ attempts: [{ ...final, code: "provider_unavailable" }], failure })).toMatchObject({
      failure: { code: "no_route" },
    });
  });

  it("without a route is a failure, unless an attempt may have succeeded", () => {
    expect(withoutRoute({ attempts: [], failure: null })).toMatchObject({
      to: "failed",
      failure: { code: "no_route" },
    });
    const refusedSince = { ...attempt(2, "not_sent"), code: "sender_rejected" };
    for (const attempts of [[attempt(1, "unknown")], [attempt(1, "unknown"), refusedSince]])
      expect(withoutRoute({ attempts, failure })).toMatchObject({
        to: "undetermined",
        reason: { code: "no_receipt" },
      });
  });
});

describe("the connection of the next attempt", () => {
  const candidates = ["a", "b", "c"].map((connectionId) => ({ connectionId }));

  type Attempts = ReturnType<typeof attempt>[];
  const choose = (
    attempts: Attempts,
    options: {
      class?: (typeof classes)[number];
      among?: string[];
      wait?: Record<string, number>;
      out?: string[];
    } = {},
  ) => {
    const choice = chooseConnection(
      options.among?.map((connectionId) => ({ connectionId })) ?? candidates,
      { class: options.class ?? "transactional", attempts },
      {
        now: now.getTime(),
        availability: (id) => ({
          from: now.getTime() + (options.wait?.[id] ?? 0),
          out: options.out?.includes(id) ?? false,
        }),
      },
    );
    if (choice.do === "wait") return `${choice.connectionId} in ${String(choice.until - now.getTime())}`;
    return choice.do === "use" ? choice.connectionId : null;
  };
  const busy = (number: number, connectionId: string, began: number, ended: number) => ({
    ...attempt(number, "not_sent", connectionId),
    code: "provider_rate_limited",
    startedAt: later(began).toISOString(),
    finishedAt: later(ended).toISOString(),
  });

  it("is the first that has not refused yet, then the one that refused least often", () => {
    expect(choose([])).toBe("a");
    expect(choose([attempt(1, "not_sent")])).toBe("b");
    expect(choose([attempt(1, "not_sent"), attempt(2, "not_sent", "b")])).toBe("c");
    const round = ["a", "b", "c", "a"].map((id, index) => attempt(index + 1, "not_sent", id));
    expect(choose(round)).toBe("b");
  });

  it("is the same again after an unknown outcome, even if it is out: then the message waits for it", () => {
    const attempts = [attempt(1, "not_sent"), attempt(2, "unknown", "b")];
    expect(choose(attempts)).toBe("b");
    expect(choose(attempts, { wait: { b: 5_000 }, out: ["b"] })).toBe("b in 5000");
  });

  it("is the same again also after it certainly failed since: what may have arrived goes to no other provider", () => {
    expect(choose([attempt(1, "unknown", "b"), attempt(2, "not_sent", "b")])).toBe("b");
    const many = [attempt(1, "unknown", "b"), ...[2, 3, 4].map((number) => attempt(number, "not_sent", "b"))];
    expect(choose(many, { wait: { b: 5_000 }, out: ["b"] })).toBe("b in 5000");
    expect(choose([attempt(1, "unknown", "b"), busy(2, "b", -100, 0)], { class: "authentication" })).toBe(
      "b",
    );
  });

  it("is none after an unknown outcome over a connection that is gone, or that refuses the message for good", () => {
    expect(choose([attempt(1, "unknown", "gone")])).toBeNull();
    expect(choose([attempt(1, "unknown", "gone"), attempt(2, "not_sent", "gone")])).toBeNull();
    const final = { ...attempt(2, "not_sent", "b"), code: "sender_rejected" };
    expect(choose([attempt(1, "unknown", "b"), final])).toBeNull();
  });

  it("is never again one that refused the message for good, and none once all did", () => {
    const final = (number: number, connectionId: string) => ({
      ...attempt(number, "not_sent", connectionId),
      code: "sender_rejected",
    });
    expect(choose([final(1, "a"), attempt(2, "not_sent", "b"), attempt(3, "not_sent", "c")])).toBe("b");
    expect(choose([final(1, "a")], { wait: { b: 5_000, c: 9_000 }, out: ["b", "c"] })).toBe("b in 5000");
    expect(choose([final(1, "a"), final(2, "b"), final(3, "c")])).toBeNull();
    expect(choose([final(1, "a")], { among: ["a"] })).toBeNull();
  });

  it("is none without candidates", () => {
    expect(choose([attempt(1, "not_sent")], { among: [] })).toBeNull();
  });

  it("is never one that is out while another works, whatever the class's patience", () => {
    for (const name of classes) {
      expect(choose([], { class: name, wait: { a: 100 }, out: ["a"] }), name).toBe("b");
      expect(choose([attempt(1, "not_sent", "b")], { class: name, wait: { a: 100 }, out: ["a"] }), name).toBe(
        "c",
      );
    }
  });

  it("is waited for when all are out: for the one that is back first", () => {
    expect(choose([], { wait: { a: 9_000, b: 3_000, c: 4_000 }, out: ["a", "b", "c"] })).toBe("b in 3000");
  });

  it("stays the same while it asks to wait, as long as the class has patience", () => {
    expect(choose([busy(1, "a", -100, 0)])).toBe("a");
    expect(choose([busy(1, "a", -100, 0)], { wait: { a: 9_000 } })).toBe("a in 9000");
    expect(choose([busy(1, "a", -100, 0)], { wait: { a: 16_000 } })).toBe("b");
    expect(choose([busy(1, "a", -14_000, -13_900), busy(2, "a", -100, 0)])).toBe("b");
    expect(choose([busy(1, "a", -100, 0)], { class: "authentication" })).toBe("b");
    expect(choose([busy(1, "a", -100, 0)], { class: "marketing", wait: { a: 120_000 } })).toBe("a in 120000");
  });
});

describe("what follows an attempt", () => {
  const after = (
    outcome: Failed,
    fields: {
      number?: number;
      untried?: number;
      left?: number;
      others?: number;
      code?: string;
      sandbox?: boolean;
      class?: (typeof classes)[number];
      random?: number;
      idempotent?: boolean;
      unknownOutcomes?: number;
    } = {},
  ) =>
    afterAttempt(
      {
        class: fields.class ?? "transactional",
        sandbox: fields.sandbox ?? false,
        unknownOutcomes: fields.unknownOutcomes ?? 0,
        attempts: [{ ...attempt(fields.number ?? 1, outcome.kind), code: fields.code ?? "c" }],
      },
      {
        number: fields.number ?? 1,
        outcome,
        left: fields.left ?? 1,
        others: fields.others ?? fields.untried ?? 0,
        untried: fields.untried ?? 0,
        supportsIdempotency: fields.idempotent ?? false,
      },
      fields.random ?? 0.5,
    );

  it("is failure where nothing can help, whatever else could be tried", () => {
    expect(after(notSent("never"), { untried: 2 })).toEqual({ then: "failed" });
  });

  it("is no failure, but doubt, where an earlier attempt may have sent it", () => {
    expect(after(notSent("never"), { unknownOutcomes: 1 })).toEqual({ then: "inDoubt" });
    expect(after(notSent("later"), { left: 0, unknownOutcomes: 1 })).toEqual({ then: "inDoubt" });
  });

  it("is failure where every connection has refused it for good, and no pause", () => {
    for (const retry of ["later", "failover"] as const) {
      expect(after(notSent(retry), { left: 0 })).toEqual({ then: "failed" });
      expect(after(notSent(retry), { left: 1 })).toMatchObject({ then: "again" });
    }
    expect(after(unknown, { left: 0 })).toMatchObject({ then: "again" });
  });

  it("is the next connection at once, and only then a pause", () => {
    for (const retry of ["later", "failover"] as const) {
      expect(after(notSent(retry), { untried: 1 })).toEqual({ then: "again", delayMs: 0 });
      expect(after(notSent(retry))).toEqual({ then: "again", delayMs: 2_000 });
    }
  });

  it("is the same connection after the pause it asks for, unless that is longer than the class's patience", () => {
    const code = "provider_rate_limited";
    expect(after(notSent("later"), { untried: 1, code })).toEqual({ then: "again", delayMs: 2_000 });
    expect(after(notSent("later", 9_000), { untried: 1, code })).toEqual({ then: "again", delayMs: 9_000 });
    expect(after(notSent("later", 90_000), { untried: 1, code })).toEqual({ then: "again", delayMs: 0 });
    expect(after(notSent("later", 90_000), { code })).toEqual({ then: "again", delayMs: 90_000 });
    expect(after(notSent("later"), { untried: 1, code, class: "authentication" })).toEqual({
      then: "again",
      delayMs: 0,
    });
  });

  it("waits longer each time, within the class's limits, and at least as long as the provider asks", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...classes),
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 3_600_000 }), { nil: undefined }),
        (name, number, random, asked) => {
          const { first, longest } = classPolicies[name].backoff;
          const result = after(notSent("later", asked), { class: name, number, random });
          const delay = result.then === "again" ? result.delayMs : Number.NaN;
          const base = Math.min(longest, first * 2 ** (number - 1));
          expect(delay).toBeGreaterThanOrEqual(Math.max(Math.floor(base * 0.8), asked ?? 0));
          expect(delay).toBeLessThanOrEqual(Math.max(Math.ceil(base * 1.2), asked ?? 0));
        },
      ),
    );
  });

  it("waits for a receipt after an unknown outcome, never asking another connection instead", () => {
    for (const name of classes) {
      const { receiptWait } = classPolicies[name];
      expect(after(unknown, { class: name, untried: 3 })).toEqual({ then: "again", delayMs: receiptWait });
    }
    expect(after(unknown, { sandbox: true })).toEqual({ then: "again", delayMs: sandboxReceiptWait });
  });

  it("asks a provider that recognises repetitions again without waiting for a receipt", () => {
    expect(after(unknown, { idempotent: true })).toEqual({ then: "again", delayMs: 2_000 });
  });
});
