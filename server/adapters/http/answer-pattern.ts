/**
 * Regular expressions that tenants write and that are matched against what providers answer: an engine without backtracking (RE2), so
 * that time grows with the answer's length, whatever both are.
 */
import { LRUCache } from "lru-cache";
import { RE2JS } from "re2js";

/** An expression's instructions once its counted repetitions are written out, and the characters of an answer that it is shown. */
export const patternBounds = { instructions: 150, characters: 4_096 } as const;

type Compiled = { pattern: RE2JS } | { problem: string };
/** Settings are loaded anew every few minutes; compiling takes milliseconds. */
const known = new LRUCache<string, Compiled>({ max: 500 });

function compile(source: string): Compiled {
  let compiled = known.get(source);
  if (!compiled) {
    compiled = compileAnew(source);
    known.set(source, compiled);
  }
  return compiled;
}

function compileAnew(source: string): Compiled {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source, RE2JS.MULTILINE);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "";
    return {
      problem: `Not a regular expression of RE2, which knows neither look-around nor back-references: ${why.slice(0, 200)}`,
    };
  }
  return pattern.programSize() > patternBounds.instructions
    ? { problem: "It is too large: shorten it, or repeat less, such as \\d+ instead of \\d{1,100}" }
    : { pattern };
}

/** What is wrong with an expression that is to be saved; null for one that can be used. */
export function patternProblem(source: string): string | null {
  const compiled = compile(source);
  return "problem" in compiled ? compiled.problem : null;
}

/** What the first match's first group holds, or the whole match without a group; undefined when nothing matches. */
export function findPattern(source: string, text: string): string | undefined {
  const compiled = compile(source);
  if ("problem" in compiled) return undefined;
  const matcher = compiled.pattern.matcher(text.slice(0, patternBounds.characters));
  if (!matcher.find()) return undefined;
  return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? undefined;
}
