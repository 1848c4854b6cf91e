import { Context, Drop, Liquid, TokenKind, Tokenizer, toValueSync } from "liquidjs";
import type { TagToken, Template } from "liquidjs";
import { boundEngine, boundOperators, countedEscape } from "../kernel/liquid-bounds.ts";
import { registerFilters, settingsKey } from "./liquid-filters.ts";
import type { RenderSettings } from "./liquid-filters.ts";
import { indexPositions } from "./liquid-positions.ts";
import { liquidFilters, liquidTags } from "./liquid-words.ts";
import { closeDirections } from "./text-direction.ts";
import { placeAt } from "./text-place.ts";
import type { VariableDeclaration } from "./variables.ts";

/** Limits of one template text and one render; a template that needs more is refused when it is saved. */
export const renderLimits = {
  /** Characters of Liquid in one text. */
  parseCharacters: 256 * 1024,
  /** Milliseconds of one render. */
  renderMs: 250,
  /** Milliseconds of processor time that a message may take with the longest values, all texts together. */
  sendMs: 20,
  /** Characters and elements that the filters, captures and outputs of one render may produce. */
  memory: 2_000_000,
  /** Characters of one rendered text. */
  outputCharacters: 1024 * 1024,
  /** Nesting of blocks: each level is a level of the parser's stack, too. */
  depth: 100,
  /** Outputs and tags of one text. */
  pieces: 2_000,
} as const;

const htmlEscapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

/** Makes a value safe in HTML text and in quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (char) => htmlEscapes[char] ?? char);
}

function makeEngine(escape: boolean): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    cache: false,
    templates: {},
    relativeReference: false,
    locale: "en",
    timezoneOffset: "UTC",
    parseLimit: renderLimits.parseCharacters,
    renderLimit: renderLimits.renderMs,
    memoryLimit: renderLimits.memory,
    operators: boundOperators,
    outputEscape: countedEscape(escape ? (text) => escapeHtml(closeDirections(text)) : closeDirections),
  });
  for (const tag of Object.keys(engine.tags))
    if (!Object.hasOwn(liquidTags, tag)) Reflect.deleteProperty(engine.tags, tag);
  for (const filter of Object.keys(engine.filters))
    if (!Object.hasOwn(liquidFilters, filter)) engine.unregisterFilter(filter);
  registerFilters(engine);
  boundEngine(engine);
  return engine;
}

indexPositions();

const engines = { text: makeEngine(false), html: makeEngine(true) };

/** `html` escapes every output unless its last filter is `raw`; `text` escapes nothing. Direction marks end with their output. */
export type TextMode = keyof typeof engines;

/** A parsed Liquid text. */
export interface ParsedText {
  mode: TextMode;
  templates: Template[];
}

/** A text that is too long or too deeply nested for the parser. */
class TooMuchError extends Error {
  readonly place: { line: number; column: number };
  constructor(message: string, source: string, at: number) {
    super(message);
    this.place = placeAt(source, at);
  }
}

