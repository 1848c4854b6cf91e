import { outsideVariables, parseText } from "../template-language/liquid-engine.ts";
import { checkTexts } from "./checks.ts";

/**
 * Whether a text can still be saved when a suggestion replaces [start, end): valid Liquid, no variable that neither the
 * text nor the template has, no new tags, nothing that the checks would block.
 */
export function suggestionTrial(
  variables: readonly string[],
): (text: string, start: number, end: number, suggestion: string) => boolean {
  const known = new Map<string, Set<string>>();
  const knownIn = (text: string) => {
    const names = known.get(text) ?? new Set([...variables, ...(variablesOf(text) ?? [])]);
    known.set(text, names);
    return names;
  };
  return (text, start, end, suggestion) => {
    const excerpt = text.slice(start, end);
    if (suggestion === excerpt) return false;
    if (suggestion.includes("<") && !excerpt.includes("<")) return false;
    // A remaining half of a tag is text to Liquid, and would be sent.
    const count = (mark: string) => excerpt.split(mark).length;
    if (count("{{") !== count("}}") || count("{%") !== count("%}")) return false;
    const findings = checkTexts([{ pointer: "", text: suggestion }]);
    if (findings.some(({ severity }) => severity === "block")) return false;
    const names = knownIn(text);
    const used = variablesOf(text.slice(0, start) + suggestion + text.slice(end));
    return used?.every((name) => names.has(name)) ?? false;
  };
}

function variablesOf(text: string): string[] | null {
  try {
    return outsideVariables(parseText(text, "text")).map(({ name }) => name);
  } catch {
    return null;
  }
}
