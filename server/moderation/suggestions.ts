import { outsideVariables, parseText } from "../templates/liquid-engine.ts";
import { checkTexts } from "./checks.ts";

/**
 * Whether a text stays fit to be saved when `suggestion` takes the place of [start, end): Liquid that parses, no variable
 * that the text or its template does not have, no tags where there were none, nothing that the checks would block.
 */
export function keepsLiquidValid(
  text: string,
  start: number,
  end: number,
  suggestion: string,
  variables: readonly string[],
): boolean {
  const excerpt = text.slice(start, end);
  if (suggestion.includes("<") && !excerpt.includes("<")) return false;
  // Half a tag that stays behind is text to Liquid, and would be sent.
  const count = (mark: string) => excerpt.split(mark).length;
  if (count("{{") !== count("}}") || count("{%") !== count("%}")) return false;
  if (checkTexts([{ pointer: "", text: suggestion }]).some(({ severity }) => severity === "block"))
    return false;
  const known = new Set([...variables, ...(variablesOf(text) ?? [])]);
  const used = variablesOf(text.slice(0, start) + suggestion + text.slice(end));
  return used?.every((name) => known.has(name)) ?? false;
}

function variablesOf(text: string): string[] | null {
  try {
    return outsideVariables(parseText(text, "text")).map(({ name }) => name);
  } catch {
    return null;
  }
}
