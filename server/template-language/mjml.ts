import { createHash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { liquidPieces, renderLimits } from "./liquid-engine.ts";
import type { CompilerOutcome } from "./mjml-compiler.ts";
import { templateProblem } from "./render.ts";
import type { TemplateProblem } from "./render.ts";
import { placeAt } from "./text-place.ts";

/** Elements of one text: each becomes at least a hundred characters of HTML. */
const maxElements = 2_000;

export type MjmlResult =
  { html: string; problems: [] } | { html: string | null; problems: TemplateProblem[] };

/** Compiles MJML without Liquid; runCompiler is the one that does it. */
export type MjmlCompiler = (source: string, maxCharacters: number) => Promise<CompilerOutcome>;

/** A text with its Liquid replaced by placeholders that mean nothing to MJML. */
interface Hidden {
  text: string;
  /** Placeholder → original text and its position. */
  pieces: Map<string, { liquid: string; at: number }>;
  /** Matches every placeholder; not global. */
  names: RegExp;
}

/**
 * Compiles MJML with Liquid to HTML with the same Liquid. The Liquid has been parsed before, and is passed through
 * unseen: quotes and `<` in it mean nothing to MJML. Problems have their position in the MJML text.
 */
export async function compileMjml(source: string, compile: MjmlCompiler): Promise<MjmlResult> {
  const early = earlyProblems(source);
  if (early.length > 0) return { html: null, problems: early };
  const key = createHash("sha256").update(source).digest("base64");
  const known = results.get(key);
  if (known) return known;
  const hidden = hideLiquid(source);
  const outcome = await compile(hidden.text, renderLimits.parseCharacters);
  const result = readOutcome(source, hidden, outcome);
  // Timeouts are not cached: how long something takes depends on the machine as well.
  if (!("failed" in outcome && outcome.failed === "too_slow")) results.set(key, result);
  return result;
}

/** While somebody types in the subject, the body is the same. */
const results = new LRUCache<string, MjmlResult>({
  max: 100,
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ html }) => 1_024 + (html?.length ?? 0) * 2,
});

function earlyProblems(source: string): TemplateProblem[] {
  const include = /<mj-include\b/i.exec(source);
  if (include) {
    const detail = "mj-include is not available: there are no files to include. Write the text itself.";
    return [bodyProblem("mjml", detail, placeAt(source, include.index))];
  }
  let elements = 0;
  for (let at = source.indexOf("<mj-"); at >= 0; at = source.indexOf("<mj-", at + 4)) elements++;
  if (elements > maxElements) {
    const detail = `The text has more than ${String(maxElements)} MJML elements.`;
    return [bodyProblem("limit_exceeded", detail)];
  }
  return [];
}

/** Replaces outputs, tags and raw blocks by placeholders; comments of Liquid are removed, their line breaks stay. */
function hideLiquid(source: string): Hidden {
  // Unforgeable, so that no text can contain another's placeholder.
  const nonce = `lq${randomBytes(6).toString("hex")}n`;
  const pieces: Hidden["pieces"] = new Map();
  const out: string[] = [];
  let copied = 0;
  for (const { kind, begin, end } of liquidPieces(source)) {
    out.push(source.slice(copied, begin));
    const liquid = source.slice(begin, end);
    if (kind === "comment") out.push(liquid.replace(/[^\n]+/g, ""));
    else {
      const name = `${nonce}${String(pieces.size)}x`;
      pieces.set(name, { liquid, at: begin });
      out.push(name);
    }
    copied = end;
  }
  out.push(source.slice(copied));
  return { text: out.join(""), pieces, names: new RegExp(`${nonce}\\d+x`) };
}

function readOutcome(source: string, hidden: Hidden, outcome: CompilerOutcome): MjmlResult {
  if ("failed" in outcome) return { html: null, problems: [failure(outcome.failed)] };
  const problems: TemplateProblem[] = [];
  const lines = lineStarts(source, hidden);
  for (const { line, message, tagName } of outcome.errors) {
    const named = hidden.names.test(message);
    // A colour may be a variable: nothing is computed from it.
    if (named && message.includes("for type Color")) continue;
    const detail = named
      ? `${restore(message, hidden)}: the compiler computes with this attribute, so Liquid cannot stand in it`
      : message.replace(/ doesn't exist or is not registered$/, " is not known");
    const begin = lines[line - 1] ?? 0;
    const at = source.indexOf(`<${tagName}`, begin);
    problems.push(bodyProblem("mjml", `${detail.trim()}.`, placeAt(source, at < 0 ? begin : at)));
  }
  const lost = problems.length > 0 ? [] : lostPieces(hidden, outcome.html);
  for (const { liquid, at } of lost) {
    const shown = liquid.length > 60 ? `${liquid.slice(0, 60)}…` : liquid;
    const detail = `${shown} stands between MJML elements, where the compiler drops it. Put it into mj-text or mj-raw.`;
    problems.push(bodyProblem("mjml", detail, placeAt(source, at)));
  }
  const html = restore(outcome.html, hidden);
  if (html.length > renderLimits.parseCharacters) return { html: null, problems: [failure("too_long")] };
  return problems.length > 0 ? { html, problems: problems.slice(0, 20) } : { html, problems: [] };
}

/** Where each line of the replaced text begins in the source: a piece of several lines is one placeholder there. */
function lineStarts(source: string, hidden: Hidden): number[] {
  const starts = [0];
  const pieces = [...hidden.pieces.values()];
  let next = 0;
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) {
    while (next < pieces.length && (pieces[next]?.at ?? 0) + (pieces[next]?.liquid.length ?? 0) <= at) next++;
    if (at >= (pieces[next]?.at ?? Infinity)) continue;
    starts.push(at + 1);
  }
  return starts;
}

function restore(text: string, { names, pieces }: Hidden): string {
  return text.replace(new RegExp(names, "g"), (name) => pieces.get(name)?.liquid ?? name);
}

/** Placeholders in text (not in attributes or comments) that are missing in the HTML. */
function lostPieces({ text, pieces, names }: Hidden, html: string): { liquid: string; at: number }[] {
  const kept = new Set(html.match(new RegExp(names, "g")));
  const gone = [...pieces].filter(([name]) => !kept.has(name)).slice(0, 100);
  return gone.flatMap(([name, piece]) => {
    const at = text.indexOf(name);
    const inTag = text.lastIndexOf("<", at) > text.lastIndexOf(">", at);
    const inComment = text.lastIndexOf("<!--", at) > text.lastIndexOf("-->", at);
    return inTag || inComment ? [] : [piece];
  });
}

function failure(reason: Extract<CompilerOutcome, { failed: string }>["failed"]): TemplateProblem {
  switch (reason) {
    case "not_mjml":
      return bodyProblem("mjml", "This is no MJML: one <mjml> with an <mj-body> in it is expected.");
    case "too_deep":
      return bodyProblem("limit_exceeded", "The MJML elements are nested too deeply.");
    case "too_long":
      return bodyProblem(
        "limit_exceeded",
        `The HTML that the MJML becomes is longer than ${String(renderLimits.parseCharacters)} characters.`,
      );
    case "too_slow":
      return bodyProblem("limit_exceeded", "The MJML takes too long to compile.");
  }
}

function bodyProblem(
  code: "mjml" | "limit_exceeded",
  detail: string,
  place: { line: number; column: number } | null = null,
): TemplateProblem {
  return templateProblem("/body", {
    code,
    detail,
    line: place?.line ?? null,
    column: place?.column ?? null,
  });
}
