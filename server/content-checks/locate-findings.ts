import type { CheckedText } from "./checks.ts";
import type { PolicyFinding } from "./policy-check.ts";
import type { Finding } from "./schemas.ts";
import { suggestionTrial } from "./suggestions.ts";

/** A passage that stands more often is marked this many times; nobody reads more. */
const maxOccurrences = 20;
/** Findings of one answer that are looked at; what blocks comes first. A model may answer without end. */
const maxFindings = 100;
/** Trying a suggestion parses the text anew. */
const maxTrials = 50;
const maxExcerpt = 300;
/** As much of what a model quotes is looked for; looking for all of a long row of repetitions takes its length times the text's. */
const maxNeedle = 500;
const maxExplanation = 600;
const maxSuggestion = 2_000;

/** What a model found, in a category of ours. */
export type LocatedFinding = PolicyFinding & { category: Finding["category"] };
type Placed = Pick<Finding, "pointer" | "start" | "end" | "excerpt">;

/**
 * The findings of a model with their places: positions are found by looking for the excerpt, never taken from the model.
 * A finding whose excerpt stands nowhere covers the whole text that it names (or the first one) and has no suggestion.
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
  return find(collapsed(text), excerpt);
}

function find({ characters, places }: Collapsed, excerpt: string): { start: number; end: number }[] {
  // Models put quotation marks and dots of omission around what they quote.
  const quoted = excerpt.slice(0, maxNeedle);
  const bare = quoted.replace(/^[\s"“„»«…]{0,20}|[\s"”“«»…]{0,20}$/g, "");
  const needle = collapsed(bare === "" ? quoted : bare).characters.trim();
  if (needle === "") return [];
  const found: number[] = [];
  for (let at = characters.indexOf(needle); at >= 0; at = characters.indexOf(needle, at + needle.length)) {
    found.push(at);
    if (found.length === 10 * maxOccurrences) break;
  }
  // "gain" is not meant to be found in "again", unless it stands nowhere else.
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

/** A text with each run of white space as one space, and where each of its characters stood. */
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
