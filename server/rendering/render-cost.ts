/**
 * The cost of a render, estimated from the template: it decides whether a message is rendered inline or in the render
 * thread.
 *
 * The cost of a template without loops is a sum: a constant, plus so much for each character of each variable's value.
 * Nothing is rendered inline whose cost, with the given values, is above `inlineCost`; a template with anything unknown
 * has no cost at all.
 */
import {
  AssignTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  IfTag,
  InlineCommentTag,
  Output,
  RawTag,
  TokenKind,
  UnlessTag,
} from "liquidjs";
import type { Filter, Template, Token, ValueToken } from "liquidjs";
import type { CompiledPart } from "../template-language/render.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";

/**
 * In units of about the handling of one character: measured, 100,000 of them take 0.1 to 2 milliseconds. A mail with a
 * short link, whose address may be long, costs half of it.
 */
export const inlineCost = 100_000;
/** The maximum of Liquid characters in all texts of a version that is parsed inline. */
export const inlineCharacters = 32 * 1024;

/** Cost of a part, besides what it handles. */
const stepCost = 60;
/** Creating a formatter for a language takes as long as thousands of characters. */
const formatterCost = 2_000;
const formatCost = 150;
const numberSize = 32;
/** The longest address that the filter `shorten` returns. */
const addressSize = 2_100;

/** A size or a cost in characters: `base`, plus so much for each character of the variable at an index. */
class Amount {
  readonly base: number;
  /** Sparse: most amounts depend on one variable or none. */
  readonly per: ReadonlyMap<string, number>;
  constructor(base: number, per: ReadonlyMap<string, number> = new Map()) {
    this.base = base;
    this.per = per;
  }
  times(factor: number): Amount {
    return new Amount(
      this.base * factor,
      new Map([...this.per].map(([name, each]) => [name, each * factor])),
    );
  }
  plus(other: Amount): Amount {
    return this.join(other, (a, b) => a + b);
  }
  /** At least as much as either. */
  or(other: Amount): Amount {
    return this.join(other, Math.max);
  }
  private join(other: Amount, how: (a: number, b: number) => number): Amount {
    const per = new Map(this.per);
    for (const [name, each] of other.per) per.set(name, how(per.get(name) ?? 0, each));
    return new Amount(how(this.base, other.base), per);
  }
  with(values: Readonly<Record<string, string>>): number {
    let sum = this.base;
    for (const [name, each] of this.per)
      if (Object.hasOwn(values, name)) sum += (values[name]?.length ?? 0) * each;
    return sum;
  }
}

/** liquidjs's name of the filter that it adds to HTML outputs. */
const outputEscape = "[object Function]";

const constant = (characters: number) => new Amount(characters);

/** The cost cannot be estimated. */
class Unbounded extends Error {}

export interface RenderCost {
  /** The maximum cost of a render with these values. */
  of(values: Readonly<Record<string, string>>): number;
}

/** The cost of rendering a version's texts; null: it cannot be estimated. */
export function renderCost(
  parts: Iterable<CompiledPart>,
  declarations: readonly VariableDeclaration[],
): RenderCost | null {
  try {
    let total = constant(0);
    for (const { parsed } of parts) {
      const text = new Meter(declarations, parsed.mode === "html");
      const output = text.walk(parsed.templates);
      // HTML is read again: for addresses, and for its plain text.
      total = total.plus(text.cost).plus(output.times(parsed.mode === "html" ? 4 : 2));
    }
    return { of: (values) => total.with(values) };
  } catch (error) {
    if (error instanceof Unbounded) return null;
    throw error;
  }
}

class Meter {
  cost = constant(0);
  private readonly sizes: Map<string, Amount>;
  private readonly formatters = new Set<string>();
  private readonly html: boolean;

  constructor(declarations: readonly VariableDeclaration[], html: boolean) {
    this.html = html;
    this.sizes = new Map(declarations.map(({ name }) => [name, new Amount(0, new Map([[name, 1]]))]));
  }

  /** Charges for the parts; returns the size of their output. */
  walk(templates: readonly Template[]): Amount {
    let output = constant(0);
    for (const template of templates) output = output.plus(this.piece(template));
    return output;
  }

  private charge(amount: Amount): Amount {
    // A cost beyond any limit counts as unbounded, which keeps the sums small.
    this.cost = this.cost.plus(amount);
    if (!(this.cost.base <= inlineCost)) throw new Unbounded();
    return amount;
  }

  private piece(template: Template): Amount {
    this.charge(constant(stepCost));
    if (template.token.kind === TokenKind.HTML)
      return this.charge(constant((template as unknown as { str: string }).str.length));
    if (template instanceof Output) {
      return this.charge(this.value((template as unknown as { value: FilteredValue }).value));
    }
    if (template instanceof CommentTag || template instanceof InlineCommentTag) return constant(0);
    if (template instanceof RawTag) {
      const { tokens } = template as unknown as { tokens: Token[] };
      return this.charge(constant(tokens.reduce((sum, { begin, end }) => sum + end - begin, 0)));
    }
    if (template instanceof AssignTag) {
      const { key, value } = template as unknown as { key: string; value: FilteredValue };
      this.remember(key, this.value(value));
      return constant(0);
    }
    if (template instanceof CaptureTag) {
      const { variable, templates } = template as unknown as { variable: string; templates: Template[] };
      this.remember(variable, this.walk(templates));
      return constant(0);
    }
    if (template instanceof IfTag || template instanceof UnlessTag) {
      const { branches, elseTemplates } = template as unknown as Branching<{ value: FilteredValue }>;
      for (const { value } of branches) this.value(value);
      return this.branches(branches, elseTemplates);
    }
    if (template instanceof CaseTag) {
      const { branches, elseTemplates, value } = template as unknown as Branching<{
        values: ValueToken[];
      }> & {
        value: FilteredValue;
      };
      const size = this.value(value);
      for (const { values } of branches) for (const one of values) this.charge(size.or(this.operand(one)));
      return this.branches(branches, elseTemplates);
    }
    throw new Unbounded();
  }

