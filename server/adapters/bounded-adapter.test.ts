/** Whatever a provider says, what comes out of its adapter can be written: for every adapter that there is. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { startFaultyServer } from "../testing/faulty-server.ts";
import { httpProviders } from "../testing/http-providers.ts";
import { loopbackClient, emailMessage } from "../testing/outbound-email.ts";
import type { Adapter, InboundMessage, Receipt, SendOutcome } from "./adapter.ts";
import { allAdapters, findAdapter } from "./adapters.ts";
import { boundReceipt, boundedAdapter, bounds } from "./bounded-adapter.ts";

const http = loopbackClient();
afterAll(() => http.close());

const huge = "9\0\ud800é".repeat(250_000);
const numbers = [99_999_999_999, -1, 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e308];
const moments = [new Date(Number.NaN), new Date(8.64e15), new Date(-8.64e15), new Date("1969-01-01")];

/** Fails for anything that Postgres does not take, or that is larger than anything means. */
function expectWritable(value: unknown): void {
  const text = JSON.stringify(value);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toContain("\\u0000");
  expect(text).not.toMatch(/\\ud[89a-f]/i);
  expect(text.length).toBeLessThan(160_000);
  const walk = (member: unknown): void => {
    if (typeof member === "number") expect(Math.abs(member)).toBeLessThanOrEqual(bounds.retryAfterMs);
    if (member instanceof Date) expect(Math.abs(member.getUTCFullYear() - 2050)).toBeLessThanOrEqual(50);
    else if (typeof member === "object" && member !== null) Object.values(member).forEach(walk);
  };
  walk(value);
}

const absurdReceipt = (number: number, at: Date): Receipt => ({
  providerMessageId: huge,
  account: huge,
  notificationId: huge,
  attempt: number,
  status: "delivered",
  at,
  code: huge as never,
  detail: huge,
  providerCode: huge,
  providerMessage: huge,
  price: { amount: String(number), currency: huge },
  category: huge,
  segments: number,
});
const absurdInbound = (at: Date): InboundMessage => ({
  providerMessageId: huge,
  account: huge,
  channel: "sms",
  from: huge,
  to: huge,
  text: huge,
  kind: huge,
  at,
  repliesTo: huge,
  button: { payload: huge, text: huge },
});
const absurdOutcomes = (number: number): SendOutcome[] => [
  {
    kind: "sent",
    providerMessageId: huge,
    final: false,
    segments: number,
    price: { amount: String(number), currency: "EUR" },
  },
  {
    kind: "not_sent",
    retry: "later",
    retryAfterMs: number,
    code: huge as never,
    detail: huge,
    providerCode: huge,
    providerMessage: huge,
  },
  { kind: "unknown", code: huge as never, detail: huge, providerCode: huge, providerMessage: huge },
];
const receipts = numbers.flatMap((number) => moments.map((at) => absurdReceipt(number, at)));
const inbound = moments.map(absurdInbound);

describe.each(allAdapters().map((adapter): [string, Adapter] => [adapter.name, adapter]))(
  "what %s says",
  (_name, adapter) => {
    it("comes through bounds, by every way that it has", async () => {
      // The same doors, with a provider behind them that says absurd things.
      let outcome: SendOutcome = { kind: "unknown", code: "internal_error", detail: "" };
      let told: unknown;
      const mad = boundedAdapter({
        ...adapter,
        send: () => Promise.resolve(outcome),
        ...(adapter.parseCallback && {
          parseCallback: () => ({ authentic: true as const, receipts, inbound }),
        }),
        ...(adapter.listen && {
          listen: (_, deps) => {
            void deps.onEvents({ receipts, inbound });
            return { close: () => Promise.resolve() };
          },
        }),
        ...(adapter.listPrices && {
          listPrices: () =>
            Promise.resolve({
              prices: numbers.map((number) => ({
                providerMessageId: huge,
                price: { amount: String(number), currency: "EUR" },
              })),
            }),
        }),
      });
      const [connection, deps] = [{ id: "c", credentials: {}, settings: {} }, { http }];
      for (const number of numbers) {
        for (outcome of absurdOutcomes(number)) {
          const bound = await mad.send(connection, emailMessage(), deps);
          expect(bound.kind).toBe(outcome.kind);
          expectWritable(bound);
        }
      }
      const request = { method: "POST", url: "", headers: {}, rawBody: Buffer.alloc(0) };
      const called = await mad.parseCallback?.(connection, request, deps);
      for (const each of called?.authentic ? [...called.receipts, ...called.inbound] : [])
        expectWritable(each);
      mad.listen?.(connection, {
        ...deps,
        log: undefined as never,
        onEvents: (what) => {
          told = what;
          return Promise.resolve({ unmatched: 0 });
        },
      });
      for (const each of Object.values(told ?? {}).flat()) expectWritable(each);
      const page = await mad.listPrices?.(connection, { since: new Date(), until: new Date() }, deps);
      if (page) expectWritable(page);
    });

    it("keeps what is within bounds as it is", async () => {
      const good: SendOutcome = {
        kind: "sent",
        providerMessageId: "m-1",
        final: true,
        segments: 3,
        price: { amount: "0.0075", currency: "EUR" },
      };
      const deps = { http };
      const same = boundedAdapter({ ...adapter, send: () => Promise.resolve(good) });
      expect(await same.send({ id: "c", credentials: {}, settings: {} }, emailMessage(), deps)).toEqual(good);
    });
  },
);

