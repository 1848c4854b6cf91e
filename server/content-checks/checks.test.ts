import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCardNumber, isIban } from "./account-numbers.ts";
import { checkTexts } from "./checks.ts";
import { rules } from "./rules.ts";

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

  it.each([
    "ada.lovelace@acme-shop.com",
    "+49 151 1234 5678",
    "0044 20 7946 0958",
    "12345678Z",
    "078-05-1120",
    "AB 12 34 56 C",
  ])("warns about %s", (personal) => {
    expect(found(`Ask ${personal} for help.`)).toEqual([{ severity: "warn", text: personal }]);
  });

  it.each([
    ["NIR", "2 55 08 14 168 025 38"],
    ["codice fiscale", "RSSMRA85T10A562S"],
    ["CPF", "529.982.247-25"],
    ["rijksregisternummer", "93.05.18-223.61"],
    ["AHV", "756.9217.0769.85"],
    ["DNI:", "12345678Z"],
    ["NIE", "X1234567L"],
    ["BSN", "111222333"],
    ["Steuer-ID", "86 095 742 719"],
    ["PESEL", "44051401359"],
    ["T.C. kimlik no", "10000000146"],
    ["NIF", "123456789"],
    ["SVNR", "1237 010180"],
    ["personnummer", "811228-9874"],
    ["SSN", "078-05-1120"],
    ["National Insurance:", "AB 12 34 56 C"],
  ])("blocks a valid %s and no other digits in its place", (label, id) => {
    expect(found(`${label} ${id}`)).toEqual([{ severity: "block", text: id }]);
    // The changed last digit breaks every check but the two that have none.
    if (label.startsWith("SSN") || label.startsWith("National")) return;
    const wrong = id.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
    expect(found(`${label} ${wrong}`)).toEqual([]);
  });

  it.each([
    ["born on", "12.03.1984"],
    ["Geburtsdatum:", "3. März 1984"],
    ["date of birth", "1984-03-12"],
    ["Your PIN is", "4711"],
    ["Tel.:", "0171 1234567"],
    ["call us on", "(555) 123-4567"],
  ])("warns about what follows %s", (label, personal) => {
    expect(found(`${label} ${personal}`)).toEqual([{ severity: "warn", text: personal }]);
  });

  it.each([
    ["the card number", "4111 1111 1111 1111", " 12/27, valid 123"],
    ["the card number", "3782 822463 10005", " 1227"],
    ["the account", "DE89 3704 0044 0532 0130 00", " BIC COBADEFF"],
    ["the account", "nl91 abna 0417 1643 00", " t.n.v. Jansen"],
    ["the card number", "4111&nbsp;1111&nbsp;1111&nbsp;1111", ""],
    ["the card number", "4111.1111.1111.1111", ""],
  ])("finds %s %s with anything after it", (_, number, after) => {
    expect(found(`Nr. ${number}${after}`)).toEqual([{ severity: "block", text: number }]);
  });

  it.each([
    "Your code is {{ code }}. It is valid for 10 minutes.",
    "Order 4111111111111112 is on its way.",
    "On 2027-01-31 at 10:00, room 12, order 12345678901234567890123.",
    "IBAN DE00 3704 0044 0532 0130 00",
    "Pay {{ amount | money: 'EUR' }} until {{ due | date: '%d.%m.%Y' }}.",
    "Follow us @acme, 50% off, #1, C++",
    "Write to support@acme-shop.com or ada@example.com, or call +49 800 1234567.",
    "Your password: {{ password }}. PIN: {{ pin }}",
    "Parcel 9405 5036 9930 0000 0000 00, IMEI 356938035643809, EAN 4006381333931",
    "Order 44051401359, customer 123456789, invoice 111222333",
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

  it("takes any text, including the longest", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => Array.isArray(found(text))),
    );
    for (const unit of [
      "4",
      "4 ",
      "a@",
      "A1",
      "+1 ",
      "eyJa.",
      "eyJ-",
      "-----BEGIN ",
      "a:b@",
      "tel 0 ",
      "born ",
    ]) {
      expect(Array.isArray(found(unit.repeat(Math.ceil(262_144 / unit.length))))).toBe(true);
    }
  });

  it.each([...rules.flatMap(({ pattern, label }) => (label ? [pattern, label] : [pattern]))])(
    "repeats nothing without a bound: %s",
    ({ source }) => {
      const bare = source.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
      expect(bare).not.toMatch(/[*+]|\{\d*,\}/);
    },
  );

  it("lets no blocking finding get lost among warnings", () => {
    const crowd = Array.from({ length: 150 }, (_, i) => `ann${String(i)}@acme-shop.com`).join(" ");
    const findings = checkTexts([
      { pointer: "/subject", text: crowd },
      { pointer: "/body", text: `${crowd} and PESEL 44051401359` },
    ]);
    expect(findings).toHaveLength(100);
    expect(findings.filter(({ severity }) => severity === "block")).toMatchObject([{ pointer: "/body" }]);
  });

  it("finds the same whatever harmless text stands around it", () => {
    const harmless = fc.stringMatching(/^[a-z ,.]{0,200}$/);
    fc.assert(
      fc.property(harmless, harmless, (before, after) => {
        const text = `${before} 4111 1111 1111 1111, ${after}`;
        expect(found(text)).toEqual([{ severity: "block", text: "4111 1111 1111 1111" }]);
      }),
    );
  });
});
