/**
 * The Liquid of a connection's request. What a template writes out is made safe for the place where it stands, always:
 * nothing in a message can end a JSON text, begin another form field, add a header or change the path.
 */
import { Liquid } from "liquidjs";
import type { Context, Template } from "liquidjs";
import {
  OverBudgetError,
  RenderBudget,
  boundEngine,
  boundOperators,
  budgetedContext,
  countedEscape,
} from "../../kernel/liquid-bounds.ts";

/** Where a text is going to stand. */
export type Place = "url" | "header" | "json" | "form" | "xml" | "text";

const limits = {
  parseCharacters: 64 * 1024,
  outputCharacters: 1024 * 1024,
};

/**
 * What all parts of one request may take together. It is rendered on the event loop that all messages share: a
 * request of a usual size takes it a tenth of a millisecond.
 */
const requestLimits = { ms: 20, steps: 10_000_000, memory: 4_000_000 };

export const requestBudget = (): RenderBudget => new RenderBudget(requestLimits);

/** No loops, files or captures: what is written out is written once, and escaped there. */
const tags = ["if", "unless", "case", "comment", "#", "raw"];
const filters = [
  "append",
  "base64_encode",
  "default",
  "downcase",
  "first",
  "last",
  "prepend",
  "remove",
  "remove_first",
  "replace",
  "replace_first",
  "size",
  "slice",
  "split",
  "strip",
  "truncate",
  "upcase",
];

function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plain).join("");
  if (typeof value === "object") return JSON.stringify(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

const xmlEscapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const escapes: Readonly<Record<Place, (text: string) => string>> = {
  url: encodeURIComponent,
  form: (text) => encodeURIComponent(text).replaceAll("%20", "+"),
  // Between the quotes of a JSON text.
  json: (text) => JSON.stringify(text).slice(1, -1),
  xml: (text) =>
    // Characters that XML 1.0 has no form for are left out.
    text
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(/[&<>"']/g, (char) => xmlEscapes[char] ?? char),
  header: (text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "),
  text: (text) => text,
};

function makeEngine(place: Place): Liquid {
  const counted = countedEscape((text) => escapes[place](text.toWellFormed()));
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    cache: false,
    templates: {},
    relativeReference: false,
    parseLimit: limits.parseCharacters,
    operators: boundOperators,
    outputEscape: function (this: { context: Context }, value: unknown) {
      return counted.call(this, plain(value));
    },
  });
  for (const tag of Object.keys(engine.tags)) {
    if (!tags.includes(tag)) Reflect.deleteProperty(engine.tags, tag);
  }
  for (const filter of Object.keys(engine.filters)) {
    if (!filters.includes(filter)) engine.unregisterFilter(filter);
  }
  // A whole JSON value, quotes included; safe as it is, so the escaping leaves it alone.
  if (place === "json") {
    engine.registerFilter("json", { raw: true, handler: (value: unknown) => JSON.stringify(value ?? null) });
  }
  boundEngine(engine);
  return engine;
}

const engines = Object.fromEntries(
  (Object.keys(escapes) as Place[]).map((place) => [place, makeEngine(place)]),
) as Record<Place, Liquid>;

export type ParsedTemplate = { place: Place; templates: Template[] };

/** Throws liquidjs's errors for a text that is no Liquid. */
export function parseTemplate(source: string, place: Place): ParsedTemplate {
  return { place, templates: engines[place].parse(source) };
}

/**
 * What a template writes with these values. Throws for a variable that does not exist, for output over the limits and for
 * what the budget, which is all parts' together, has no room for.
 */
export function renderTemplate(
  template: ParsedTemplate,
  values: Record<string, unknown>,
  budget: RenderBudget,
): string {
  const engine = engines[template.place];
  budget.checkTime();
  const rendered: unknown = engine.renderSync(template.templates, budgetedContext(engine, values, budget));
  budget.checkTime();
  const text = typeof rendered === "string" ? rendered : String(rendered);
  if (text.length > limits.outputCharacters) throw new Error("the request is too long");
  return text;
}

/** A liquidjs error in a sentence without values. */
export function templateProblem(error: unknown): string {
  const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
  const cause = error instanceof Error && "originalError" in error ? error.originalError : error;
  if (cause instanceof OverBudgetError) return "Its Liquid takes too long, or writes too much.";
  const name = /undefined variable: ([\w.[\]"'-]{1,80})/.exec(message)?.[1];
  if (name !== undefined) return `There is no variable “${name}”.`;
  const parsing =
    error instanceof Error && (error.name === "ParseError" || error.name === "TokenizationError");
  return parsing ? `Liquid: ${message.slice(0, 200)}.` : "It cannot be rendered.";
}
