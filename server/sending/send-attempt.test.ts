import { describe, expect, it } from "vitest";
import type { OutboundMessage } from "../adapters/adapter.ts";
import { readUnsubscribeToken } from "../consent/unsubscribe-token.ts";
import { logger } from "../kernel/log.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { makeConnection, makeDelivery } from "../testing/delivery.ts";
import type { Delivery } from "./queries.ts";
import { callProvider, outboundMessage } from "./send-attempt.ts";

const base = "https://tidings.example";
const delivery = makeDelivery({
  tenantId: "0190c0de-0000-7000-8000-000000000002",
  id: "0190c0de-0000-7000-8000-000000000001",
});
const connection = makeConnection("0190c0de-0000-7000-8000-0000deadbeef");
const rendered = { outbound: { text: "Hello", senderId: "+4930123456" } };
const message = outboundMessage(delivery, 2, connection, rendered, "https://tidings.example");
const options = {
  http: createOutboundClient({ allow: [], userAgent: "Tidings tests" }),
  log: logger(),
  timeoutMs: 100,
};

describe("a message for an adapter", () => {
  it("contains what was rendered, its recipient, and where receipts are to be posted", () => {
    expect(message).toEqual({
      text: "Hello",
      senderId: "+4930123456",
      tenantId: delivery.tenantId,
      notificationId: delivery.id,
      attempt: 2,
      channel: "sms",
      to: "+4915112345678",
      idempotencyKey: `${delivery.id}.deadbeef`,
      expiresAt: delivery.expiresAt,
      callbackUrl: `https://tidings.example/api/callbacks/${connection.id}`,
    });
  });

  it("offers one click to unsubscribe in marketing e-mails, and in nothing else", () => {
    const to = "ada@example.com";
    const headersOf = (fields: Partial<Delivery>) =>
      outboundMessage(makeDelivery({ ...delivery, recipient: to, ...fields }), 1, connection, rendered, base)
        .headers;
    const headers = headersOf({ channel: "email", class: "marketing" });
    expect(headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    const [, token = ""] =
      /^<https:\/\/tidings\.example\/api\/app\/unsubscribe\/([\w-]+)>$/.exec(
        headers?.["List-Unsubscribe"] ?? "",
      ) ?? [];
    expect(readUnsubscribeToken(token)).toMatchObject({ address: to, class: "marketing", language: "en" });
    for (const name of ["authentication", "transactional", "service"] as const) {
      expect(headersOf({ channel: "email", class: name })).toBeUndefined();
    }
    expect(headersOf({ channel: "sms", class: "marketing" })).toBeUndefined();
  });

  it("has the same key on every attempt over a connection, and another over another", () => {
    const keyOf = (attempt: number, id: string) =>
      outboundMessage(delivery, attempt, makeConnection(id), rendered, "").idempotencyKey;
    expect(keyOf(1, connection.id)).toBe(keyOf(7, connection.id));
    expect(keyOf(1, "0190c0de-0000-7000-8000-0000cafebabe")).not.toBe(keyOf(1, connection.id));
  });
});

describe("a call to a provider", () => {
  it("returns the adapter's outcome", async () => {
    const outcome = { kind: "sent", providerMessageId: "x", final: false } as const;
    const told: OutboundMessage[] = [];
    const made = makeConnection("c", ((_: unknown, sent: OutboundMessage) => {
      told.push(sent);
      return Promise.resolve(outcome);
    }) as never);
    expect(await callProvider(made, message, options)).toEqual(outcome);
    expect(told).toEqual([message]);
  });

  it("of an adapter that throws is in doubt, as nobody knows what it did before", async () => {
    const broken = makeConnection("c", () => Promise.reject(new TypeError("x is not a function")));
    expect(await callProvider(broken, message, options)).toMatchObject({
      kind: "unknown",
      code: "internal_error",
    });
  });
});
