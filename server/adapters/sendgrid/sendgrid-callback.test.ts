import { generateKeyPairSync, sign } from "node:crypto";
import { EventWebhook } from "@sendgrid/eventwebhook";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMAIL_NOTIFICATION_ID } from "../../testing/outbound-email.ts";
import type { CallbackRequest, CallbackResult } from "../adapter.ts";
import { parseSendgridCallback, sendgridKey } from "./sendgrid-callback.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const KEY = publicKey.export({ format: "der", type: "spki" }).toString("base64");
const NOW = 1_700_000_000_000;
const official = new EventWebhook();

function request(body: string | Buffer, timestamp = String(NOW / 1_000)): CallbackRequest {
  const rawBody = Buffer.from(body);
  const signature = sign("sha256", Buffer.concat([Buffer.from(timestamp), rawBody]), privateKey);
  return {
    method: "POST",
    url: "https://tidings.example/api/callbacks/c1",
    headers: {
      "x-twilio-email-event-webhook-signature": signature.toString("base64"),
      "x-twilio-email-event-webhook-timestamp": timestamp,
    },
    rawBody,
  };
}

const parse = (from: CallbackRequest, key: string | undefined = KEY, now = NOW): CallbackResult =>
  parseSendgridCallback(key, from, now);

const event = (name: string, more: Record<string, unknown> = {}) => ({
  email: "ada@example.com",
  timestamp: 1_699_999_990,
  event: name,
  sg_event_id: "id",
  sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
  tidings_notification: EMAIL_NOTIFICATION_ID,
  tidings_attempt: "2",
  ...more,
});
const told = (...events: unknown[]) => parse(request(`${JSON.stringify(events)}\r\n`));

describe("who may report", () => {
  it("is whoever holds the key, as SendGrid's own library sees it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (body, spoilt) => {
        const made = request(body);
        const from = spoilt ? { ...made, rawBody: Buffer.from(`${body}x`) } : made;
        const theirs = official.verifySignature(
          official.convertPublicKeyToECDSA(KEY),
          from.rawBody,
          from.headers["x-twilio-email-event-webhook-signature"] ?? "",
          from.headers["x-twilio-email-event-webhook-timestamp"] ?? "",
        );
        expect(theirs).toBe(!spoilt);
        expect(parse(from).authentic).toBe(theirs);
      }),
      { numRuns: 8 },
    );
  });

  it("accepts a batch that SendGrid published with its signature", () => {
    const published = {
      key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==",
      signature:
        "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
      timestamp: "1600112502",
      body: '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n',
    };
    const from: CallbackRequest = {
      method: "POST",
      url: "",
      headers: {
        "x-twilio-email-event-webhook-signature": published.signature,
        "x-twilio-email-event-webhook-timestamp": published.timestamp,
      },
      rawBody: Buffer.from(published.body),
    };
    expect(parse(from, published.key, 1_600_112_502_000)).toEqual({
      authentic: true,
      inbound: [],
      receipts: [
        {
          providerMessageId: "LRzXl_NHStOGhQ4kofSm_A",
          at: new Date(1_600_112_492_000),
          status: "failed",
          code: "suppressed_by_provider",
          detail: expect.any(String) as string,
          providerMessage: "Bounced Address",
        },
      ],
    });
  });

  it.each<[string, (from: CallbackRequest) => CallbackRequest]>([
    ["another method", (from) => ({ ...from, method: "GET" })],
    ["another body", (from) => ({ ...from, rawBody: Buffer.from("[]") })],
    [
      "no signature",
      ({ headers, ...from }) => ({
        ...from,
        headers: { ...headers, "x-twilio-email-event-webhook-signature": undefined },
      }),
    ],
    [
      "another time",
      ({ headers, ...from }) => ({
        ...from,
        headers: { ...headers, "x-twilio-email-event-webhook-timestamp": String(NOW / 1_000 + 1) },
      }),
    ],
    [
      "a signature that is none",
      ({ headers, ...from }) => ({
        ...from,
        headers: { ...headers, "x-twilio-email-event-webhook-signature": "AAAA" },
      }),
    ],
  ])("is nobody with %s", (_what, spoil) => {
    const from = request(JSON.stringify([event("delivered")]));
    expect(parse(from).authentic).toBe(true);
    expect(parse(spoil(from))).toEqual({ authentic: false });
  });

  it("is nobody without a key, with another's key, or with a key that is none", () => {
    const from = request("[]");
    const other = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey;
    const wrongCurve = generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey;
    expect(parseSendgridCallback(undefined, from, NOW)).toEqual({ authentic: false });
    for (const key of [other, wrongCurve]) {
      const base64 = key.export({ format: "der", type: "spki" }).toString("base64");
      expect(parse(from, base64)).toEqual({ authentic: false });
    }
    expect(parse(from, "not a key")).toEqual({ authentic: false });
    expect(sendgridKey(KEY)).not.toBeNull();
  });

  it("may repeat for a day what was not taken, and no longer; and is not ahead of time", () => {
    const from = request("[]");
    const hour = 3_600_000;
    expect(parse(from, KEY, NOW + 24 * hour).authentic).toBe(true);
    expect(parse(from, KEY, NOW + 26 * hour).authentic).toBe(false);
    expect(parse(from, KEY, NOW - hour).authentic).toBe(false);
  });
});

