import { expect, test } from "vitest";
import { differs, none, settingsFrom } from "./sample-settings.ts";

test("a time zone that an older page kept is forgotten, and is nothing to reset", () => {
  const kept = { values: {}, language: "", region: "", timezone: "Asia/Tokyo" };
  expect(settingsFrom(kept)).toEqual(none);
  expect(differs(settingsFrom(kept))).toBe(false);
});

test("a value, a language or a region is there to be reset", () => {
  for (const kept of [{ values: { name: "Ada" } }, { language: "de" }, { region: "DE" }]) {
    expect(settingsFrom(kept)).toEqual({ ...none, ...kept });
    expect(differs(settingsFrom(kept))).toBe(true);
  }
  expect(differs(settingsFrom({}))).toBe(false);
});
