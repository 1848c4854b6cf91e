import { describe, expect, it } from "vitest";
import type { OutboundMessage, SendOutcome } from "../adapters/adapter.ts";
import { logger } from "../kernel/log.ts";
import { makeConnection, makeDelivery } from "../testing/delivery.ts";
import { conclusionOf, writeOutcome } from "./conclude-attempt.ts";
import type { EndedAttempt } from "./conclude-attempt.ts";
import { classPolicies, receiptWindow } from "./message-class.ts";
import type { NotificationTarget, OutcomeChange } from "./notification-change.ts";

const now = new Date("2027-03-01T12:00:00.000Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const delivery = makeDelivery({ now });
const estimate = { amount: "0.070000", currency: "EUR", source: "estimated" } as const;
const details = {
  connection: makeConnection("c"),
  message: {} as OutboundMessage,
  estimate,
  startedAt: later(-100),
  route: ["c", "d"],
  others: [] as string[],
};
const sent = { kind: "sent", providerMessageId: "x", final: false } as const;
const refused: SendOutcome = { kind: "not_sent", retry: "failover", code: "sender_rejected", detail: "d" };
const unknown: SendOutcome = { kind: "unknown", code: "provider_timeout", detail: "d" };

const conclude = (outcome: SendOutcome, fields: Partial<EndedAttempt> = {}, of = delivery) =>
  conclusionOf(of, { number: 1, worker: "w", outcome, details, ...fields }, { task: "t", now, random: 0.5 });

const attemptOver = (connectionId: string) => ({
  number: 1,
  connectionId,
  worker: "w",
  outcome: "not_sent",
  startedAt: later(-200).toISOString(),
  finishedAt: later(-150).toISOString(),
});

describe("the change after an attempt", () => {
  it("that was sent has the time by which its receipt must arrive, unless none will come", () => {
    expect(conclude(sent)).toMatchObject({
      outcome: "sent",
      dueAt: later(receiptWindow),
      provider: "Connection c",
    });
    expect(conclude({ ...sent, final: true })).toMatchObject({ final: true, dueAt: undefined });
  });

  it("has the price that the provider reports, else the estimate, and none in the sandbox", () => {
    expect(conclude(sent)).toMatchObject({ price: estimate });
    const price = { amount: "0.08", currency: "USD" };
    expect(conclude({ ...sent, price })).toMatchObject({ price: { ...price, source: "reported" } });
    expect(conclude(sent, {}, { ...delivery, sandbox: true })).toMatchObject({ price: undefined });
  });

  it("that failed has the time of the next one: at once over a connection that was not tried yet", () => {
    const elsewhere = { details: { ...details, others: ["d"] } };
    expect(conclude(refused, elsewhere)).toMatchObject({ next: { dueAt: now, task: "t" } });
    const { first } = classPolicies.transactional.backoff;
    expect(conclude(refused)).toMatchObject({ next: { dueAt: later(first) } });
    expect(conclude({ ...refused, retry: "never" })).toMatchObject({ next: { to: "failed" } });
    // An earlier attempt may have sent it.
    expect(conclude({ ...refused, retry: "never" }, {}, { ...delivery, unknownOutcomes: 1 })).toMatchObject({
      outcome: "not_sent",
      next: { to: "undetermined", reason: { code: "no_receipt" } },
    });
  });

  it("ends at once where the only connection, or every one, refuses it for good; what concerns the account is tried again", () => {
    const final = { ...refused, retry: "failover", code: "sender_rejected" } as const;
    const only = { details: { ...details, route: ["c"] } };
    expect(conclude(final, only)).toMatchObject({
      next: { to: "failed" },
      failure: { code: "sender_rejected" },
    });
    expect(conclude(final, { details: { ...details, others: ["d"] } })).toMatchObject({
      next: { dueAt: now },
    });
    // The other one is out, and may still take it when it is back.
    expect(conclude(final)).toMatchObject({ next: { task: "t" } });
    const last = { ...delivery, attempts: [{ ...attemptOver("d"), code: "region_not_enabled" }] };
    expect(conclude(final, { details: { ...details, others: ["d"] } }, last)).toMatchObject({
      next: { to: "failed" },
    });
    const busy = { ...delivery, attempts: [{ ...attemptOver("d"), code: "provider_rate_limited" }] };
    expect(conclude(final, { details: { ...details, others: ["d"] } }, busy)).toMatchObject({
      next: { task: "t" },
    });
    for (const code of ["provider_credentials", "provider_out_of_funds", "account_restricted"] as const) {
      expect(conclude({ ...final, code }, only), code).toMatchObject({ next: { task: "t" } });
    }
  });

  it("is due when its time is up at the latest, but in doubt it still waits for its receipt", () => {
    const dying = { ...delivery, expiresAt: later(500) };
    expect(conclude(refused, {}, dying)).toMatchObject({ next: { dueAt: later(500) } });
    const { receiptWait } = classPolicies.transactional;
    expect(conclude(unknown, {}, dying)).toMatchObject({ next: { dueAt: later(receiptWait) } });
  });

  it("of another process is only its outcome", () => {
    expect(conclude(unknown, { details: null })).toMatchObject({
      outcome: "unknown",
      provider: undefined,
      failure: { code: "provider_timeout" },
    });
  });
});

describe("an outcome", () => {
  const failing = (...errors: Error[]) => {
    const written: (NotificationTarget & OutcomeChange)[] = [];
    const write = (change: NotificationTarget & OutcomeChange) => {
      written.push(change);
      const error = errors.shift();
      return error === undefined ? Promise.resolve() : Promise.reject(error);
    };
    return { written, write };
  };
  const outOfRange = Object.assign(new Error("value out of range"), { code: "22003" });

  it("is written however often the database is unavailable", async () => {
    const { written, write } = failing(new Error("no connection"), new Error("no connection"));
    await writeOutcome(write, conclude(sent), logger());
    expect(written).toEqual([conclude(sent), conclude(sent), conclude(sent)]);
  });

  it("loses only what the database rejects", async () => {
    const told = { ...sent, providerMessageId: "x\0y", segments: 99_999_999_999 };
    const { written, write } = failing(outOfRange);
    await writeOutcome(write, conclude(told), logger());
    expect(written[1]).toMatchObject({ outcome: "sent", attempt: 1, providerMessageId: "xy" });
    expect(written[1]).not.toHaveProperty("segments");
    expect(written[1]).not.toHaveProperty("price");
  });

  it("that is rejected even without its details is given up", async () => {
    await expect(
      writeOutcome(failing(outOfRange, outOfRange).write, conclude(refused), logger()),
    ).rejects.toThrow("out of range");
  });
});
