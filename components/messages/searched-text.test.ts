import { expect, it } from "vitest";
import { searchedText } from "./searched-text.ts";

const nothing = { addresses: [], endings: [], word: null, id: false, hidden: false, more: false };

it("says what was looked for and which form would help", () => {
  expect(searchedText({ ...nothing, addresses: ["+49949644"], endings: ["949644"], word: "949644" })).toBe(
    "Looked for numbers ending in 949644, mail addresses with a word that begins with 949644 or a transaction ID that is exactly this. Enter at least 4 last digits, or the whole number.",
  );
  expect(searchedText({ ...nothing, addresses: ["+41799496443"] })).toContain("the number +41799496443");
  expect(searchedText({ ...nothing, addresses: ["mueller@gm"], word: "mueller@gm" })).toBe(
    "Looked for the address mueller@gm or a transaction ID that is exactly this. Enter the beginning of a word in the address, or the whole address.",
  );
  expect(searchedText({ ...nothing, word: "mueller" })).toContain("begins with mueller");
  expect(searchedText({ ...nothing, id: true })).toContain("with this ID");
  expect(searchedText(nothing)).toContain("at least 4 last digits");
});

it("tells somebody who sees no addresses that none were searched", () => {
  const text = searchedText({ ...nothing, hidden: true });
  expect(text).toContain("You don't have access to addresses");
  expect(text).not.toContain("last digits");
});
