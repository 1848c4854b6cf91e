import { describe, expect, test } from "vitest";
import { languages, monarchOf } from "./liquid-language.ts";

describe("the colouring of Liquid", () => {
  test.each(languages)("of %s leads from each state to states that exist", (language) => {
    const { tokenizer } = monarchOf(language);
    const states = new Set(Object.keys(tokenizer));
    const named = JSON.stringify(tokenizer).matchAll(/"(?:next|switchTo|include)":"@(\w+)"|,"@(\w+)"\]/g);
    for (const match of named) {
      const state = match[1] ?? match[2] ?? "";
      if (state !== "pop") expect(states).toContain(state);
    }
  });
});
