import { htmlProblems } from "./check-html.ts";
import { describeLiquidError, outsideVariables, parseText, renderLimits } from "./liquid-engine.ts";
import { metadataSchemas } from "./metadata.ts";
import { mjmlRoot } from "./mjml-root.ts";
import type { EmailMetadata } from "./metadata.ts";
import type { MjmlCompiler } from "./mjml.ts";
import { renderCompiled, templateProblem, tryCompile } from "./render.ts";
import type { CompiledPart, CompiledVersion, TemplateProblem, VersionContent } from "./render.ts";
import { placeAt } from "./text-place.ts";
import { trialValues } from "./trial-values.ts";

export type ContentCheck =
  | { compiled: CompiledVersion; problems: [] }
  | { compiled: CompiledVersion | null; problems: TemplateProblem[] };

/** For checks outside of a request, which start the compiler's thread themselves. */
const compileHere: MjmlCompiler = async (source, maxCharacters) => {
  const { runCompiler } = await import("./mjml-compiler.ts");
  return runCompiler("", source, maxCharacters);
};

/** Whether a body is written in MJML. */
export function isMjml(content: Pick<VersionContent, "channel" | "metadata">): boolean {
  return content.channel === "email" && (content.metadata as EmailMetadata).format === "mjml";
}

/**
 * Everything that prevents a version from being saved: metadata of another channel, invalid Liquid, undeclared
 * variables, MJML that does not compile or that would be sent as HTML, HTML that runs code, failures of a trial render with the examples, with and
 * without the optional variables, and a trial render with the longest values that takes too long. The returned content
 * has its `compiledBody`. @param longest false: without the last check, which takes the most time
 */
export async function checkContent(
  content: VersionContent,
  { compile = compileHere, longest = true }: { compile?: MjmlCompiler; longest?: boolean } = {},
): Promise<ContentCheck> {
  const problems: TemplateProblem[] = [...channelProblems(content), ...formatProblems(content)];
  const { content: compiledContent, source, problems: uncompiled } = await compileBody(content, compile);
  problems.push(...uncompiled);
  if (!compiledContent) {
    const { compiled: others, problems: unparsed } = tryCompile({ ...content, body: "", compiledBody: null });
    for (const part of others?.parts.values() ?? []) problems.push(...variableProblems(part, content));
    return { compiled: null, problems: [...problems, ...unparsed] };
  }
  const { compiled, problems: unparsed } = tryCompile(compiledContent);
  problems.push(...unparsed);
  if (!compiled) return { compiled: null, problems };
  for (const part of compiled.parts.values()) {
    problems.push(...variableProblems(source && part.pointer === "/body" ? source : part, content));
  }
  if (content.channel === "email") problems.push(...bodyProblems(compiledContent));
  if (problems.length === 0) problems.push(...trialProblems(compiled, longest));
  return problems.length === 0 ? { compiled, problems: [] } : { compiled, problems };
}

/**
 * MJML becomes HTML; its Liquid is parsed first, in the author's own text, so that problems have their position there.
 */
async function compileBody(
  content: VersionContent,
  compile: MjmlCompiler,
): Promise<{
  content: VersionContent | null;
  /** The parsed MJML. */
  source?: CompiledPart;
  problems: TemplateProblem[];
}> {
  if (!isMjml(content)) return { content: { ...content, compiledBody: null }, problems: [] };
  // A saved version is sent as it was compiled then, whatever a newer compiler would make of it.
  if (content.compiledBody !== null) return { content, problems: [] };
  let source: CompiledPart;
  try {
    source = { pointer: "/body", source: content.body, parsed: parseText(content.body, "html") };
  } catch (error) {
    return { content: null, problems: [templateProblem("/body", describeLiquidError(error))] };
  }
  // Loaded only for MJML.
  const { compileMjml } = await import("./mjml.ts");
  const { html, problems } = await compileMjml(content.body, compile);
  if (html === null) return { content: null, problems: [...variableProblems(source, content), ...problems] };
  return { content: { ...content, compiledBody: html }, source, problems };
}

/** Unsafe HTML in the author's text, with its position; else in the compiled MJML. */
function bodyProblems({ body, compiledBody }: VersionContent): TemplateProblem[] {
  const written = htmlProblems(body);
  if (compiledBody === null || written.length > 0) return written;
  return htmlProblems(compiledBody, { compiled: true }).map((problem) => ({
    ...problem,
    detail: problem.detail.replace(/ \(line \d+, column \d+\)$/, ""),
    line: null,
    column: null,
  }));
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

/** No mail program knows MJML: its recipients would get the words without any of the layout. */
function formatProblems(content: VersionContent): TemplateProblem[] {
  const root = content.channel === "email" && !isMjml(content) ? mjmlRoot(content.body) : null;
  if (!root) return [];
  const { line, column } = placeAt(content.body, root.at);
  const detail = `The body is MJML (<${root.name}>), but would be sent as HTML. Set metadata.format to "mjml".`;
  return [templateProblem("/body", { code: "mjml_as_html", detail, line, column })];
}

function variableProblems(part: CompiledPart, content: VersionContent): TemplateProblem[] {
  const declared = new Set(content.variables.map((variable) => variable.name));
  const problems: TemplateProblem[] = [];
  let uses: ReturnType<typeof outsideVariables>;
  try {
    uses = outsideVariables(part.parsed);
  } catch (error) {
    return [templateProblem(part.pointer, describeLiquidError(error))];
  }
  for (const { name, path, row, column } of uses) {
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

/** With the examples it must render; with the longest values it may be refused, but in time. */
function trialProblems(compiled: CompiledVersion, withLongest: boolean): TemplateProblem[] {
  const { usual, longest } = trialValues(compiled.content.variables);
  for (const values of usual) {
    const result = renderCompiled(compiled, values, trialSettings);
    if (!result.ok) {
      const { code, ...failure } = result.failure;
      const problem = { ...failure, code: code === "too_slow" ? "limit_exceeded" : code };
      return [templateProblem(failure.pointer, problem)];
    }
    // Parts joined by Liquid may contain what none of them did.
    const made =
      result.message.html === undefined
        ? []
        : htmlProblems(result.message.html, { compiled: true, rendered: true });
    if (made[0]) return [{ ...made[0], line: null, column: null }];
  }
  return withLongest && longest.some((values) => isTooSlow(compiled, values)) ? [slowProblem] : [];
}

const trialSettings = { locale: "en", timezone: "UTC" };

/** Whether no render is fast enough. Several are tried: until the engine is warm it takes a multiple of the time. */
function isTooSlow(compiled: CompiledVersion, values: Record<string, string>): boolean {
  const before = process.threadCpuUsage();
  for (let total = 0; total <= 30 * renderLimits.sendMs;) {
    renderCompiled(compiled, values, trialSettings);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000 - total;
    if (ms <= renderLimits.sendMs) return false;
    total += ms;
  }
  return true;
}

/** The problem of a template that takes too long, whether it ended or not. */
export const slowProblem: TemplateProblem = {
  pointer: "/body",
  code: "limit_exceeded",
  detail: `With the longest values that its variables allow the template takes longer than ${String(renderLimits.sendMs)} ms. Limit its loops, declare how long its variables may be, or do less.`,
  line: null,
  column: null,
};
