import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digitsOf, e164Of, senderOf } from "./phone-number.ts";
import { trackedBy, trackingOf } from "./tracking.ts";
import { momentOf, objectOf, objectsOf, priceOf, textOf } from "./untrusted.ts";

describe("readers of what outsiders write", () => {
  it("take any value and never throw", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (value, other) => {
        expect(typeof objectOf(value)).toBe("object");
        expect(objectsOf(value, 3).length).toBeLessThanOrEqual(3);
        expect(["string", "undefined"]).toContain(typeof textOf(value));
        expect(momentOf(value)?.getTime()).not.toBeNaN();
        priceOf(value, other);
        e164Of(value);
        expect(typeof senderOf(value)).toBe("string");
        expect(trackedBy(value)).toBeTypeOf("object");
      }),
    );
  });

  it("give of arrays the objects, in order, up to a bound", () => {
    const [one, two] = [{ a: 1 }, { b: 2 }];
    expect(objectsOf([1, one, null, [two], "x", two], 9)).toEqual([one, two]);
    expect(objectsOf([one, two], 1)).toEqual([one]);
    expect(objectsOf({ 0: one, length: 1 }, 9)).toEqual([]);
    // An object without properties is one, too.
    expect(objectsOf([{}], 9)).toEqual([{}]);
  });

  it("cut texts, and take an empty one for none", () => {
    expect(textOf("abc", 2)).toBe("ab");
    expect(textOf("")).toBeUndefined();
    expect(textOf("\0")).toBeUndefined();
    // What Postgres would refuse, and with it everything that came along.
    expect(textOf("a\0b👋", 4)).toBe("ab\ufffd");
    expect(textOf(1)).toBeUndefined();
  });

  it.each<[unknown, string | undefined]>([
    ["2019-11-09T16:00:00.000+0100", "2019-11-09T15:00:00.000Z"],
    ["2019-11-09T16:00:00.000+01:00", "2019-11-09T15:00:00.000Z"],
    ["2019-11-09T16:00:00Z", "2019-11-09T16:00:00.000Z"],
    ["2019-11-09T16:00:00", "2019-11-09T16:00:00.000Z"],
    ["1750030073", "2025-06-15T23:27:53.000Z"],
    [1_750_030_073, "2025-06-15T23:27:53.000Z"],
    ["yesterday", undefined],
    ["2019-99-99T16:00:00Z", undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [1e300, undefined],
    // A year that Postgres does not read.
    [-1e11, undefined],
    ["999999999999", undefined],
  ])("read %j as the moment %s", (value, moment) => {
    expect(momentOf(value)?.toISOString()).toBe(moment);
  });

  it.each<[unknown, unknown, object | undefined]>([
    ["0.0333", "EUR", { amount: "0.0333", currency: "EUR" }],
    [0.21, "brl", { amount: "0.21", currency: "BRL" }],
    [1e-7, "EUR", { amount: "0.0000001", currency: "EUR" }],
    [0, "EUR", { amount: "0", currency: "EUR" }],
    [-1, "EUR", undefined],
    ["1,5", "EUR", undefined],
    ["1", "EURO", undefined],
    [Number.NaN, "EUR", undefined],
    [1e21, "EUR", undefined],
  ])("read %j %j as the price %j", (amount, currency, price) => {
    expect(priceOf(amount, currency)).toEqual(price);
  });
});

describe("phone numbers", () => {
  it("lose their plus on the way out and get it back, whatever stands between the digits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), (digits) => {
        expect(digitsOf(`+${digits}`)).toBe(digits);
        expect(e164Of(digits)).toBe(`+${digits}`);
        expect(e164Of(`+${digits}`)).toBe(`+${digits}`);
        expect(senderOf(`${digits.slice(0, 2)} (${digits.slice(2, 4)}) ${digits.slice(4)}`)).toBe(
          `+${digits}`,
        );
      }),
    );
  });

  it("are not short codes, names, or too long", () => {
    for (const value of ["38880", "ACME", "0151123456", "1".repeat(16), "", "4915112345678x"]) {
      expect(e164Of(value)).toBeNull();
      expect(senderOf(value)).toBe(value);
    }
  });
});

describe("what goes out with a message", () => {
  it("comes back as its notification and attempt, and nothing else does", () => {
    const notificationId = "0198c7a0-0000-7000-8000-000000000001";
    expect(trackedBy(trackingOf(notificationId, 25))).toEqual({ notificationId, attempt: 25 });
    expect(trackingOf(notificationId, 999).length).toBeLessThanOrEqual(40);
    for (const value of [
      notificationId,
      `${notificationId}:0`,
      `${notificationId}:1 `,
      `x${notificationId}:1`,
    ]) {
      expect(trackedBy(value)).toEqual({});
    }
  });
});
