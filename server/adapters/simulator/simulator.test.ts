import { describe, expect, it } from "vitest";
import type { Channel } from "../../kernel/channel.ts";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import type { CallbackRequest, CallbackResult, OutboundMessage, Receipt } from "../adapter.ts";
import { simulatedCallbacks } from "./simulator-callbacks.ts";
import type { SimulatedCallback } from "./simulator-callbacks.ts";
import { simulatorAdapter } from "./simulator.ts";

const credentials = { signingKey: "a-signing-key-of-the-connection" };
const connection = { id: "c1", credentials, settings: {} };
const callbackUrl = "http://localhost:3000/api/callbacks/c1";
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const http = createOutboundClient({ allow: [], userAgent: "test/1.0" });
const now = new Date("2026-11-20T12:00:00.000Z");

const message = (channel: Channel, to: string, attempt = 1): OutboundMessage => ({
  tenantId: "0198c7a0-0000-7000-8000-00000000000a",
  notificationId,
  attempt,
  channel,
  to,
  senderId: channel === "email" ? "Shop <shop@example.com>" : "+4915199999999",
  text: "Hello",
  idempotencyKey: notificationId,
  callbackUrl,
});

const send = (channel: Channel, to: string, attempt = 1) =>
  simulatorAdapter.send(connection, message(channel, to, attempt), { http });

/** What the service's callback route makes of a callback. */
async function receive(callback: SimulatedCallback | undefined, key = credentials): Promise<CallbackResult> {
  const request = callback?.build(callbackUrl, key, now);
  if (!request || !simulatorAdapter.parseCallback) throw new Error("no callback");
  const { url, headers, body } = request;
  return simulatorAdapter.parseCallback(
    connection,
    { method: "POST", url, headers, rawBody: Buffer.from(body) },
    { http },
  );
}

async function story(channel: Channel, to: string, attempt = 1): Promise<(Receipt & { delayMs: number })[]> {
  const outcome = await send(channel, to, attempt);
  if (outcome.kind !== "sent" || outcome.providerMessageId === null) throw new Error("not sent");
  const id = outcome.providerMessageId;
  const told: (Receipt & { delayMs: number })[] = [];
  for (const callback of simulatedCallbacks(message(channel, to, attempt), id)) {
    const result = await receive(callback);
    if (!result.authentic || result.receipts.length !== 1 || !result.receipts[0])
      throw new Error("no receipt");
    expect(result.receipts[0]).toMatchObject({ providerMessageId: id, notificationId, attempt });
    told.push({ delayMs: callback.delayMs, ...result.receipts[0] });
  }
  return told;
}

describe.each(["sms", "whatsapp"] as const)("the sandbox on %s", (channel) => {
  it("delivers to every number without a special ending", async () => {
    expect(await story(channel, "+4915112345678")).toMatchObject([
      { status: "sent" },
      { status: "delivered" },
    ]);
  });

  it("0001 is an invalid number, for good", async () => {
    expect(await send(channel, "+4915100000001")).toMatchObject({
      kind: "not_sent",
      retry: "never",
      code: "invalid_recipient",
      providerCode: "21211",
    });
  });

  it("0002 times out at every attempt and is never heard of again", async () => {
    for (const attempt of [1, 2]) {
      expect(await send(channel, "+4915100000002", attempt)).toMatchObject({
        kind: "unknown",
        code: "provider_timeout",
      });
    }
    expect(simulatedCallbacks(message(channel, "+4915100000002"), `SM${"0".repeat(32)}`)).toEqual([]);
  });

  it("0003 is refused once with a time to wait, then delivered", async () => {
    expect(await send(channel, "+4915100000003")).toMatchObject({
      kind: "not_sent",
      retry: "later",
      retryAfterMs: 5_000,
      code: "provider_rate_limited",
      providerCode: "20429",
    });
    expect(await story(channel, "+4915100000003", 2)).toMatchObject([
      { status: "sent" },
      { status: "delivered" },
    ]);
  });

  it("0004 is sent and then fails", async () => {
    expect(await story(channel, "+4915100000004")).toMatchObject([
      { status: "sent" },
      { status: "failed", code: "recipient_unreachable", providerCode: "30003" },
    ]);
  });

  it("0005 is delivered after 30 s", async () => {
    expect(await story(channel, "+4915100000005")).toMatchObject([
      { status: "sent" },
      { status: "delivered", delayMs: 30_000 },
    ]);
  });

  it("0006 has opted out", async () => {
    expect(await send(channel, "+4915100000006")).toMatchObject({
      kind: "not_sent",
      retry: "never",
      code: "opted_out",
    });
  });

  it("0007 gets no receipt", async () => {
    expect(await story(channel, "+4915100000007")).toEqual([]);
  });
});

