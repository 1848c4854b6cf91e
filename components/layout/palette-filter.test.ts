import { expect, it } from "vitest";
import { navigation } from "./navigation.ts";
import { paletteScore } from "./palette-filter.ts";

const offered = (typed: string) =>
  navigation
    .map(({ label, keywords = "" }) => ({ label, score: paletteScore("", typed, [label, keywords]) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ label }) => label);

it("offers what has a word that begins so, and nothing that only has the letters somewhere", () => {
  expect(offered("cost")).toContain("Costs");
  expect(offered("cost")).not.toContain("Conversations");
  expect(offered("cst")).toEqual([]);
  expect(offered("onversations")).toEqual([]);
  expect(offered("conv")).toEqual(["Conversations"]);
});

it("takes each word for itself, whatever their order, and a name before other words", () => {
  expect(paletteScore("", "update ord", ["order_update", "sms en"])).toBeGreaterThan(0);
  expect(paletteScore("", "update sms", ["order_update", "sms en"])).toBeGreaterThan(0);
  expect(paletteScore("", "update email", ["order_update", "sms en"])).toBe(0);
  expect(paletteScore("", "cafe", ["Café"])).toBe(1);
  expect(offered("mess")[0]).toBe("Messages");
});

it("offers everything while nothing is typed, and nothing for signs alone", () => {
  expect(paletteScore("", "  ", ["Costs"])).toBe(1);
  expect(paletteScore("", "+", ["Costs"])).toBe(0);
});
