import { expect, test } from "vitest";
import { certainPlace, matchPlaces, placeOf, placesOf, shownPlace } from "./places.ts";

const codes = (kind: "region" | "language", typed: string) =>
  matchPlaces(kind, typed).map(({ code }) => code);

test("a region is found by its code first, then by the beginning of its name or of a word in it", () => {
  expect(codes("region", "de")[0]).toBe("DE");
  expect(codes("region", "Germ")).toEqual(["DE"]);
  expect(codes("region", "kingdom")).toEqual(["GB"]);
  expect(codes("region", "united")).toEqual(expect.arrayContaining(["AE", "GB", "US"]));
  expect(codes("region", "reunion")).toEqual(["RE"]);
  expect(codes("region", "Atlantis")).toEqual([]);
  expect(codes("region", "")).toHaveLength(placesOf("region").length);
});

test("a language is found by its name and its code", () => {
  expect(codes("language", "ger")[0]).toBe("de");
  expect(codes("language", "PT")[0]).toBe("pt");
});

test("a code that has no name can be typed all the same, and is the last choice", () => {
  expect(codes("language", "qq")).toEqual(["qq"]);
  expect(codes("region", "qq").at(-1)).toBe("QQ");
  expect(codes("region", "q1")).toEqual([]);
});

test("leaving the field takes only what is certain: a code, a name, or the text as it is shown", () => {
  expect(certainPlace("region", " fr ")?.code).toBe("FR");
  expect(certainPlace("region", "france")?.code).toBe("FR");
  expect(certainPlace("region", shownPlace(placeOf("region", "FR")))?.code).toBe("FR");
  expect(certainPlace("region", "fran")).toBeUndefined();
  expect(certainPlace("language", "xx")).toEqual({ code: "xx", name: "xx" });
  // Not among what may be chosen here.
  expect(certainPlace("region", "fr", [placeOf("region", "DE")])).toBeUndefined();
});

test("every place has a name of its own and is shown with its code", () => {
  for (const kind of ["region", "language"] as const) {
    const shown = placesOf(kind).map(shownPlace);
    expect(new Set(shown).size).toBe(shown.length);
    for (const { code, name } of placesOf(kind)) expect(name, code).not.toBe(code);
  }
});
