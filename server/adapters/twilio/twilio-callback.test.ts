import fc from "fast-check";
import twilio from "twilio";
import { describe, expect, it } from "vitest";
import { parseTwilioCallback } from "./twilio-callback.ts";
import { isTwilioSignature, twilioSignature } from "./twilio-signature.ts";

const authToken = "12345";
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const url = `https://tidings.example/api/callbacks/c1?notification=${notificationId}&attempt=2`;
const sid = `SM${"ab".repeat(16)}`;

function callback(fields: Record<string, string>, signedBy = authToken, at = url) {
  const form = new URLSearchParams({ MessageSid: sid, ...fields });
  return parseTwilioCallback(authToken, {
    method: "POST",
    url,
    headers: { "x-twilio-signature": twilioSignature(signedBy, at, form) },
    rawBody: Buffer.from(form.toString()),
  });
}

describe("the signature", () => {
  it("is the one that Twilio's own library expects, for any fields and URLs", () => {
    const field = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
    fc.assert(
      fc.property(
        fc.dictionary(field, fc.string({ maxLength: 40, unit: "grapheme" }), { noNullPrototype: true }),
        fc.webUrl({ withQueryParameters: true }),
        (fields, anyUrl) => {
          const form = new URLSearchParams(fields);
          const signature = twilioSignature(authToken, anyUrl, form);
          expect(signature).toBe(twilio.getExpectedTwilioSignature(authToken, anyUrl, fields));
          expect(isTwilioSignature(authToken, signature, anyUrl, form)).toBe(true);
          expect(twilio.validateRequest(authToken, signature, anyUrl, fields)).toBe(true);
        },
      ),
    );
  });

  it("covers repeated fields as Twilio's own library does", () => {
    const form = new URLSearchParams("b=2&a=9&b=1&b=2");
    const expected = twilio.getExpectedTwilioSignature(authToken, url, { a: "9", b: ["2", "1", "2"] });
    expect(twilioSignature(authToken, url, form)).toBe(expected);
  });

  it("fits with and without the standard port, and with no other", () => {
    const form = new URLSearchParams({ a: "1" });
    const accepts = (signed: string, asked: string): boolean =>
      isTwilioSignature(authToken, twilioSignature(authToken, signed, form), asked, form);
    expect(accepts("https://a.example:443/x", "https://a.example/x")).toBe(true);
    expect(accepts("https://a.example/x", "https://a.example:443/x")).toBe(true);
    expect(accepts("http://a.example:80/x", "http://a.example/x")).toBe(true);
    expect(accepts("https://a.example:8443/x", "https://a.example:8443/x")).toBe(true);
    expect(accepts("https://a.example:8443/x", "https://b.example:8443/x")).toBe(false);
  });
});

describe("a forged callback", () => {
  it("is not authentic: another key, another URL, another field, no signature, not POST, too long", () => {
    expect(callback({ MessageStatus: "delivered" }, "other")).toEqual({ authentic: false });
    expect(callback({ MessageStatus: "delivered" }, authToken, `${url}&x=1`)).toEqual({ authentic: false });
    const form = new URLSearchParams({ MessageSid: sid, MessageStatus: "failed" });
    const request = {
      method: "POST",
      url,
      headers: { "x-twilio-signature": twilioSignature(authToken, url, form) },
      rawBody: Buffer.from(`${form.toString()}&extra=1`),
    };
    expect(parseTwilioCallback(authToken, request)).toEqual({ authentic: false });
    const genuine = { ...request, rawBody: Buffer.from(form.toString()) };
    expect(parseTwilioCallback(authToken, genuine)).toMatchObject({ authentic: true });
    expect(parseTwilioCallback(authToken, { ...genuine, headers: {} })).toEqual({ authentic: false });
    expect(parseTwilioCallback(authToken, { ...genuine, method: "GET" })).toEqual({ authentic: false });
    expect(parseTwilioCallback(authToken, { ...genuine, rawBody: Buffer.alloc(70_000, "a") })).toEqual({
      authentic: false,
    });
  });

  it("never makes the parser throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, signature) => {
        const headers = { "x-twilio-signature": signature };
        const request = { method: "POST", url, headers, rawBody: Buffer.from(bytes) };
        expect(parseTwilioCallback(authToken, request)).toEqual({ authentic: false });
      }),
    );
  });
});

describe("a status callback", () => {
  it.each([
    ["accepted", "sent"],
    ["scheduled", "sent"],
    ["queued", "sent"],
    ["sending", "sent"],
    ["sent", "sent"],
    ["delivered", "delivered"],
    ["undelivered", "failed"],
    ["failed", "failed"],
    ["canceled", "failed"],
  ])("%s means %s and names message, notification and attempt", (status, ours) => {
    expect(callback({ MessageStatus: status })).toMatchObject({
      authentic: true,
      receipts: [{ providerMessageId: sid, notificationId, attempt: 2, status: ours }],
      inbound: [],
    });
  });

  it("read is an event of a delivered message", () => {
    expect(callback({ MessageStatus: "read", EventType: "READ" })).toMatchObject({
      receipts: [{ status: "delivered", event: "read" }],
    });
  });

  it("says nothing new with a status that we do not know", () => {
    expect(callback({ MessageStatus: "teleported" })).toEqual({ authentic: true, receipts: [], inbound: [] });
    expect(callback({ MessageStatus: "sent", MessageSid: "garbage" })).toEqual({
      authentic: true,
      receipts: [],
      inbound: [],
    });
  });

  it("carries the reason of a failure in our words and in theirs", () => {
    const result = callback({
      MessageStatus: "undelivered",
      ErrorCode: "30005",
      ErrorMessage: "Unknown destination +49 151 12345678",
      RawDlrDoneDate: "2611201530",
    });
    expect(result).toMatchObject({
      receipts: [
        {
          status: "failed",
          code: "invalid_recipient",
          providerCode: "30005",
          providerMessage: "Unknown destination [number]",
          at: new Date("2026-11-20T15:30:00Z"),
        },
      ],
    });
    expect(callback({ MessageStatus: "failed", ErrorCode: "21610" })).toMatchObject({
      receipts: [{ code: "opted_out", event: "opted_out" }],
    });
    expect(callback({ MessageStatus: "failed", ErrorCode: "__proto__" })).toMatchObject({
      receipts: [{ code: "undelivered" }],
    });
  });
});

describe("a message from a recipient", () => {
  it("is an inbound message, with what Twilio did about a keyword", () => {
    expect(
      callback({
        SmsStatus: "received",
        From: "+4915112345678",
        To: "+4915199999999",
        Body: "STOP",
        OptOutType: "STOP",
      }),
    ).toEqual({
      authentic: true,
      receipts: [],
      inbound: [
        {
          providerMessageId: sid,
          channel: "sms",
          from: "+4915112345678",
          to: "+4915199999999",
          text: "STOP",
          optOut: "stop",
        },
      ],
    });
  });

  it("keeps the tapped button of a WhatsApp message", () => {
    expect(
      callback({
        SmsStatus: "received",
        From: "whatsapp:+4915112345678",
        To: "whatsapp:+4915199999999",
        Body: "Yes",
        ButtonPayload: "confirm-1",
        ButtonText: "Yes",
      }),
    ).toMatchObject({
      inbound: [
        { channel: "whatsapp", from: "+4915112345678", button: { payload: "confirm-1", text: "Yes" } },
      ],
    });
  });
});