function checkSize(source: string): void {
  let depth = 0;
  let pieces = 0;
  for (const match of source.matchAll(/\{(?:\{|%-?\s*((?:end)?(?:if|unless|case|for|capture)\b)?)/g)) {
    if (++pieces > renderLimits.pieces) {
      const detail = `The text has more than ${String(renderLimits.pieces)} outputs and tags.`;
      throw new TooMuchError(detail, source, match.index);
    }
    if (match[1] === undefined) continue;
    depth += match[1].startsWith("end") ? -1 : 1;
    if (depth > renderLimits.depth) {
      const detail = `Blocks are nested more than ${String(renderLimits.depth)} deep.`;
      throw new TooMuchError(detail, source, match.index);
    }
  }
}

/** Throws liquidjs's errors for invalid texts; `describeLiquidError` makes them readable. */
export function parseText(source: string, mode: TextMode): ParsedText {
  checkSize(source);
  return { mode, templates: engines[mode].parse(source) };
}

export interface LiquidPiece {
  kind: "output" | "tag" | "raw" | "comment";
  begin: number;
  /** Index after the last character. */
  end: number;
}

/** The positions of outputs and tags in a valid text, including those around raw blocks and comments. */
export function liquidTokens(source: string): { begin: number; end: number }[] {
  return new Tokenizer(source)
    .readTopLevelTokens()
    .filter(({ kind }) => kind === TokenKind.Tag || kind === TokenKind.Output)
    .map(({ begin, end }) => ({ begin, end }));
}

/** The positions of Liquid in a valid text: outputs, tags, each raw block and comment as one. */
export function liquidPieces(source: string): LiquidPiece[] {
  const pieces: LiquidPiece[] = [];
  let block: { begin: number; kind: "raw" | "comment"; until: string } | null = null;
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    const name = token.kind === TokenKind.Tag ? (token as TagToken).name : null;
    const { begin, end } = token;
    if (block) {
      if (name !== block.until) continue;
      pieces.push({ kind: block.kind, begin: block.begin, end });
      block = null;
    } else if (name === "raw" || name === "comment") block = { begin, kind: name, until: `end${name}` };
    else if (name !== null) pieces.push({ kind: name === "#" ? "comment" : "tag", begin, end });
    else if (token.kind === TokenKind.Output) pieces.push({ kind: "output", begin, end });
  }
  return pieces;
}

/** The outside variables of a text, with every position: name, further path, row and column from 1. */
export function outsideVariables(
  text: ParsedText,
): { name: string; path: string[]; row: number; column: number }[] {
  const { globals } = engines[text.mode].analyzeSync(text.templates, { partials: false });
  return Object.values(globals).flatMap((uses) =>
    uses.map((use) => {
      const [name, ...path] = use
        .toArray()
        .map((segment) => (Array.isArray(segment) ? "[…]" : String(segment)));
      return { name: name ?? "", path, row: use.location.row, column: use.location.col };
    }),
  );
}

/** A number that prints as it was sent and compares by value: texts would put "10" before "9". */
class NumberValue extends Drop {
  private readonly source: string;
  constructor(source: string) {
    super();
    this.source = source;
  }
  override valueOf(): string {
    return this.source;
  }
  override toString(): string {
    return this.source;
  }
  equals(other: unknown): boolean {
    return Number(this.source) === toNumber(other);
  }
  gt(other: unknown): boolean {
    return Number(this.source) > toNumber(other);
  }
  geq(other: unknown): boolean {
    return Number(this.source) >= toNumber(other);
  }
  lt(other: unknown): boolean {
    return Number(this.source) < toNumber(other);
  }
  leq(other: unknown): boolean {
    return Number(this.source) <= toNumber(other);
  }
}

function toNumber(value: unknown): number {
  const plain: unknown = value instanceof NumberValue ? value.valueOf() : value;
  return typeof plain === "number" || (typeof plain === "string" && plain !== "") ? Number(plain) : NaN;
}

export type Scope = Record<string, unknown> & { [settingsKey]?: RenderSettings };

/**
 * The scope of a template: exactly the declared variables, missing ones as nil. Only declared names are read from
 * `values`, so `__proto__` and the like mean nothing.
 */
export function buildScope(
  declarations: readonly VariableDeclaration[],
  values: Readonly<Record<string, string>>,
  settings: RenderSettings,
): Scope {
  const scope = Object.create(null) as Scope;
  for (const { name, type } of declarations) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || (value === "" && type !== "string")) scope[name] = null;
    else scope[name] = type === "number" ? new NumberValue(value) : value;
  }
  scope[settingsKey] = settings;
  return scope;
}

/** The rendered text is too long for a message. */
export class TooLongError extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super("the rendered text is too long");
    this.limit = limit;
  }
}

/** The template rendered something that is not an address where one is required. */
export class NotAnAddressError extends Error {}

