import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanAddress, cleanInbound, maxInboundTextBytes } from "./clean-inbound.ts";

const now = new Date("2026-11-22T12:00:00.000Z");
const told = {
  providerMessageId: "m1",
  channel: "sms" as const,
  from: "+4915112345678",
  to: "+4930123456",
  text: "Hi",
};

describe("what is stored of a message from a recipient", () => {
  it("is storable whatever the provider sends: no NUL, whole characters, at most 64 KiB", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(90_000), (piece, repeat) => {
        const text = piece.repeat(Math.ceil(repeat / Math.max(1, piece.length)));
        const clean = cleanInbound({ ...told, text }, now);
        expect(clean?.text).not.toContain("\0");
        expect(clean?.text.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(clean?.text ?? "")).toBeLessThanOrEqual(maxInboundTextBytes);
        expect(clean?.text).not.toMatch(/\uFFFD$/);
      }),
      { numRuns: 60, examples: [["€", 90_000]] },
    );
    expect(cleanInbound({ ...told, text: "a\0b\ud800c" }, now)?.text).toBe("ab\ufffdc");
    const euros = cleanInbound({ ...told, text: "€".repeat(30_000) }, now)?.text ?? "";
    expect(euros).toBe("€".repeat(Math.floor(maxInboundTextBytes / 3)));
  });

  it("has numbers as E.164 with a plus, and short codes and names unchanged", () => {
    expect(cleanAddress("sms", "4915112345678")).toBe("+4915112345678");
    expect(cleanAddress("sms", "+49 151 1234-5678")).toBe("+4915112345678");
    expect(cleanAddress("whatsapp", "whatsapp:+4915112345678")).toBe("+4915112345678");
    expect(cleanAddress("sms", "12345")).toBe("12345");
    expect(cleanAddress("sms", "Parcels")).toBe("Parcels");
    expect(cleanAddress("email", " Ada@Example.COM ")).toBe("ada@example.com");
  });

  it("is never dated in the future, and is nothing without an id or a sender", () => {
    expect(cleanInbound({ ...told, at: new Date("2031-01-01") }, now)?.at).toEqual(now);
    expect(cleanInbound({ ...told, at: new Date(Number.NaN) }, now)?.at).toEqual(now);
    expect(cleanInbound({ ...told, at: new Date("2026-11-01") }, now)?.at).toEqual(new Date("2026-11-01"));
    expect(cleanInbound({ ...told, providerMessageId: "\0" }, now)).toBeNull();
    expect(cleanInbound({ ...told, from: " " }, now)).toBeNull();
  });
});
