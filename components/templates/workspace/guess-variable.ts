import { variableUses } from "../../editor/liquid-scan.ts";
import { emptyVariable, type DraftVariable } from "../draft.ts";

type Guess = Pick<DraftVariable, "type" | "example">;

const numberFilters = new Set(
  "abs at_least at_most ceil divided_by floor minus modulo money plus round times".split(" "),
);
const byLastWord: Readonly<Record<string, Guess>> = {
  ...each("url link uri href", { type: "url", example: "https://example.com/" }),
  ...each("amount price total sum cost fee balance", { type: "number", example: "12.50" }),
  ...each("count quantity points percent minutes hours days", { type: "number", example: "3" }),
  ...each("name", { type: "string", example: "Ada" }),
  ...each("code otp pin", { type: "string", example: "123456" }),
};

function each(words: string, guess: Guess): Record<string, Guess> {
  return Object.fromEntries(words.split(" ").map((word) => [word, guess]));
}

/**
 * The declaration of a variable that texts use and nobody declared. What is done with it decides its type, then its name; a
 * text fits everything else. Dates are only guessed from use: those that no filter writes out come written out.
 */
export function guessVariable(name: string, texts: readonly string[]): DraftVariable {
  const guess = texts.map((text) => byUse(name, text)).find((found) => found !== null) ?? byName(name);
  return { ...emptyVariable, name, ...guess };
}

function byUse(name: string, text: string): Guess | null {
  for (const use of variableUses(text)) {
    if (use.name !== name) continue;
    const filter = /^\s*\|\s*([a-z_]+)/.exec(text.slice(use.end, use.end + 64))?.[1];
    if (filter === "date") return { type: "date", example: "2027-01-31" };
    if (filter === "shorten") return { type: "url", example: "https://example.com/" };
    if (filter !== undefined && numberFilters.has(filter)) return { type: "number", example: "12.50" };
    // The whole of an address, not a part of one.
    const before = text.slice(Math.max(0, use.start - 64), use.start);
    if (
      /\b(href|src)\s*=\s*["']\{\{-?\s*$/i.test(before) &&
      /^\s*-?\}\}["']/.test(text.slice(use.end, use.end + 64))
    )
      return { type: "url", example: "https://example.com/" };
  }
  return null;
}

function byName(name: string): Guess {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
  const last = words.findLast((word) => word !== "") ?? "";
  return (Object.hasOwn(byLastWord, last) ? byLastWord[last] : undefined) ?? { type: "string", example: "" };
}
