/**
 * What liquidjs does not count, counted: what filters and outputs make, what is captured, and how long a text is looked for
 * in a text. Without it a template of a few lines fills the memory of a process, and a search keeps a thread for hours, in
 * which nothing can stop it.
 */
import { CaptureTag, defaultOperators } from "liquidjs";
import type { Context, FilterImplOptions, Liquid, Operators, Template } from "liquidjs";

/** Characters of a text times characters looked for in it. */
const mostSteps = 20_000_000;

/** A Liquid value as it is written out. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plainText).join("");
  const plain: unknown = typeof value === "object" ? value.valueOf() : value;
  return typeof plain === "string" || typeof plain === "number" || typeof plain === "boolean"
    ? String(plain)
    : "";
}

/** liquidjs's own words for a limit, so that it is told like the others. */
function boundSearch(text: unknown, wanted: unknown): void {
  if (plainText(text).length * plainText(wanted).length > mostSteps)
    throw new Error("memory alloc limit exceeded");
}

/** Counts what was made against the memory that one render may use. Throws when that is too much. */
function count(context: Context, made: unknown): void {
  if (typeof made === "string" || Array.isArray(made)) context.memoryLimit.use(made.length);
}

/** liquidjs's operators, with a bound on how long `contains` may look. */
export const boundOperators: Operators = {
  ...defaultOperators,
  contains: (left: unknown, right: unknown, context) => {
    // Of a list its parts are compared.
    if (!Array.isArray(left)) boundSearch(left, right);
    return defaultOperators.contains?.(left, right, context) ?? false;
  },
};

/** An `outputEscape` that counts what is written. @param escape makes a text safe */
export function countedEscape(escape: (text: string) => string) {
  return function (this: { context: Context }, value: unknown): string {
    const written = escape(plainText(value));
    count(this.context, written);
    return written;
  };
}

const searches = new Set(["remove", "remove_first", "replace", "replace_first", "split"]);

/** Counts what all of an engine's filters and captures make; call it when they are registered. */
export function boundEngine(engine: Liquid): void {
  for (const [name, known] of Object.entries(engine.filters))
    engine.registerFilter(name, counted(name, known));
  if (engine.tags.capture) engine.registerTag("capture", CountedCapture);
}

function counted(name: string, known: FilterImplOptions): FilterImplOptions {
  const { handler, raw } = typeof known === "function" ? { handler: known, raw: false } : known;
  return {
    raw,
    handler(value: unknown, ...args: unknown[]): unknown {
      if (searches.has(name)) boundSearch(value, args[0]);
      const made: unknown = handler.call(this, value, ...args);
      count(this.context, made);
      return made;
    },
  };
}

class CountedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const { templates, variable } = this as unknown as { templates: Template[]; variable: string };
    const text: unknown = yield this.liquid.renderer.renderTemplates(templates, context);
    count(context, text);
    context.bottom()[variable] = text;
  }
}
