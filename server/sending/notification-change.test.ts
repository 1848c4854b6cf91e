import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { changeJson } from "./notification-change.ts";
import type { Change } from "./notification-change.ts";

const database = await testDatabase();

const at = new Date("2027-03-01T12:00:00.000Z");
const price = { amount: "0.070000", currency: "EUR", source: "reported" } as const;
const failure = { code: "invalid_recipient", detail: "No such number", providerCode: "21211" } as const;
const reason = { code: "expired", detail: "Too late" } as const;
const problem = { code: "shortener_timeout", detail: "No answer" } as const;
const jobs = [{ task: "t", payload: {} }];
const claim = {
  kind: "claim",
  worker: "w",
  policy: "opt_out",
  token: "hmac:x",
  connectionId: "c",
  provider: "First",
} as const;

const written = (change: Change): unknown =>
  JSON.parse(JSON.stringify(changeJson({ tenantId: "t", id: "n", ...change })));

describe("a change", () => {
  const forms: Record<string, [Change, Record<string, unknown>]> = {
    claim: [
      { ...claim, from: "+4930", segments: 2, problem, jobs },
      {
        claim: true,
        to: "sending",
        worker: "w",
        policy: "opt_out",
        token: "hmac:x",
        connectionId: "c",
        provider: "First",
        segments: 2,
        jobs,
        data: { provider: "First", from: "+4930", problem },
      },
    ],
    "outcome of a message that was sent": [
      { kind: "outcome", attempt: 1, provider: "First", outcome: "sent", final: false, dueAt: at, price },
      {
        attempt: 1,
        outcome: "sent",
        to: "sent",
        final: false,
        dueAt: at.toISOString(),
        price,
        data: { attempt: 1, provider: "First" },
      },
    ],
    "outcome that is tried again": [
      { kind: "outcome", attempt: 2, outcome: "not_sent", failure, next: { dueAt: at, task: "deliver_otp" } },
      {
        attempt: 2,
        outcome: "not_sent",
        ...failure,
        failure,
        dueAt: at.toISOString(),
        task: "deliver_otp",
        data: { attempt: 2, failure },
      },
    ],
    "outcome that is the end": [
      { kind: "outcome", attempt: 2, outcome: "not_sent", failure, next: { to: "failed" } },
      { attempt: 2, outcome: "not_sent", to: "failed", ...failure, failure, data: { attempt: 2, failure } },
    ],
    "outcome that is the end, though an earlier attempt may have sent it": [
      { kind: "outcome", attempt: 2, outcome: "not_sent", failure, next: { to: "undetermined", reason } },
      {
        ...{ attempt: 2, outcome: "not_sent", to: "undetermined", reason },
        ...{ ...failure, failure, data: { attempt: 2, failure, reason } },
      },
    ],
    transition: [
      { kind: "transition", to: "expired", reason, failure, price: { ...price, attempt: 3 } },
      { to: "expired", reason, failure, price, priceAttempt: 3, data: { reason, failure } },
    ],
    signal: [
      { kind: "signal", signal: "read", at, source: "receipt" },
      { to: "read", at: at.toISOString(), data: { source: "receipt" } },
    ],
    price: [
      { kind: "price", at, price },
      { at: at.toISOString(), price },
    ],
    reschedule: [
      { kind: "reschedule", dueAt: at, task: "deliver_bulk" },
      { dueAt: at.toISOString(), task: "deliver_bulk" },
    ],
  };

  for (const [name, [change, json]] of Object.entries(forms)) {
    it(`has the JSON of its kind: ${name}`, () => {
      expect(written(change)).toEqual({ tenantId: "t", id: "n", ...json });
    });
  }

  it("contains nothing that the database does not read", async () => {
    const { rows } = await database.owner.query<{ prosrc: string }>(
      "SELECT prosrc FROM pg_proc WHERE proname = 'notification_changes'",
    );
    const columns = /"?(\w+)"? (?:uuid|text|timestamptz|boolean|int|jsonb)\b/g;
    const known = [...(rows[0]?.prosrc ?? "").matchAll(columns)].map(([, name]) => name);
    for (const [change] of Object.values(forms)) {
      for (const name of Object.keys(written(change) as object)) expect(known).toContain(name);
    }
  });
});