  /** All branches are charged for; one is written. */
  private branches(
    branches: readonly { templates: Template[] }[],
    otherwise: readonly Template[] = [],
  ): Amount {
    return branches.reduce((most, { templates }) => most.or(this.walk(templates)), this.walk(otherwise));
  }

  /** Without loops a name's value is bounded from above, whichever branch assigned it. */
  private remember(name: string, size: Amount): void {
    this.sizes.set(name, size.or(this.sizes.get(name) ?? constant(0)));
  }

  private value({ initial, filters }: FilteredValue): Amount {
    let size = this.expression(initial.postfix);
    for (const filter of filters) {
      this.charge(constant(stepCost).plus(size));
      size = this.filter(filter, size);
      this.charge(size);
    }
    return size;
  }

  private expression(postfix: readonly Token[]): Amount {
    const sizes: Amount[] = [];
    for (const token of postfix) {
      this.charge(constant(stepCost));
      if (token.kind !== TokenKind.Operator) {
        sizes.push(this.operand(token));
        continue;
      }
      const { operator } = token as unknown as { operator: string };
      const right = sizes.pop() ?? constant(0);
      const left = operator === "not" ? constant(0) : (sizes.pop() ?? constant(0));
      // A search costs that many characters at each position. A value's length may be anything.
      if (operator === "contains") {
        if (right.per.size > 0) throw new Unbounded();
        this.charge(left.times(1 + right.base));
      } else this.charge(left.or(right));
      sizes.push(left.or(right));
    }
    return sizes.at(-1) ?? constant(0);
  }

  private operand(token: Token): Amount {
    switch (token.kind) {
      case TokenKind.Quoted:
        return constant((token as unknown as { content: string }).content.length);
      case TokenKind.Number:
      case TokenKind.Literal:
        return constant(numberSize);
      case TokenKind.PropertyAccess: {
        const { variable, props } = token as unknown as { variable?: unknown; props: Token[] };
        const [name, member, ...more] = props.map((prop) =>
          prop.kind === TokenKind.Word ? (prop as unknown as { content: string }).content : undefined,
        );
        if (variable !== undefined || name === undefined || more.length > 0) throw new Unbounded();
        if (props.length === 2) {
          if (member !== "size") throw new Unbounded();
          return constant(numberSize);
        }
        return this.sizes.get(name) ?? constant(0);
      }
      default:
        throw new Unbounded();
    }
  }

  private filter({ name, args }: Filter, size: Amount): Amount {
    const operands = args
      .map((arg) => (Array.isArray(arg) ? arg[1] : arg))
      .map((arg) => (arg ? this.operand(arg) : constant(0)));
    const [first = constant(0), second = constant(0)] = operands;
    const literal = args.every((arg) => !Array.isArray(arg) && arg.kind === TokenKind.Quoted);
    switch (name) {
      case "abs":
      case "at_least":
      case "at_most":
      case "ceil":
      case "divided_by":
      case "floor":
      case "minus":
      case "modulo":
      case "plus":
      case "round":
      case "times":
        // A text that is not a number stays what it is.
        return size.or(first).or(constant(numberSize));
      case "size":
        return constant(numberSize);
      case "append":
      case "prepend":
        return size.plus(first);
      case "default":
        return size.or(first);
      case "capitalize":
      case "downcase":
      case "upcase":
        return size.times(3);
      case "strip_newlines":
      case "raw":
        return size;
      case "strip":
      case "lstrip":
      case "rstrip":
        if (args.length > 0) throw new Unbounded();
        return size;
      case "escape":
        return size.times(6);
      case outputEscape:
        // Each direction mark may need one that closes it.
        return size.times(this.html ? 6 : 2);
      case "newline_to_br":
        return size.times(7);
      case "url_encode":
        return size.times(9);
      case "truncate":
        return size.plus(second);
      case "remove":
      case "replace": {
        const wanted = first.base;
        const given = second.base;
        // Separators between all characters, and values in values, are more than a sum.
        if (!literal || wanted === 0) throw new Unbounded();
        this.charge(size.times(wanted));
        return size.times(1 + given / wanted);
      }
      case "date":
      case "money": {
        if (!literal) throw new Unbounded();
        // Each letter of a pattern may be a word.
        const letters = name === "date" ? first.base : 0;
        const key = `${name} ${args.map((arg) => (Array.isArray(arg) ? "" : arg.getText())).join()}`;
        this.charge(constant((this.formatters.has(key) ? 0 : formatterCost) + (1 + letters) * formatCost));
        this.formatters.add(key);
        return size.or(constant(60 + letters * 40));
      }
      case "shorten":
        this.charge(constant(500));
        return size.or(constant(addressSize));
      default:
        throw new Unbounded();
    }
  }
}

/** Internals of liquidjs for {{ … }}, conditions and assignments, beyond its declared types. */
interface FilteredValue {
  initial: { postfix: Token[] };
  filters: Filter[];
}
interface Branching<Branch> {
  branches: (Branch & { templates: Template[] })[];
  elseTemplates?: Template[];
}
