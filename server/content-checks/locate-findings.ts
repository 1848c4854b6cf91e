import type { CheckedText } from "./checks.ts";
import type { PolicyFinding } from "./policy-check.ts";
import type { Finding } from "./schemas.ts";
import { suggestionTrial } from "./suggestions.ts";

/** A passage that occurs more often is marked this many times; nobody reads more. */
const maxOccurrences = 20;
/** How many findings of an answer are used, blocking ones first: a model's answer may not end. */
const maxFindings = 100;
/** How many suggestions are tried: each parses the text again. */
const maxTrials = 50;
const maxExcerpt = 300;
/**
 * How much of an excerpt is searched for: for all of a long repetition the time grows with its length times the text's.
 */
const maxNeedle = 500;
const maxExplanation = 600;
const maxSuggestion = 2_000;

/** A finding of the model, in one of our categories. */
export type LocatedFinding = PolicyFinding & { category: Finding["category"] };
type Placed = Pick<Finding, "pointer" | "start" | "end" | "excerpt">;

/**
 * Locates a model's findings by searching for their excerpts; positions from the model are never used. A finding whose
 * excerpt does not occur covers the whole text that it names (or the first one) and has no suggestion.
 */
export function locateFindings(
  findings: readonly LocatedFinding[],
  texts: readonly CheckedText[],
  variables: readonly string[],
): Finding[] {
  const sources = texts.map((text) => ({ ...text, collapsed: collapsed(text.text) }));
  const isUsable = suggestionTrial(variables);
  let trials = 0;

  const place = (finding: LocatedFinding): Finding[] => {
    const named = sources.find(({ pointer }) => pointer === finding.pointer);
    const candidates = named ? [named, ...sources.filter((source) => source !== named)] : sources;
    const facts = {
      category: finding.category,
      severity: finding.severity,
      explanation: finding.explanation.trim().slice(0, maxExplanation) || "This should not be sent.",
    };
    const suggestionAt = (text: string, start: number, end: number) => {
      const { suggestion } = finding;
      if (suggestion === null || suggestion.length > maxSuggestion || trials >= maxTrials) return null;
      trials += 1;
      return isUsable(text, start, end, suggestion) ? suggestion : null;
    };
    for (const source of candidates) {
      const places = find(source.collapsed, finding.excerpt);
      if (places.length === 0) continue;
      return places.map(({ start, end }) => ({
        ...facts,
        ...passage(source, start, end),
        suggestion: suggestionAt(source.text, start, end),
      }));
    }
    const [whole] = candidates;
    return whole ? [{ ...facts, ...wholeText(whole), suggestion: null }] : [];
  };
  const gravestFirst = [
    ...findings.filter(({ severity }) => severity === "block"),
    ...findings.filter(({ severity }) => severity === "warn"),
  ];
  return gravestFirst.slice(0, maxFindings).flatMap(place);
}

/** A whole text as the position of a finding. */
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

/** Where an excerpt occurs in a text; any run of white space counts as one space, in both. */
export function occurrences(text: string, excerpt: string): { start: number; end: number }[] {
  return find(collapsed(text), excerpt);
}

function find({ characters, places }: Collapsed, excerpt: string): { start: number; end: number }[] {
  // Models put quotation marks and ellipses around what they quote.
  const quoted = excerpt.slice(0, maxNeedle);
  const bare = quoted.replace(/^[\s"“„»«…]{0,20}|[\s"”“«»…]{0,20}$/g, "");
  const needle = collapsed(bare === "" ? quoted : bare).characters.trim();
  if (needle === "") return [];
  const found: number[] = [];
  for (let at = characters.indexOf(needle); at >= 0; at = characters.indexOf(needle, at + needle.length)) {
    found.push(at);
    if (found.length === 10 * maxOccurrences) break;
  }
  // "gain" should not be found in "again", unless it occurs nowhere else.
  const joins = (at: number) => /^[\p{L}\p{N}]{2}$/u.test(characters.slice(at - 1, at + 1));
  const words = found.filter((at) => !joins(at) && !joins(at + needle.length));
  return (words.length > 0 ? words : found).slice(0, maxOccurrences).map((at) => ({
    start: places[at] ?? 0,
    end: (places[at + needle.length - 1] ?? 0) + 1,
  }));
}

interface Collapsed {
  characters: string;
  places: number[];
}

/** A text with each run of white space as one space, and the original position of each character. */
function collapsed(text: string): Collapsed {
  const characters: string[] = [];
  const places: number[] = [];
  let behindSpace = false;
  for (let place = 0; place < text.length; place++) {
    const character = text.charAt(place);
    const space = /\s/.test(character);
    if (space && behindSpace) continue;
    behindSpace = space;
    characters.push(space ? " " : character);
    places.push(place);
  }
  return { characters: characters.join(""), places };
}
