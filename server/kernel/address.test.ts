import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maskAddress,
  needsUtf8,
  normalizeAddress,
  numberForms,
  phoneCountry,
  readAddress,
  shownAddress,
} from "./address.ts";

describe("an address", () => {
  it("is accepted as a phone number only in international form and with a possible length", () => {
    for (const channel of ["sms", "whatsapp"] as const) {
      expect(normalizeAddress(channel, "+4915112345678")).toBe("+4915112345678");
      for (const wrong of [
        "4915112345678",
        "+49 151 12345678",
        "015112345678",
        "+49",
        "+0123456789",
        "",
        "ada@example.com",
        "+4915112345678\n",
        "+٤٩١٥١١٢٣٤٥٦٧٨",
      ]) {
        expect(normalizeAddress(channel, wrong), wrong).toBeNull();
      }
    }
  });

  it("of a mobile phone in Mexico is one, with and without the 1 that WhatsApp still writes behind the country code", () => {
    for (const channel of ["sms", "whatsapp"] as const)
      for (const typed of ["+525512345678", "+5215512345678"])
        expect(normalizeAddress(channel, typed)).toBe("+525512345678");
    for (const typed of ["+52 1 55 1234 5678", "+5215512345678", "0052 1 55 1234 5678", "+52 55 1234 5678"])
      expect(readAddress(typed), typed).toBe(typed.startsWith("+") ? "+525512345678" : null);
    expect(numberForms("0052 1 55 1234 5678")).toEqual(["+525512345678"]);
    // Ten digits in all, or another country.
    expect(normalizeAddress("sms", "+521551234567")).not.toBe("+52551234567");
    expect(normalizeAddress("sms", "+15215512345")).toBe("+15215512345");
  });

  it("is accepted as e-mail in the forms that mail servers accept, in lower case, so that no spelling evades a suppression", () => {
    expect(normalizeAddress("email", "Ada.Lovelace+x@Example.COM")).toBe("ada.lovelace+x@example.com");
    expect(normalizeAddress("email", "root@localhost")).toBe("root@localhost");
    for (const wrong of [
      "ada",
      "@example.com",
      "ada@",
      "a@b@example.com",
      "ada@example..com",
      ".ada@example.com",
      "ada@-example.com",
      "ada lovelace@example.com",
      "ada@example.com\r\nBcc: eve@example.com",
      "ada@example.com>",
      `${"a".repeat(65)}@example.com`,
      `ada@${"a".repeat(64)}.example`,
      `ada@${"abc.".repeat(70)}example`,
    ]) {
      expect(normalizeAddress("email", wrong), wrong).toBeNull();
    }
  });

  it("is accepted as e-mail with letters of every script: the domain as DNS has it, shown in its own letters", () => {
    for (const [typed, stored, shown] of [
      ["info@müller.de", "info@xn--mller-kva.de", "info@müller.de"],
      ["Info@MÜLLER.DE", "info@xn--mller-kva.de", "info@müller.de"],
      ["info@mu\u0308ller.de", "info@xn--mller-kva.de", "info@müller.de"],
      ["info@xn--mller-kva.de", "info@xn--mller-kva.de", "info@müller.de"],
      ["a@例え。テスト", "a@xn--r8jz45g.xn--zckzah", "a@例え.テスト"],
      ["José@example.com", "josé@example.com", "josé@example.com"],
      ["jose\u0301@müller.de", "josé@xn--mller-kva.de", "josé@müller.de"],
    ] as const) {
      expect(normalizeAddress("email", typed), typed).toBe(stored);
      expect(readAddress(` ${typed} `), typed).toBe(stored);
      expect(normalizeAddress("email", stored), typed).toBe(stored);
      expect(shownAddress(stored), typed).toBe(shown);
    }
    expect(maskAddress("info@xn--mller-kva.de")).toBe("i•••@müller.de");
    expect(needsUtf8("josé@example.com")).toBe(true);
    expect(needsUtf8("info@xn--mller-kva.de")).toBe(false);
    for (const wrong of [
      "info@mü ller.de",
      "info@müller..de",
      "info@-müller.de",
      "info@müller.de/x",
      "info@m%C3%BCller.de\u00e9",
      "info@１２７.０.０.１",
      "jos é@example.com",
      "jos\u202eé@example.com",
      "é,b@example.com",
      "é@b@example.com",
      "é@example.com\r\nBcc: eve@example.com",
      `${"é".repeat(33)}@example.com`,
      `a@${"ü".repeat(64)}.de`,
    ]) {
      expect(normalizeAddress("email", wrong), wrong).toBeNull();
    }
  });

  it("is unchanged when it is normalised again, and never contains a control character or space", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("sms" as const, "email" as const),
        fc.oneof(
          fc.emailAddress(),
          fc.string(),
          fc.string({ unit: "grapheme" }).map((text) => `${text}@${text}.de`),
          fc.stringMatching(/^\+[0-9]{5,17}$/),
        ),
        (channel, text) => {
          const once = normalizeAddress(channel, text);
          if (once === null) return;
          expect(normalizeAddress(channel, once)).toBe(once);
          expect(once).not.toMatch(/[\p{Cc}\s<>,;]/u);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is accepted on WhatsApp, and there alone, as a business-scoped user id, as it is written", () => {
    for (const id of [
      "US.13491208655302741918",
      "US.ENT.11815799212886844830",
      "DE.aB9",
      `BR.${"7".repeat(128)}`,
    ]) {
      expect(normalizeAddress("whatsapp", id)).toBe(id);
      expect(normalizeAddress("sms", id)).toBeNull();
      expect(normalizeAddress("email", id)).toBeNull();
      expect(readAddress(` ${id} `)).toBe(id);
      expect(maskAddress(id)).not.toContain(id.slice(3));
    }
    for (const wrong of [
      "us.1349",
      "USA.1349",
      "US.",
      "US.ENT.",
      "US.13 49",
      "US.13-49",
      "US.ENT.1.2",
      `US.${"7".repeat(129)}`,
      "US.1349\n",
      "+US.1349",
    ]) {
      expect(normalizeAddress("whatsapp", wrong), wrong).toBeNull();
    }
    expect(phoneCountry("US.13491208655302741918")).toBe("US");
  });

  it("knows the country of a phone number", () => {
    expect(phoneCountry("+4915112345678")).toBe("DE");
    expect(phoneCountry("+12015550123")).toBe("US");
    expect(phoneCountry("no number")).toBeNull();
  });

  it("is masked so that most of it cannot be read back", () => {
    expect(maskAddress("+4915112345678")).toBe("+49•••78");
    expect(maskAddress("ada@example.com")).toBe("a•••@example.com");
    expect(maskAddress("abc")).toBe("•••");
    fc.assert(
      fc.property(fc.string({ maxLength: 320 }), (text) => {
        expect(maskAddress(text)).toContain("•••");
      }),
    );
  });
});