/** Renders one text; throws liquidjs's errors, and TooLongError for an output over the limit. */
export function renderText(text: ParsedText, scope: Scope): string {
  const rendered: unknown = engines[text.mode].renderSync(text.templates, scope);
  const output = typeof rendered === "string" ? rendered : String(rendered);
  if (output.length > renderLimits.outputCharacters) throw new TooLongError(renderLimits.outputCharacters);
  return output;
}

/** A part of a rendered text, and the part of its source that it comes from. */
export interface RenderedPiece {
  output: string;
  begin: number;
  end: number;
  /** Written as it stands; otherwise made by an output or a block of Liquid. */
  literal: boolean;
}

/**
 * Renders a text in parts: each output, block and stretch of plain text at its top level. Throws what renderText throws.
 * @param source the text that was parsed
 */
export function renderPieces(text: ParsedText, source: string, scope: Scope): RenderedPiece[] {
  const engine = engines[text.mode];
  const context = new Context(scope, engine.options, { sync: true });
  const pieces: RenderedPiece[] = [];
  let length = 0;
  for (const [index, template] of text.templates.entries()) {
    const { begin, kind } = template.token;
    const literal = kind === TokenKind.HTML;
    // A block's token is its first tag.
    const end = text.templates[index + 1]?.token.begin ?? source.length;
    const rendered: unknown = toValueSync(engine.renderer.renderTemplates([template], context));
    const output = typeof rendered === "string" ? rendered : String(rendered);
    length += output.length;
    if (length > renderLimits.outputCharacters) throw new TooLongError(renderLimits.outputCharacters);
    pieces.push({ output, begin, end, literal });
  }
  return pieces;
}

export interface LiquidProblem {
  code: "syntax" | "undeclared_variable" | "limit_exceeded" | "render_failed" | "too_slow";
  detail: string;
  line: number | null;
  column: number | null;
}

/** A liquidjs error in our words: kind, position (from 1) and a sentence without variable values. */
export function describeLiquidError(error: unknown): LiquidProblem {
  const thrown = error instanceof Error ? error : new Error("unknown");
  const place = /, line:(\d+), col:(\d+)\s*$/.exec(thrown.message.split("\n")[0] ?? "");
  const position = { line: place ? Number(place[1]) : null, column: place ? Number(place[2]) : null };
  const message = (thrown.message.split("\n")[0] ?? "").replace(/, line:\d+, col:\d+\s*$/, "").slice(0, 300);
  if (thrown instanceof TooLongError) {
    const detail = `The rendered text is longer than ${String(thrown.limit)} characters.`;
    return { code: "limit_exceeded", detail, ...position };
  }
  if (thrown instanceof TooMuchError) {
    return { code: "limit_exceeded", detail: thrown.message, ...thrown.place };
  }
  // Stack overflow by nested expressions.
  if (thrown instanceof RangeError || message.includes("call stack size exceeded")) {
    return { code: "limit_exceeded", detail: "Something is nested too deeply.", ...position };
  }
  if (thrown instanceof NotAnAddressError) {
    return { code: "render_failed", detail: "This must become an http or https address.", ...position };
  }
  if (message.includes("limit exceeded")) {
    const code = message.includes("render limit") ? "too_slow" : "limit_exceeded";
    const detail = message.includes("parse length")
      ? `The text is longer than ${String(renderLimits.parseCharacters)} characters.`
      : message.includes("memory alloc")
        ? "The template makes too much text or loops too often."
        : `The template takes longer than ${String(renderLimits.renderMs)} ms; a loop may not end.`;
    return { code, detail, ...position };
  }
  const name = /^undefined variable: (.+)$/.exec(message)?.[1];
  if (name !== undefined) {
    return { code: "undeclared_variable", detail: `The variable "${name}" is not declared.`, ...position };
  }
  const failedAt =
    thrown.name === "ParseError" || thrown.name === "TokenizationError" ? "syntax" : "render_failed";
  // Errors while rendering may quote values.
  const detail = failedAt === "syntax" ? `Liquid: ${message}.` : "The template could not be rendered.";
  return { code: failedAt, detail, ...position };
}
