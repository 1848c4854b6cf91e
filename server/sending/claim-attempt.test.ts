import { describe, expect, it } from "vitest";
import { makeConnection, makeDelivery } from "../testing/delivery.ts";
import { claimOf, claimTookTooLong, timeLeft } from "./claim-attempt.ts";

const delivery = makeDelivery();

describe("a claim", () => {
  it("names the process, the connection and the sender, and has a problem with links reported", () => {
    const rendered = { from: "+4930123456", segments: 2, linkProblem: null };
    expect(claimOf(delivery, makeConnection("c"), rendered, { worker: "w" })).toEqual({
      tenantId: "t",
      id: "n",
      kind: "claim",
      worker: "w",
      policy: "opt_out",
      connectionId: "c",
      provider: "Connection c",
      from: "+4930123456",
      segments: 2,
      problem: null,
      jobs: [],
    });
    const linkProblem = { code: "shortener_timeout", detail: "No answer" } as const;
    expect(
      claimOf(delivery, makeConnection("c"), { ...rendered, linkProblem }, { worker: "w" }),
    ).toMatchObject({
      problem: linkProblem,
      jobs: [{ payload: { notificationId: "n", code: "shortener_timeout" } }],
    });
  });

  it("subtracts the time since the message was loaded from its time to live", () => {
    expect(timeLeft(delivery, 0)).toBe(60_000);
    expect(timeLeft(delivery, 59_500)).toBe(500);
  });

  it("that took three seconds, or left less than one to live, is followed by no call", () => {
    expect(claimTookTooLong(5, 60_000)).toBe(false);
    expect(claimTookTooLong(3_001, 60_000)).toBe(true);
    expect(claimTookTooLong(1_000, 1_999)).toBe(true);
    expect(claimTookTooLong(1_000, 2_000)).toBe(false);
  });
});