describe("the sandbox on e-mail", () => {
  it("delivers to every address without a special name", async () => {
    expect(await story("email", "ada@example.com")).toMatchObject([{ status: "delivered", at: now }]);
    expect(await story("email", "__proto__@example.com")).toMatchObject([{ status: "delivered" }]);
    expect(await story("email", "ada0001@example.com")).toMatchObject([{ status: "delivered" }]);
  });

  it("invalid@ is refused for good, timeout@ is never heard of, ratelimit@ works the second time", async () => {
    expect(await send("email", "Invalid@example.com")).toMatchObject({
      kind: "not_sent",
      retry: "never",
      code: "invalid_recipient",
    });
    expect(await send("email", "timeout@example.com")).toMatchObject({ kind: "unknown" });
    expect(await send("email", "ratelimit@example.com")).toMatchObject({
      kind: "not_sent",
      retry: "later",
      retryAfterMs: 5_000,
    });
    expect(await story("email", "ratelimit@example.com", 2)).toMatchObject([{ status: "delivered" }]);
  });

  it("bounce@ bounces for good, with a tag too", async () => {
    for (const to of ["bounce@example.com", "bounce+order-7@example.com"]) {
      expect(await story("email", to)).toMatchObject([
        { status: "failed", event: "bounced", permanent: true, providerCode: "5.1.1" },
      ]);
    }
  });

  it("complaint@ is delivered and complains afterwards", async () => {
    const [first, second] = await story("email", "complaint@example.com");
    expect(first).toMatchObject({ status: "delivered" });
    expect(second).toMatchObject({ event: "complained" });
    expect(second).not.toHaveProperty("status");
  });
});

describe("a simulated callback", () => {
  it.each(["sms", "email"] as const)(
    "on %s is worth nothing under another key, on another URL or with other bytes",
    async (channel) => {
      const to = channel === "email" ? "ada@example.com" : "+4915112345678";
      const outcome = await send(channel, to);
      const id = outcome.kind === "sent" ? (outcome.providerMessageId ?? "") : "";
      const [callback] = simulatedCallbacks(message(channel, to), id);
      expect(await receive(callback)).toMatchObject({ authentic: true });
      expect(await receive(callback, { signingKey: "another-key-of-somebody-else" })).toEqual({
        authentic: false,
      });
      const request = callback?.build(callbackUrl, credentials, now);
      const { parseCallback } = simulatorAdapter;
      if (!request || !parseCallback) throw new Error("no callback");
      const parse = async (given: CallbackRequest) => parseCallback(connection, given, { http });
      const genuine = {
        method: "POST",
        url: request.url,
        headers: request.headers,
        rawBody: Buffer.from(request.body),
      };
      expect(await parse({ ...genuine, url: request.url.replace("attempt=1", "attempt=2") })).toEqual({
        authentic: false,
      });
      expect(await parse({ ...genuine, rawBody: Buffer.from(`${request.body} `) })).toEqual({
        authentic: false,
      });
      expect(await parse({ ...genuine, headers: {} })).toEqual({ authentic: false });
    },
  );

  it("is the same every time it is made", () => {
    const make = (): unknown =>
      simulatedCallbacks(message("sms", "+4915112345678"), "SM1").map((entry) =>
        entry.build(callbackUrl, credentials, now),
      );
    expect(make()).toEqual(make());
  });
});

it("decides about the approval of a template by its name, after it was pending", async () => {
  const decide = (template: string, known: "pending" | null) =>
    simulatorAdapter.fetchTemplateApproval?.(connection, { template, language: null, known }, { http });
  expect(await decide("order", null)).toEqual({ status: "pending", reason: null });
  expect(await decide("order", "pending")).toEqual({ status: "approved", reason: null });
  expect(await decide("order_rejected", "pending")).toMatchObject({ status: "rejected" });
  expect(await decide("order_paused", "pending")).toMatchObject({ status: "paused" });
});
