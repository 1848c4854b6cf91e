import fc from "fast-check";
import { expect, test } from "vitest";
import { erasedText } from "./erased.ts";
import { Spellings } from "./spellings.ts";

const spellings = new Spellings([
  { address: "ada+news@example.com" },
  { address: "+4915112345678", callingCode: 2 },
]);

test.each([
  "ada+news@example.com",
  "Ada+News@Example.COM",
  "mailto:ada+news@example.com?x",
  "ada%2Bnews%40example.com",
  "ada+news%40example.com",
  "ada%2bnews@example.com",
  "ada+news&#64;example.com",
  "+4915112345678",
  "4915112345678",
  "004915112345678",
  "0151 1234 5678",
  "+49 (151) 123-45678",
  "%2B4915112345678",
  "whatsapp:+4915112345678",
  "tel:+49-151-12345678",
])("%s is found in the middle of a text and nothing of it stays", (written) => {
  const scrubbed = spellings.scrub(`550 5.1.1 <${written}>: no such user`);
  expect(scrubbed).toContain(erasedText);
  expect(scrubbed).not.toMatch(/ada|15112345678|1234/i);
  expect(scrubbed).toMatch(/^550 5\.1\.1 </);
  expect(scrubbed).toContain("no such user");
});

test.each([
  "ada@example.com",
  "bob+news@example.com",
  "+4915112345679",
  "order 4711 of 2026-11-22",
  "",
  "%40",
])("%s is somebody else's", (text) => {
  expect(spellings.scrub(text)).toBe(text);
});

test("a WhatsApp user id is found as it is, in whatever text, and no other", () => {
  const ids = new Spellings([{ address: "US.ENT.118aB" }, { address: "DE.4711" }]);
  expect(ids.scrub("to US.ENT.118aB, not US.ENT.118ab")).toBe(`to ${erasedText}, not US.ENT.118ab`);
  expect(ids.scrub('{"user_id":"DE.4711"}')).toBe(`{"user_id":"${erasedText}"}`);
  expect(ids.scrub("AT.DE.4711.US.ENT.118aB")).toBe(`AT.${erasedText}.${erasedText}`);
  for (const other of ["DE.47112", "order 4711", "DE.471", "E.4711"]) expect(ids.scrub(other)).toBe(other);
});

test("JSON keeps its form; what has no address is the very same value", () => {
  const value = { a: [1, "x", { b: null }], c: "4711" };
  expect(spellings.scrubJson(value)).toBe(value);
  expect(
    spellings.scrubJson({
      to: "ADA+news@example.com",
      n: 4915112345678,
      "ada+news@example.com": [true, "+49 151 12345678"],
    }),
  ).toEqual({ to: erasedText, n: erasedText, [erasedText]: [true, erasedText] });
});

test("an address is found in any text around it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 60 }),
      (before, after) => {
        const scrubbed = spellings.scrub(`${before} ada+news@example.com ${after}`);
        expect(scrubbed.toLowerCase()).not.toContain("ada+news@example.com");
      },
    ),
  );
});

test("hostile texts take time that grows with their length", () => {
  const many = new Spellings(
    Array.from({ length: 1_000 }, (_, index) => ({
      address: `+49151${String(10_000_000 + index)}`,
      callingCode: 2,
    })),
  );
  const began = performance.now();
  for (const unit of ["1 ", "1-(", "@%40", "0".repeat(40), "+4915 ", "ß@"]) many.scrub(unit.repeat(20_000));
  expect(performance.now() - began).toBeLessThan(3_000);
});

test("a mail domain is found as DNS has it and in its own letters", () => {
  const own = new Spellings([{ address: "info@xn--mller-kva.de" }]);
  expect(own.scrub("to Info@Müller.de, info@XN--mller-kva.de and info@muller.de")).toBe(
    `to ${erasedText}, ${erasedText} and info@muller.de`,
  );
});
