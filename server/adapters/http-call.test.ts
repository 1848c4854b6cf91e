/** What an answer's status alone says about a message, for every provider that speaks HTTP. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { startFaultyServer } from "../testing/faulty-server.ts";
import { httpProviders } from "../testing/http-providers.ts";
import { emailMessage, loopbackClient } from "../testing/outbound-email.ts";
import type { AdapterName, Connection, OutboundMessage } from "./adapter.ts";
import { refusedOutcome, sendThrough, testThrough, unexpectedAnswer, unreadableAnswer } from "./http-call.ts";
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
    [413, "failover"],
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

it.each([
  [403, { kind: "not_sent", retry: "failover" }],
  [502, { kind: "unknown", code: "provider_error" }],
  [200, unreadableAnswer],
] as const)(
  "%i counts for what it is under a page that is longer than any answer",
  async (status, outcome) => {
    const provider = await startFaultyServer({ answer: () => ({ status, body: "<p>".repeat(100_000) }) });
    const http = loopbackClient();
    try {
      const request = { method: "POST" as const, url: `${provider.baseUrl}/`, headers: {}, body: "{}" };
      const read: Parameters<typeof sendThrough>[2] = (answer) =>
        answer.status === 200 ? unreadableAnswer : refusedOutcome(answer, {});
      expect(await sendThrough({ http }, request, read)).toMatchObject(outcome);
    } finally {
      await http.close();
      await provider.close();
    }
  },
);

describe("a test that a provider does not answer as expected", () => {
  it.each([400, 404, 405, 410, 429])(
    "reaches the provider all the same where it refuses with %i",
    (status) => {
      expect(unexpectedAnswer("Example", status)).toMatchObject({ ok: false, reachable: true });
    },
  );

  it.each([200, 302, 408, 500, 502, 503])("says nothing of the kind after %i", (status) => {
    expect(unexpectedAnswer("Example", status)).not.toHaveProperty("reachable");
  });

  it("reaches the provider all the same where its answer is longer than is read", async () => {
    const provider = await startFaultyServer({ answer: () => ({ status: 200, body: "x".repeat(100_000) }) });
    const http = loopbackClient();
    try {
      const request = { method: "GET" as const, url: `${provider.baseUrl}/`, headers: {} };
      expect(await testThrough({ http }, request, () => ({ ok: true }))).toMatchObject({
        ok: false,
        reachable: true,
      });
    } finally {
      await http.close();
      await provider.close();
    }
  });
});

it("a provider's words that are cut within a character can be stored", () => {
  expect(providerText(`${"x".repeat(499)}👋`).isWellFormed()).toBe(true);
});

describe("a message that takes more than one call", () => {
  /** The time that each call was given, ms. */
  async function timesOf(
    name: AdapterName,
    settings: object = {},
    message: Partial<OutboundMessage> = {},
  ): Promise<number[]> {
    const line = httpProviders.find(({ adapter }) => adapter.name === name);
    if (!line) throw new Error(`no line for ${name}`);
    const times: number[] = [];
    const request: OutboundClient["request"] = async ({ method, url, timeoutMs, body = "" }) => {
      times.push(timeoutMs ?? Infinity);
      await pause(20);
      const path = new URL(url).pathname;
      const answer = line.answer({ method, path, headers: {}, body: String(body) });
      return { headers: {}, truncated: false, ...answer, body: Buffer.from(answer.body ?? "") };
    };
    const given = line.connection("https://provider.example");
    const connection: Connection = { ...given, settings: { ...(given.settings as object), ...settings } };
    const outcome = await line.adapter.send(
      connection,
      { ...emailMessage(), ...line.message, ...message },
      { http: { request } as OutboundClient, timeoutMs: 6_000 },
    );
    expect(outcome).toMatchObject({ kind: "sent" });
    return times;
  }
  const template: Partial<OutboundMessage> = {
    channel: "whatsapp",
    whatsapp: { template: "order_status", language: "en", variables: { "1": "4711" } },
    header: { type: "text", value: "Order 4711" },
  };

  it.each([
    ["microsoft365", {}, {}],
    ["meta", { wabaId: "102290129340398" }, template],
    ["infobip", {}, template],
  ] as const)("over %s has one clock for all of them", async (name, settings, message) => {
    const [first = 0, second = Infinity, ...more] = await timesOf(name, settings, message);
    expect(first).toBeLessThanOrEqual(6_000);
    expect(second).toBeLessThan(first);
    expect(more).toEqual([]);
  });
});
