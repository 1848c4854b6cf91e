import fc from "fast-check";
import twilio from "twilio";
import { describe, expect, it } from "vitest";
import { isTwilioSignature, twilioSignature } from "./twilio-signature.ts";

const authToken = "12345";
const url = "https://tidings.example/api/callbacks/c1?notification=1&attempt=2";

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
