/** What an answer's status alone says about a message, for every provider that speaks HTTP. */
import { describe, expect, it } from "vitest";
import { refusedOutcome } from "./http-call.ts";
import { providerText } from "./provider-text.ts";

describe("an answer by which the provider does not say that it has the message", () => {
  it.each([200, 202, 204, 303, 408, 499, 500, 502, 503, 504, 599])(
    "%i leaves open whether it has, so that nothing is sent a second time without asking",
    (status) => {
      expect(refusedOutcome({ status, headers: { "retry-after": "1" } }, {})).toMatchObject({
        kind: "unknown",
        providerCode: String(status),
      });
    },
  );

  it.each([
    [301, "failover"],
    [302, "failover"],
    [307, "failover"],
    [308, "failover"],
    [400, "failover"],
    [401, "failover"],
    [403, "failover"],
    [404, "failover"],
    [413, "never"],
    [422, "failover"],
    [425, "later"],
    [429, "later"],
  ])("%i says that it has not: %s", (status, retry) => {
    expect(refusedOutcome({ status, headers: {} }, {})).toMatchObject({ kind: "not_sent", retry });
  });

  it("means what the provider's own code says, whatever the status is", () => {
    const known = { retry: "never", code: "opted_out", detail: "The recipient has opted out" } as const;
    expect(refusedOutcome({ status: 500, headers: {} }, {}, known)).toMatchObject({
      kind: "not_sent",
      ...known,
    });
  });
});

it("a provider's words that are cut within a character can be stored", () => {
  expect(providerText(`${"x".repeat(499)}👋`).isWellFormed()).toBe(true);
});