describe("what an event means", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["processed", {}, { status: "sent" }],
    ["deferred", { response: "400 try again later", attempt: "5" }, { status: "sent" }],
    ["delivered", { response: "250 OK" }, { status: "delivered" }],
    ["open", {}, { event: "read" }],
    ["click", { url: "https://example.com" }, { event: "clicked" }],
    ["spamreport", {}, { event: "complained" }],
    ["unsubscribe", {}, { event: "opted_out" }],
    ["group_unsubscribe", { asm_group_id: 10 }, { event: "opted_out" }],
    [
      "dropped",
      { reason: "Unsubscribed Address" },
      { status: "failed", event: "opted_out", code: "opted_out" },
    ],
    ["dropped", { reason: "Spam Reporting Address" }, { status: "failed", code: "suppressed_by_provider" }],
    ["dropped", { reason: "Invalid" }, { status: "failed", code: "invalid_recipient" }],
    ["dropped", {}, { status: "failed", code: "undelivered" }],
  ])("%s %j", (name, more, expected) => {
    expect(told(event(name, more))).toMatchObject({
      authentic: true,
      receipts: [
        {
          providerMessageId: "14c5d75ce93.dfd.64b469",
          notificationId: EMAIL_NOTIFICATION_ID,
          attempt: 2,
          at: new Date(1_699_999_990_000),
          ...expected,
        },
      ],
    });
  });

  it.each([
    [{ status: "5.1.1", bounce_classification: "Invalid Address" }, true, "invalid_recipient"],
    [{ status: "5.0.0", reason: "550 5.1.1 unknown <ada@example.com>" }, true, "undelivered"],
    [{ status: "5.2.2", bounce_classification: "Mailbox Unavailable" }, false, "mailbox_full"],
    [{ status: "4.2.2" }, false, "mailbox_full"],
    [{ type: "blocked", status: "5.7.1", bounce_classification: "Reputation" }, false, "content_rejected"],
    [{ type: "blocked", status: "5.7.1" }, false, "content_rejected"],
  ])("a bounce with %j is permanent: %s", (more, permanent, code) => {
    const result = told(event("bounce", { type: "bounce", reason: "no <ada@example.com>", ...more }));
    expect(result).toMatchObject({
      receipts: [{ status: "failed", event: "bounced", permanent, code, providerCode: more.status }],
    });
    expect(JSON.stringify(result)).not.toContain("ada@");
  });

  it("is nothing when a machine opened the message or the event is about no message", () => {
    expect(told(event("open", { sg_machine_open: true }), event("group_resubscribe"), 7, null)).toEqual({
      authentic: true,
      receipts: [],
      inbound: [],
    });
  });

  it("finds the message by SendGrid's id, whatever machine processed it", () => {
    const ids = [
      "DjxeK5AbQ0Cz9Y-1cOaCNg.recvd-5bc4d-x-1-60F.0",
      "DjxeK5AbQ0Cz9Y-1cOaCNg.filterdrecv-canary-547b64655b-cw6zx-1-6089EA4A-56.0",
      "DjxeK5AbQ0Cz9Y-1cOaCNg",
    ];
    for (const sg_message_id of ids) {
      const result = told({ event: "delivered", sg_message_id });
      expect(result).toEqual({
        authentic: true,
        receipts: [{ providerMessageId: "DjxeK5AbQ0Cz9Y-1cOaCNg", status: "delivered" }],
        inbound: [],
      });
    }
  });
});

describe("hostile callbacks", () => {
  it("never throw, signed or not", () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .array(
          fc.record(
            {
              event: fc.constantFrom("bounce", "dropped", "open", "delivered", "x"),
              timestamp: fc.anything(),
              sg_message_id: fc.anything(),
              status: fc.anything(),
              reason: fc.anything(),
              type: fc.anything(),
              tidings_notification: fc.anything(),
              tidings_attempt: fc.anything(),
            },
            { requiredKeys: ["event"] },
          ),
        )
        .map((events) =>
          Buffer.from(JSON.stringify(events, (_key, v: unknown) => (typeof v === "bigint" ? 1 : v))),
        ),
    );
    fc.assert(
      fc.property(anything, fc.string(), fc.boolean(), (body, text, signed) => {
        const from = request(body);
        if (!signed) from.headers["x-twilio-email-event-webhook-signature"] = text;
        const result = parse(from);
        expect(result.authentic).toBe(signed);
        if (result.authentic) expect(result.inbound).toEqual([]);
      }),
    );
  });
});
