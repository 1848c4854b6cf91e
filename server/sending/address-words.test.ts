import { describe, expect, it } from "vitest";
import { numberForms } from "../kernel/address.ts";
import { patternsOf, prefixesOf, readSearch, wordsOf } from "./address-words.ts";

/** Whether a search finds an address by its words. */
const finds = (search: string, address: string, regions: string[] = []) => {
  const read = readSearch(search, regions);
  return (
    read.addresses.includes(address) ||
    prefixesOf(read).some((prefix) => wordsOf(address).some((word) => word.startsWith(prefix)))
  );
};

describe("a number", () => {
  const number = "+41799496443";
  it.each([
    "+41799496443",
    "41799496443",
    "0041799496443",
    "00 41 79 949 64 43",
    "+41 (0)79 949 64 43",
    "+41-79-949-64-43",
    "+41.79.949.64.43",
    "+41/79 949 64 43",
    " +41\u00a079\u00a0949 64 43 ",
    "079 949 64 43",
    "(079) 949-64-43",
  ])("is found whole as %s", (text) => {
    expect(numberForms(text, ["CH"])).toEqual([number]);
  });

  it("is found in the national form of every region of the organisation, and of no other", () => {
    expect(numberForms("0151 12345678", ["CH", "DE"])).toContain("+4915112345678");
    expect(numberForms("0151 12345678", ["FR"])).toEqual([]);
    // One of a region that no application names is found by its last digits.
    expect(finds("0151 12345678", "+4915112345678", ["FR"])).toBe(true);
  });

  it("is found by its last digits, four at least", () => {
    for (const text of ["6443", "64 43", "949 64 43", "799496443"])
      expect(finds(text, number), text).toBe(true);
    for (const text of ["443", "9496", "+443", "6444"]) expect(finds(text, number), text).toBe(false);
  });

  it("is not taken for a mail address with the same digits backwards", () => {
    expect(finds("6443", "3446@example.com")).toBe(false);
    expect(finds("6443", "6443@example.com")).toBe(true);
  });
});

describe("a mail address", () => {
  const address = "anna.mueller@gmx.de";
  it.each(["anna", "ANNA.M", "mueller", "mueller@gm", "gmx.de", "@gmx", "anna.mueller@gmx.de"])(
    "is found by %s",
    (text) => expect(finds(text, address)).toBe(true),
  );
  it.each(["nna", "ller", "an", "de", "mueller@gmail", "x.de"])("is not found by %s", (text) =>
    expect(finds(text, address)).toBe(false),
  );

  it("keeps its domain among its words, however many come before it", () => {
    const words = wordsOf("a.b.c.d.e.f.g.h.i.j@mail.example.co.uk");
    expect(words).toHaveLength(8);
    expect(words).toEqual(
      expect.arrayContaining([
        "mail.example.co.uk",
        "example.co.uk",
        "co.uk",
        "b.c.d.e.f.g.h.i.j@mail.example.co.uk",
      ]),
    );
  });

  it("with a domain in letters of its own is found in both spellings", () => {
    expect(finds("bücher", "ada@xn--bcher-kva.example")).toBe(true);
    expect(finds("xn--bcher", "ada@xn--bcher-kva.example")).toBe(true);
  });
});

it("what is searched as a pattern means itself", () => {
  expect(patternsOf(readSearch("50%_off\\", []))[0]).toBe(String.raw`50\%\_off\\%`);
});
