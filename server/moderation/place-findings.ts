import type { CheckedText } from "./checks.ts";
import type { PolicyFinding } from "./policy-check.ts";
import { keepsLiquidValid } from "./suggestions.ts";
import type { Finding } from "./schemas.ts";

/** A passage that stands more often is marked this many times; nobody reads more. */
const maxOccurrences = 20;
const maxExcerpt = 300;
const maxExplanation = 600;
const maxSuggestion = 2_000;

type Placed = Pick<Finding, "pointer" | "start" | "end" | "excerpt">;

/**
 * The findings of a model with their places: positions are found by looking for the excerpt, never taken from the model.
 * A finding whose excerpt stands nowhere covers the whole text that it names (or the first one) and has no suggestion.
 */
export function placeFinding(
  finding: PolicyFinding & { category: Finding["category"] },
  texts: readonly CheckedText[],
  variables: readonly string[],
): Finding[] {
  const named = texts.find(({ pointer }) => pointer === finding.pointer);
  const candidates = named ? [named, ...texts.filter((text) => text !== named)] : texts;
  const facts = {
    category: finding.category,
    severity: finding.severity,
    explanation: finding.explanation.trim().slice(0, maxExplanation) || "This should not be sent.",
  };
  for (const text of candidates) {
    const places = occurrences(text.text, finding.excerpt);
    if (places.length === 0) continue;
    return places.map(({ start, end }) => ({
      ...facts,
      ...passage(text, start, end),
      suggestion: usableSuggestion(finding.suggestion, text, start, end, variables),
    }));
  }
  const [whole] = candidates;
  return whole ? [{ ...facts, ...passage(whole, 0, whole.text.length), suggestion: null }] : [];
}

/** A whole text as the place of a finding. */
export function wholeText(text: CheckedText): Placed {
  return passage(text, 0, text.text.length);
}

function passage({ pointer, text }: CheckedText, start: number, end: number): Placed {
  const excerpt = text.slice(start, end);
  return {
    pointer,
    start,
    end,
    excerpt: excerpt.length <= maxExcerpt ? excerpt : `${excerpt.slice(0, maxExcerpt).toWellFormed()}…`,
  };
}

/** Where an excerpt stands in a text; white space of any kind and length counts as one space, in both. */
export function occurrences(text: string, excerpt: string): { start: number; end: number }[] {
  // Models put quotation marks and dots of omission around what they quote.
  const bare = excerpt.replace(/^[\s"“„»«…]{0,20}|[\s"”“«»…]{0,20}$/g, "");
  const needle = collapsed(bare === "" ? excerpt : bare).characters.trim();
  if (needle === "") return [];
  const { characters, places } = collapsed(text);
  const found: { start: number; end: number }[] = [];
  for (let at = characters.indexOf(needle); at >= 0; at = characters.indexOf(needle, at + needle.length)) {
    found.push({ start: places[at] ?? 0, end: (places[at + needle.length - 1] ?? 0) + 1 });
    if (found.length === maxOccurrences) break;
  }
  return found;
}

/** A text with each run of white space as one space, and where each of its characters stood. */
function collapsed(text: string): { characters: string; places: number[] } {
  let characters = "";
  const places: number[] = [];
  for (let place = 0; place < text.length; place++) {
    const character = text.charAt(place);
    const space = /\s/.test(character);
    if (space && characters.endsWith(" ")) continue;
    characters += space ? " " : character;
    places.push(place);
  }
  return { characters, places };
}

function usableSuggestion(
  suggestion: string | null,
  text: CheckedText,
  start: number,
  end: number,
  variables: readonly string[],
): string | null {
  if (suggestion === null || suggestion.length > maxSuggestion) return null;
  if (suggestion === text.text.slice(start, end)) return null;
  return keepsLiquidValid(text.text, start, end, suggestion, variables) ? suggestion : null;
}
