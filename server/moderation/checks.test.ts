import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTexts, isCardNumber, isIban } from "./checks.ts";

const found = (text: string) =>
  checkTexts([{ pointer: "/body", text }]).map((finding) => ({
    severity: finding.severity,
    text: text.slice(finding.start, finding.end),
  }));

describe("deterministic moderation", () => {
  it.each([
    "4111 1111 1111 1111",
    "5500-0000-0000-0004",
    "340000000000009",
    "DE89 3704 0044 0532 0130 00",
    "GB82WEST12345698765432",
    "AKIAIOSFODNN7EXAMPLE",
    `ghp_${"a1B2".repeat(9)}`,
    `sk_live_${"a1B2".repeat(6)}`,
    "-----BEGIN RSA PRIVATE KEY-----",
  ])("blocks %s and says where it is", (secret) => {
    expect(found(`Hello, use ${secret} please.`)).toEqual([{ severity: "block", text: secret }]);
  });

  it.each(["ada.lovelace@example.com", "+49 151 1234 5678", "0044 20 7946 0958"])(
    "warns of %s",
    (personal) => {
      expect(found(`Ask ${personal} for help.`)).toEqual([{ severity: "warn", text: personal }]);
    },
  );

  it.each([
    "Your code is {{ code }}. It is valid for 10 minutes.",
    "Order 4111111111111112 is on its way.",
    "On 2027-01-31 at 10:00, room 12, order 12345678901234567890123.",
    "IBAN DE00 3704 0044 0532 0130 00",
    "Pay {{ amount | money: 'EUR' }} until {{ due | date: '%d.%m.%Y' }}.",
    "Follow us @acme, 50% off, #1, C++",
  ])("finds nothing in %s", (harmless) => {
    expect(found(harmless)).toEqual([]);
  });

  it("shortens what must not be repeated", () => {
    const [finding] = checkTexts([{ pointer: "/body", text: "4111111111111111" }]);
    expect(finding?.excerpt).toBe("4111…11");
  });

  it("knows one wrong digit from a right one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 9 }), (place, step) => {
        const digits = Array.from("4111111111111111");
        digits[place] = String((Number(digits[place]) + step) % 10);
        expect(isCardNumber(digits.join(""))).toBe(false);
      }),
    );
    expect(isIban("DE89370400440532013000")).toBe(true);
    expect(isIban("DE98370400440532013000")).toBe(false);
  });

  it("takes any text, also the longest", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => Array.isArray(found(text))),
    );
    for (const unit of ["4", "a@", "A1", "+1 ", "eyJa.", "-----BEGIN "]) {
      expect(Array.isArray(found(unit.repeat(Math.ceil(262_144 / unit.length))))).toBe(true);
    }
  });
});
