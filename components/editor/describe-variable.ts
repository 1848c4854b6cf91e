import type { DraftVariable } from "../templates/draft.ts";

/** A declaration in words, as paragraphs of Markdown. */
export function describeVariable(variable: DraftVariable): string[] {
  const facts = [variable.type, variable.required ? "required" : "optional"];
  if (variable.maxLength !== "") facts.push(`at most ${variable.maxLength} characters`);
  const said = [`\`${variable.name}\` (${facts.join(", ")})`];
  if (variable.example !== "") said.push(`Example: ${asCode(variable.example.slice(0, 200))}`);
  const values = variable.values.split("\n").filter((value) => value.trim() !== "");
  if (variable.type === "enum" && values.length > 0) {
    const more = values.length > 10 ? ` and ${values.length - 10} more` : "";
    said.push(`One of: ${values.slice(0, 10).map(asCode).join(", ")}${more}`);
  }
  return said;
}

/** Somebody's text within Markdown, without its becoming Markdown. */
function asCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence} ${text.replaceAll(/\s+/g, " ")} ${fence}`;
}
