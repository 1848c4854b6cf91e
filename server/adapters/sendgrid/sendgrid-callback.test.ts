/** The signature of SendGrid's event webhook; what its events mean is in callbacks.test.ts. */
import { generateKeyPairSync } from "node:crypto";
import { EventWebhook } from "@sendgrid/eventwebhook";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOW } from "../../testing/provider-cases/answers.ts";
import { SENDGRID_KEY, sendgridRequest } from "../../testing/provider-cases/sendgrid.ts";
import type { CallbackRequest, CallbackResult } from "../adapter.ts";
import { parseSendgridCallback, sendgridKey } from "./sendgrid-callback.ts";

const official = new EventWebhook();
const parse = (from: CallbackRequest, key = SENDGRID_KEY, now = NOW.getTime()): CallbackResult =>
  parseSendgridCallback(key, from, now);

describe("an event webhook", () => {
  it("is believed from whoever holds the key, as SendGrid's own library sees it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (body, spoilt) => {
        const made = sendgridRequest(Buffer.from(body));
        const from = spoilt ? { ...made, rawBody: Buffer.from(`${body}x`) } : made;
        const theirs = official.verifySignature(
          official.convertPublicKeyToECDSA(SENDGRID_KEY),
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

  it("is accepted as SendGrid published it with its signature", () => {
    const key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";
    const body =
      '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n';
    const from: CallbackRequest = {
      method: "POST",
      url: "",
      headers: {
        "x-twilio-email-event-webhook-signature":
          "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
        "x-twilio-email-event-webhook-timestamp": "1600112502",
      },
      rawBody: Buffer.from(body),
    };
    expect(parse(from, key, 1_600_112_502_000)).toEqual({
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

  it("is nobody's without a key, with another's key, or with a key that is none", () => {
    const from = sendgridRequest(Buffer.from("[]"));
    const other = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey;
    const wrongCurve = generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey;
    expect(parseSendgridCallback(undefined, from, NOW.getTime())).toEqual({ authentic: false });
    for (const key of [other, wrongCurve]) {
      const base64 = key.export({ format: "der", type: "spki" }).toString("base64");
      expect(parse(from, base64)).toEqual({ authentic: false });
    }
    expect(parse(from, "not a key")).toEqual({ authentic: false });
    expect(sendgridKey(SENDGRID_KEY)).not.toBeNull();
  });

  it("may be repeated for a day when it was not taken, and no longer; and is not ahead of time", () => {
    const from = sendgridRequest(Buffer.from("[]"));
    const after = (hours: number): boolean =>
      parse(from, SENDGRID_KEY, NOW.getTime() + hours * 3_600_000).authentic;
    expect([after(24), after(26), after(-1)]).toEqual([true, false, false]);
  });
});
