import { expect, test } from "vitest";
import { dateFormat, dateLocale } from "./intl.ts";

test.each(["de-DE", "de", "fr-FR", "ar-EG", "ja"])("dates are in English for a reader of %s", (locale) => {
  const written = new Intl.DateTimeFormat(dateLocale(locale), { dateStyle: "medium", timeZone: "UTC" });
  expect(written.format(Date.UTC(2026, 4, 22))).toBe("22 May 2026");
});

test("a reader of English keeps the way of their country", () => {
  expect(["en", "en-US", "en-GB", "en-IN"].map(dateLocale)).toEqual(["en", "en-US", "en-GB", "en-IN"]);
});

test("what is not for people keeps the language that was asked for", () => {
  const format = dateFormat({ month: "long", timeZone: "UTC" }, "de");
  expect(format.format(Date.UTC(2026, 4, 22))).toBe("Mai");
});
