/**
 * Bounds that liquidjs lacks: on what filters and outputs produce, on captures, and on searches in texts. Without them
 * a template of a few lines fills the memory of a process, and a search blocks a thread for hours without any means to
 * stop it.
 */
import { CaptureTag, Context, defaultOperators } from "liquidjs";
import type { FilterImplOptions, Liquid, Operators, Template } from "liquidjs";

/** Length of a text times length of the text searched for in it. */
const mostSteps = 20_000_000;

/** A Liquid value as it is output. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plainText).join("");
  const plain: unknown = typeof value === "object" ? value.valueOf() : value;
  return typeof plain === "string" || typeof plain === "number" || typeof plain === "boolean"
    ? String(plain)
    : "";
}

/** Which limit of a budget was exceeded. */
export class OverBudgetError extends Error {}

/** Steps for one element of a list: several objects are created for it. */
const listSteps = 16;

/**
 * A budget that several renders may share. Filters and operators draw from it before they work, so that one output with
 * many of them ends as a loop would; `ms` is processor time of this thread, so that a busy machine costs nothing.
 */
export class RenderBudget {
  private readonly limits: { ms: number; steps: number; memory: number };
  private readonly until: number;
  private readonly before = process.threadCpuUsage();
  private steps = 0;
  private memory = 0;

  /** @param limits `ms` of processor time, `steps` of about a character each, characters in `memory` */
  constructor(limits: { ms: number; steps: number; memory: number }) {
    this.limits = limits;
    this.until = performance.now() + limits.ms;
  }

  /** Throws when the time is over. */
  checkTime(): void {
    if (performance.now() < this.until) return;
    const { user, system } = process.threadCpuUsage(this.before);
    if ((user + system) / 1_000 >= this.limits.ms) throw new OverBudgetError("too much time");
  }

  /** Draws steps for work about to be done. Throws when no time or no step is left. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > this.limits.steps) throw new OverBudgetError("too many steps");
    this.checkTime();
  }

  /** Draws memory for a value made or about to be made. Throws when it is too much. */
  use(characters: number): void {
    if (!(characters > 0)) return;
    this.memory += characters;
    if (this.memory > this.limits.memory) throw new OverBudgetError("too much memory");
  }

  /** Whether there is room for that much. */
  hasMemory(characters: number): boolean {
    return this.memory + characters <= this.limits.memory;
  }
}

const budgets = new WeakMap<object, RenderBudget>();

/** A context whose render draws from a budget instead of having limits of its own. */
export function budgetedContext(engine: Liquid, values: object, budget: RenderBudget): Context {
  const limits = {
    memoryLimit: { use: (made: number) => budget.use(made), check: () => undefined },
    renderLimit: { use: () => undefined, check: () => budget.checkTime() },
  } as unknown as Pick<Context, "memoryLimit" | "renderLimit">;
  budgets.set(limits.memoryLimit, budget);
  return new Context(values, engine.options, { sync: true }, { ...limits, liquid: engine });
}

const budgetOf = (context: Context): RenderBudget | undefined => budgets.get(context.memoryLimit);

/** Steps that it takes to traverse a value once. */
function stepsOf(value: unknown): number {
  if (Array.isArray(value)) return 1 + value.length * listSteps;
  return typeof value === "string" ? 1 + value.length : 1;
}

/** liquidjs's own words for a limit, so that it is reported like the others. */
function boundSearch(text: unknown, wanted: unknown, budget: RenderBudget | undefined): void {
  // Traversing a list in order to count it is drawn first.
  if (budget) budget.spend(stepsOf(text) + stepsOf(wanted));
  const steps = plainText(text).length * plainText(wanted).length;
  if (budget) budget.spend(steps);
  else if (steps > mostSteps) throw new Error("memory alloc limit exceeded");
}

/** Draws the size of a filter's result that repeats a text in many places, before it is made. */
function boundPlaces(name: string, value: unknown, args: readonly unknown[], budget: RenderBudget): void {
  if (name !== "split" && name !== "replace" && name !== "remove") return;
  const [text, wanted] = [plainText(value), plainText(args[0])];
  const most = wanted === "" ? text.length + 1 : Math.floor(text.length / wanted.length) + 1;
  if (name !== "replace") {
    budget.spend(most * listSteps);
    return;
  }
  const each = plainText(args[1]).length;
  if (budget.hasMemory(text.length + most * each)) return;
  budget.spend(most * listSteps);
  const places = text.split(wanted).length;
  if (!budget.hasMemory(text.length + places * each)) throw new OverBudgetError("too much memory");
}

/** Counts what was produced against the memory of one render. Throws when that is too much. */
function count(context: Context, made: unknown): void {
  if (typeof made === "string" || Array.isArray(made)) context.memoryLimit.use(made.length);
}

type Comparison = (left: unknown, right: unknown, context: Context) => OperatorResult;
type OperatorResult = ReturnType<Operators[string]>;

/** Compared texts are traversed as far as they are equal. */
function drawing(name: string): Comparison {
  const known = defaultOperators[name] as Comparison;
  return (left, right, context) => {
    budgetOf(context)?.spend(Math.min(stepsOf(left), stepsOf(right)));
    return known(left, right, context);
  };
}

/** liquidjs's operators, with a bound on searches by `contains`; comparisons draw from a budget, too. */
export const boundOperators: Operators = {
  ...defaultOperators,
  ...Object.fromEntries(["==", "!=", "<", "<=", ">", ">="].map((name) => [name, drawing(name)])),
  contains: (left: unknown, right: unknown, context) => {
    const budget = budgetOf(context);
    // Lists are compared element by element.
    if (!Array.isArray(left)) boundSearch(left, right, budget);
    else budget?.spend(stepsOf(left) + left.length * stepsOf(right));
    return defaultOperators.contains?.(left, right, context) ?? false;
  },
};

/** An `outputEscape` that counts what is written. @param escape makes a text safe */
export function countedEscape(escape: (text: string) => string) {
  return function (this: { context: Context }, value: unknown): string {
    budgetOf(this.context)?.spend(stepsOf(value));
    const written = escape(plainText(value));
    count(this.context, written);
    return written;
  };
}

const searches = new Set(["remove", "remove_first", "replace", "replace_first", "split"]);

/** Makes all filters and captures of an engine count; call it when they are registered. */
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
      const budget = budgetOf(this.context);
      budget?.spend(args.reduce((sum: number, arg) => sum + stepsOf(arg), stepsOf(value)));
      if (searches.has(name)) boundSearch(value, args[0], budget);
      if (budget) boundPlaces(name, value, args, budget);
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
