import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskAddress, normalizeAddress, phoneCountry } from "./address.ts";

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

  it("is unchanged when it is normalised again, and never contains a control character or space", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("sms" as const, "email" as const),
        fc.oneof(fc.emailAddress(), fc.string(), fc.stringMatching(/^\+[0-9]{5,17}$/)),
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
