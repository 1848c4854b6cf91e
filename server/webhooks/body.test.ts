import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { signedBody, webhookHeaders } from "./body.ts";
import type { EventContent } from "./body.ts";
import { newSigningSecret } from "./signing-secret.ts";

const content: EventContent = {
  event: "notification.delivered",
  at: new Date("2026-11-20T10:00:00.123Z"),
  application: "orders",
  environment: "production",
  payload: null,
  notification: {
    notificationId: "01990000-0000-7000-8000-000000000001",
    channel: "email",
    to: "ada@example.com",
    status: "delivered",
    provider: "Mail",
    deliveredAt: new Date("2026-11-20T10:00:00.123Z"),
    sequence: 4,
    transactionId: "order-1",
    reason: undefined,
    failure: undefined,
    metadata: { orderId: "4711" },
    url: null,
    permanent: null,
  },
};

/** As a receiver would do it who knows only the documentation. */
function verifiesByDocumentation(body: string, secret: string): boolean {
  const signature = /,"signature":"sha256=([0-9a-f]{64})"\}$/.exec(body);
  if (!signature) return false;
  const signed = `${body.slice(0, -signature[0].length)}}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(signed, "utf8").digest("hex") === signature[1];
}

describe("the body of an event", () => {
  it("is compact JSON with its members in the documented order and all documented data", () => {
    const body = signedBody(content, newSigningSecret());
    const parsed = JSON.parse(body) as { data: Record<string, unknown> };
    expect(Object.keys(parsed)).toEqual(["event", "timestamp", "data", "signature"]);
    expect(JSON.stringify(parsed)).toBe(body);
    expect(parsed).toMatchObject({
      event: "notification.delivered",
      timestamp: "2026-11-20T10:00:00.123Z",
      data: {
        notificationId: "01990000-0000-7000-8000-000000000001",
        channel: "email",
        to: "ada@example.com",
        status: "delivered",
        provider: "Mail",
        deliveredAt: "2026-11-20T10:00:00.123Z",
        sequence: 4,
        application: "orders",
        environment: "production",
        transactionId: "order-1",
        reason: null,
        failure: null,
        metadata: { orderId: "4711" },
      },
    });
  });

  it("carries a signature that verifies over its own bytes, whatever texts are in it", () => {
    const secret = newSigningSecret();
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
        fc.constantFrom(
          "",
          ',"signature":"sha256=0000000000000000000000000000000000000000000000000000000000000000"}',
        ),
        (payload, nasty) => {
          const body = signedBody({ ...content, notification: null, payload: { ...payload, nasty } }, secret);
          expect(verifiesByDocumentation(body, secret)).toBe(true);
          expect(verifiesByDocumentation(body, newSigningSecret())).toBe(false);
          expect(verifiesByDocumentation(body.replace("orders", "0rders"), secret)).toBe(false);
        },
      ),
    );
  });

  it("is accepted by the Standard Webhooks library under each valid secret and no other", () => {
    const [current, previous, foreign] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
    const body = signedBody(content, current);
    const id = "01990000-0000-7000-8000-00000000000d";
    const headers = webhookHeaders(id, new Date(), body, [current, previous], null);
    expect(new Webhook(current).verify(body, headers)).toMatchObject({ event: "notification.delivered" });
    expect(new Webhook(previous).verify(body, headers)).toMatchObject({ event: "notification.delivered" });
    expect(() => new Webhook(foreign).verify(body, headers)).toThrow();
    expect(() => new Webhook(current).verify(body.replace("ada", "eve"), headers)).toThrow();
  });
});

describe("a signing secret", () => {
  it("is whsec_ and 32 random bytes", () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret()).not.toBe(secret);
  });
});