/** Shorter than what is read of an answer at most, longer than anything that is stored. */
const long = huge.slice(0, 20_000);
/** Every field that some provider's answer has, all absurd. */
const absurdAnswer = {
  sid: long,
  id: long,
  message_uuid: long,
  MessageId: long,
  status: "queued",
  num_segments: "99999999999",
  price: "99999999999999999999999",
  price_unit: "USD",
  access_token: "t0ken",
  expires_in: 1e308,
  messaging_product: "whatsapp",
  messages: [
    {
      id: long,
      messageId: long,
      messageCount: 99_999_999_999,
      price: { pricePerMessage: 1e308, currency: "EUR" },
      status: { groupName: "PENDING", name: "PENDING_ACCEPTED" },
    },
  ],
};
const absurdRefusal = {
  code: 99_999_999_999,
  message: long,
  title: long,
  detail: long,
  name: long,
  Message: long,
  error: { code: 1e308, message: long, error_data: { details: long } },
  errors: [{ message: long, field: long }],
  requestError: { serviceException: { messageId: long, text: long } },
};

describe.each(httpProviders.map((provider) => [provider.adapter.name, provider] as const))(
  "an answer of %s with absurd members",
  (name, provider) => {
    it("becomes an outcome that can be written", async () => {
      const adapter = findAdapter(name);
      const { status: good, body: said = "{}" } = provider.answer({
        method: "POST",
        path: "/",
        headers: {},
        body: "",
      });
      const { num_segments, price, price_unit } = absurdAnswer;
      const absurdNumbers = { ...(JSON.parse(said) as object), num_segments, price, price_unit };
      for (const [status, body] of [
        [good, absurdAnswer],
        [good, absurdNumbers],
        [400, absurdRefusal],
        [429, absurdRefusal],
        [500, absurdRefusal],
      ] as const) {
        const headers = {
          "content-type": "application/json",
          "retry-after": "99999999999999999999",
          "x-message-id": "9".repeat(4_000),
        };
        const server = await startFaultyServer({
          answer: (request) =>
            provider.isPreliminary?.(request)
              ? provider.answer(request)
              : { status, headers, body: JSON.stringify(body) },
        });
        try {
          const outcome = await adapter?.send(
            provider.connection(server.baseUrl),
            emailMessage(provider.message),
            { http, timeoutMs: 5_000 },
          );
          expect(outcome).toBeDefined();
          expectWritable(outcome);
        } finally {
          await server.close();
        }
      }
    });
  },
);

it("bounds whatever a receipt holds, and says it the same way twice", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 2_000 }),
      fc.double(),
      fc.date({ noInvalidDate: false }),
      (text, number, at) => {
        const receipt = { ...absurdReceipt(number, at), providerMessageId: text, detail: text };
        const bound = boundReceipt(receipt);
        expectWritable(bound);
        expect(boundReceipt(bound)).toEqual(bound);
      },
    ),
    { numRuns: 50 },
  );
});
