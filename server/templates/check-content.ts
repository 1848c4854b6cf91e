import { exampleValues } from "./variables.ts";
import { outsideVariables } from "./liquid-engine.ts";
import { metadataSchemas } from "./metadata.ts";
import { renderCompiled, templateProblem, tryCompile } from "./render.ts";
import type { CompiledPart, CompiledVersion, TemplateProblem, VersionContent } from "./render.ts";

export type ContentCheck =
  | { compiled: CompiledVersion; problems: [] }
  | { compiled: CompiledVersion | null; problems: TemplateProblem[] };

/**
 * Everything that makes a version unfit to be saved: metadata of another channel, Liquid that does not parse, variables
 * that are not declared, HTML that runs code, and whatever fails in a trial render with the examples, once with and once
 * without the optional variables.
 */
export async function checkContent(content: VersionContent): Promise<ContentCheck> {
  const problems: TemplateProblem[] = [...channelProblems(content)];
  const { compiled, problems: unparsed } = tryCompile(content);
  problems.push(...unparsed);
  if (!compiled) return { compiled: null, problems };
  for (const part of compiled.parts.values()) problems.push(...variableProblems(part, content));
  if (content.channel === "email") problems.push(...htmlProblems(content.body));
  if (problems.length === 0) problems.push(...trialProblems(compiled));
  return problems.length === 0 ? { compiled, problems: [] } : { compiled, problems };
}

function channelProblems(content: VersionContent): TemplateProblem[] {
  const problems: TemplateProblem[] = [];
  const place = { line: null, column: null };
  if (content.channel === "email" && !content.subject) {
    problems.push({ pointer: "/subject", code: "required", detail: "An e-mail needs a subject.", ...place });
  }
  if (content.channel !== "email" && content.subject) {
    problems.push({
      pointer: "/subject",
      code: "not_allowed",
      detail: "Only an e-mail has a subject.",
      ...place,
    });
  }
  const parsed = metadataSchemas[content.channel].safeParse(content.metadata);
  for (const issue of parsed.error?.issues ?? []) {
    const names = issue.code === "unrecognized_keys" ? issue.keys : [null];
    for (const name of names) {
      const pointer = `/metadata${[...issue.path, ...(name === null ? [] : [name])].map((step) => `/${String(step)}`).join("")}`;
      const detail = name === null ? issue.message : `The channel ${content.channel} has no "${name}".`;
      problems.push({ pointer, code: "invalid_metadata", detail, ...place });
    }
  }
  return problems;
}

function variableProblems(part: CompiledPart, content: VersionContent): TemplateProblem[] {
  const declared = new Set(content.variables.map((variable) => variable.name));
  const problems: TemplateProblem[] = [];
  for (const { name, path, row, column } of outsideVariables(part.parsed)) {
    const place = { line: row, column };
    if (!declared.has(name)) {
      const detail = `The variable "${name.slice(0, 64)}" is not declared.`;
      problems.push(templateProblem(part.pointer, { code: "undeclared_variable", detail, ...place }));
    } else if (path.length > 0 && !(path.length === 1 && path[0] === "size")) {
      const detail = `"${name}" is a text: it has nothing inside but its size.`;
      problems.push(templateProblem(part.pointer, { code: "undeclared_variable", detail, ...place }));
    }
  }
  return problems;
}

const forbiddenTags = new Set(["script", "iframe", "object", "embed", "applet", "base", "meta", "link"]);

/**
 * What mail programs block and mail filters punish: scripts, frames, handlers, code in addresses; and a variable in an
 * attribute without quotes, where escaping could not hold it.
 */
function htmlProblems(body: string): TemplateProblem[] {
  const problems: TemplateProblem[] = [];
  const add = (at: number, detail: string) => {
    const before = body.slice(0, at).split("\n");
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    problems.push({
      pointer: "/body",
      code: "unsafe_html",
      detail: `${detail} (line ${String(place.line)}, column ${String(place.column)})`,
      ...place,
    });
  };
  let at = 0;
  while (problems.length < 20) {
    const open = body.indexOf("<", at);
    if (open < 0) break;
    if (body.startsWith("<!--", open)) {
      const close = body.indexOf("-->", open + 4);
      at = close < 0 ? body.length : close + 3;
      continue;
    }
    const name = /^<\/?([A-Za-z][A-Za-z0-9]*)/.exec(body.slice(open, open + 32))?.[1]?.toLowerCase();
    if (name === undefined) {
      at = open + 1;
      continue;
    }
    const { end, problem } = scanTag(body, open + 1);
    // The charset declaration of a whole document is the one harmless meta.
    const isCharset =
      name === "meta" && /^<meta\s+(charset|name=|http-equiv="?content-type)/i.test(body.slice(open, end));
    if (forbiddenTags.has(name) && !isCharset) add(open, `The tag <${name}> is not allowed in an e-mail.`);
    if (problem) add(problem.at, problem.detail);
    at = end;
  }
  return problems;
}

/** Reads a tag's attributes; Liquid inside of it is passed over. */
function scanTag(body: string, from: number): { end: number; problem?: { at: number; detail: string } } {
  let quote = "";
  let valueStart = -1;
  let problem: { at: number; detail: string } | undefined;
  for (let i = from; i < body.length; i++) {
    const char = body[i] ?? "";
    if (char === "{" && (body[i + 1] === "{" || body[i + 1] === "%")) {
      if (quote === "" && body[i + 1] === "{") {
        problem ??= { at: i, detail: "A variable in a tag must stand inside a quoted attribute." };
      }
      const close = body.indexOf(body[i + 1] === "{" ? "}}" : "%}", i + 2);
      if (close < 0) return { end: body.length, ...(problem ? { problem } : {}) };
      i = close + 1;
      continue;
    }
    if (quote !== "") {
      if (char === quote) {
        const value = body.slice(valueStart, i).replace(/[\s\p{Cc}]/gu, "");
        if (
          /^(javascript|vbscript|data:text):?/i.test(value) &&
          /^(javascript|vbscript):|^data:text/i.test(value)
        ) {
          problem ??= { at: valueStart, detail: "Code in an address is not allowed." };
        }
        quote = "";
      }
    } else if (char === '"' || char === "'") {
      quote = char;
      valueStart = i + 1;
      const attribute =
        /([A-Za-z-]{1,40})\s{0,5}=\s{0,5}$/.exec(body.slice(Math.max(from, i - 52), i))?.[1] ?? "";
      if (/^on[a-z]+$/i.test(attribute))
        problem ??= { at: i, detail: `The handler ${attribute} is not allowed in an e-mail.` };
    } else if (char === ">") {
      const rest = body.slice(from, i);
      if (rest.length < 10_000 && /\son[a-z]{2,30}\s{0,5}=\s{0,5}[^"'\s]/i.test(rest)) {
        problem ??= { at: from, detail: "Handlers are not allowed in an e-mail." };
      }
      return { end: i + 1, ...(problem ? { problem } : {}) };
    }
  }
  return { end: body.length, ...(problem ? { problem } : {}) };
}

function trialProblems(compiled: CompiledVersion): TemplateProblem[] {
  const { variables } = compiled.content;
  const all = exampleValues(variables);
  const required = Object.fromEntries(
    variables.filter((variable) => variable.required).map(({ name }) => [name, all[name] ?? ""]),
  );
  for (const values of [all, required]) {
    const result = renderCompiled(compiled, values, { locale: "en", timezone: "UTC" });
    if (!result.ok) return [templateProblem(result.failure.pointer, result.failure)];
  }
  return [];
}
