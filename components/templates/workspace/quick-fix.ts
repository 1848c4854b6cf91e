import { variableUses } from "../../editor/liquid-scan.ts";
import { mjmlRoot } from "../../../server/template-language/mjml-root.ts";
import { mjmlStart, type Draft } from "../draft.ts";
import { asMjml, fitsInText } from "../mail/mjml-document.ts";
import { liquidTexts, textAt } from "./draft-pointer.ts";
import { guessVariable } from "./guess-variable.ts";

/** A problem of a draft that one click can end. */
export type QuickFix = { label: string; change: (draft: Draft) => Partial<Draft> };

/** Where a problem stands; lines and columns from 1. */
export type FixableProblem = { pointer: string; code: string; line: number | null; column: number | null };

/** The one way out of a problem, if there is only one; null otherwise. */
export function quickFix(draft: Draft, problem: FixableProblem): QuickFix | null {
  if (problem.code === "mjml_as_html") return { label: "Use MJML", change: switchToMjml };
  if (problem.code !== "undeclared_variable") return null;
  const name = undeclaredAt(draft, problem);
  return name === null ? null : { label: `Declare ${name}`, change: (now) => declare(now, [name]) };
}

/**
 * Switches a mail to MJML: parts of a document get what is missing around them, HTML becomes the text of a column. HTML that
 * cannot be one stays for its author to change.
 */
export function switchToMjml(draft: Draft): Partial<Draft> {
  const metadata = { ...draft.metadata, format: "mjml" };
  if (draft.body.trim() === "") return { metadata, body: mjmlStart };
  if (mjmlRoot(draft.body) === null && !fitsInText(draft.body)) return { metadata };
  return { metadata, body: asMjml(draft.body) };
}

/** Declares variables that are not declared yet. */
export function declare(draft: Draft, names: readonly string[]): Partial<Draft> {
  const declared = new Set(draft.variables.map((variable) => variable.name.trim()));
  const texts = liquidTexts(draft);
  const added = names.filter((name) => !declared.has(name)).map((name) => guessVariable(name, texts));
  // A line that was begun and has no name yet stays last.
  return { variables: [...draft.variables, ...added] };
}

/** The name of the undeclared variable that a problem is about. */
function undeclaredAt(draft: Draft, { pointer, line, column }: FixableProblem): string | null {
  const text = textAt(draft, pointer);
  if (text === null) return null;
  const declared = new Set(draft.variables.map((variable) => variable.name.trim()));
  const lines = text.split("\n", line ?? 1);
  const lineStart = lines.slice(0, -1).reduce((sum, each) => sum + each.length + 1, 0);
  const at = lineStart + (column ?? 1) - 1;
  const end = lineStart + (lines.at(-1)?.length ?? 0);
  const use = variableUses(text).find(({ start }) => start >= at && start <= end);
  // One that was declared since is no problem any more: the answer is older than the draft.
  return use === undefined || declared.has(use.name) ? null : use.name;
}
