import { isVariableName } from "../../../server/template-language/variables.ts";

/**
 * Texts of other services as Liquid of Tidings. Novu's are Liquid with objects (`{{payload.order.id}}`, `{{subscriber.firstName}}`), in
 * older workflows Handlebars (`{{#if name}}`); Twilio's have numbers (`{{1}}`). A variable of Tidings is a text with a plain name.
 */
interface MappedText {
  text: string;
  /** By their new names. */
  variables: Map<string, string>;
  /** What stands in the way; then the text must not be used. */
  problems: string[];
}

/** Objects that Novu gives to a template; of these only the first two have values that a request can bring. */
const roots = [
  "payload",
  "subscriber",
  "actor",
  "workflow",
  "steps",
  "step",
  "tenant",
  "context",
  "env",
  "branding",
];
const keywords = new Set("true false nil null empty blank and or not contains".split(" "));
const kept = new Set("else endif endunless endcase comment endcomment raw endraw".split(" "));
const conditions = new Set("if elsif unless case when".split(" "));

/** A name of Tidings for a path such as payload.order.id; null: it has none. */
function variableOf(path: string): string | null {
  const [root = "", ...rest] = path.split(".");
  const parts =
    root === "payload" || root === "subscriber" ? rest : roots.includes(root) ? [] : [root, ...rest];
  if (parts.length === 0) return null;
  // What the recipient is called comes with the request here as well, beside variables of the same name.
  const name = (root === "subscriber" ? ["subscriber", ...parts] : parts)
    .join("_")
    .replaceAll(/[^A-Za-z0-9_]/g, "_");
  return isVariableName(name) ? name : null;
}

/** Novu's Liquid or Handlebars. */
export function fromNovu(source: string): MappedText {
  const variables = new Map<string, string>();
  const problems: string[] = [];
  const rename = (expression: string) => renamed(expression, variables, problems);
  const text = mapMarks(source, {
    output: (inner) => {
      const block = /^([#/])(\w+)\s*(.*)$/s.exec(inner);
      if (block) {
        const [, sign, name = "", rest = ""] = block;
        if (name !== "if" && name !== "unless") {
          problems.push(`{{${sign}${name}}} has no counterpart: variables are texts, not lists or objects`);
          return "";
        }
        return sign === "/" ? `{% end${name} %}` : `{% ${name} ${rename(rest)} %}`;
      }
      if (inner === "else") return "{% else %}";
      if (inner.startsWith(">") || inner.startsWith("{") || inner.startsWith("!")) {
        if (!inner.startsWith("!")) problems.push(`{{${inner.slice(0, 20)}}} has no counterpart`);
        return "";
      }
      // {{helper a b}}: Liquid has filters for that.
      if (/^[A-Za-z_][\w.]*\s+[^|\s]/.test(inner)) {
        problems.push(`the helper {{${inner.slice(0, 40)}}} has no counterpart`);
        return "";
      }
      return `{{ ${rename(inner)} }}`;
    },
    tag: (inner) => {
      const [, name = "", rest = ""] = /^(\w+)\s*(.*)$/s.exec(inner) ?? [];
      if (kept.has(name)) return `{% ${inner} %}`;
      if (conditions.has(name)) return `{% ${name} ${rename(rest)} %}`;
      problems.push(`{% ${name} %} has no counterpart: variables are texts, not lists or objects`);
      return "";
    },
  });
  return { text, variables, problems: [...new Set(problems)] };
}

/** Twilio's numbers and names in braces. */
export function fromTwilio(source: string): MappedText {
  const variables = new Map<string, string>();
  const problems: string[] = [];
  const text = mapMarks(source, {
    output: (inner) => {
      const name = /^\d{1,3}$/.test(inner) ? `value${inner}` : inner;
      if (!isVariableName(name)) {
        problems.push(`{{${inner.slice(0, 40)}}} is no placeholder`);
        return "";
      }
      variables.set(name, inner);
      return `{{ ${name} }}`;
    },
    // Twilio has no tags; to us it would be one.
    tag: () => {
      problems.push("{% has a meaning in Liquid, and none at Twilio");
      return "";
    },
  });
  return { text, variables, problems: [...new Set(problems)] };
}

/** Replaces what stands in {{ }} and {% %}, once from left to right. */
function mapMarks(
  source: string,
  map: { output(inner: string): string; tag(inner: string): string },
): string {
  let result = "";
  let at = 0;
  while (at < source.length) {
    const output = source.indexOf("{{", at);
    const tag = source.indexOf("{%", at);
    const open = output < 0 ? tag : tag < 0 ? output : Math.min(output, tag);
    if (open < 0) break;
    const isOutput = open === output;
    const close = source.indexOf(isOutput ? "}}" : "%}", open + 2);
    if (close < 0) break;
    const inner = source.slice(open + 2, close).trim();
    result += source.slice(at, open) + (isOutput ? map.output(inner) : map.tag(trimDashes(inner)));
    at = close + 2;
    // The end of Handlebars' {{{raw}}}.
    if (isOutput && inner.startsWith("{") && source[at] === "}") at++;
  }
  return result + source.slice(at);
}

const trimDashes = (inner: string) => inner.replace(/^-\s*/, "").replace(/\s*-$/, "");

/** An expression with its paths as plain names; filters and quoted texts stay. */
function renamed(expression: string, variables: Map<string, string>, problems: string[]): string {
  let afterPipe = false;
  return expression.replaceAll(/"[^"]*"|'[^']*'|[A-Za-z_][\w-]*(?:\.[\w-]+)*|\|/g, (token) => {
    if (token === "|") {
      afterPipe = true;
      return token;
    }
    if (token.startsWith('"') || token.startsWith("'") || keywords.has(token)) return token;
    if (afterPipe && !token.includes(".")) {
      afterPipe = false;
      return token;
    }
    afterPipe = false;
    const name = variableOf(token);
    if (name === null) {
      problems.push(`{{${token}}} has no counterpart`);
      return token;
    }
    variables.set(name, token);
    return name;
  });
}
