/** A template's variable declarations, and the check of a request's values against them. Safe in the browser. */

export const variableTypes = ["string", "number", "date", "url", "enum"] as const;
export type VariableType = (typeof variableTypes)[number];

export interface VariableDeclaration {
  name: string;
  type: VariableType;
  required: boolean;
  /** Used by previews and by the trial render of every save. */
  example?: string | undefined;
  /** In characters (Unicode code points). */
  maxLength?: number | undefined;
  /** The allowed values of an enum. */
  values?: string[] | undefined;
}

export interface VariableProblem {
  name: string;
  code: "missing_variable" | "invalid_variable";
  /** Names the variable, never its value. */
  detail: string;
}

/** Names with a meaning in Liquid or JavaScript. */
const reservedNames = new Set(
  "true false nil null undefined empty blank and or not contains in forloop continue constructor prototype toString valueOf hasOwnProperty".split(
    " ",
  ),
);

export const variableNamePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

export function isVariableName(name: string): boolean {
  return variableNamePattern.test(name) && !reservedNames.has(name);
}

const numberPattern = /^-?\d{1,24}(\.\d{1,12})?$/;
// Zone optional: a time without one is UTC.
const datePattern = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A date or date-time of ISO 8601 as an instant; null for anything else. A time without zone is UTC, a date alone is
 * its midnight in UTC.
 */
export function parseDate(text: string): Date | null {
  if (!datePattern.test(text)) return null;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) || text.length === 10;
  const date = new Date(zoned ? text : `${text}Z`);
  if (Number.isNaN(date.getTime())) return null;
  // JavaScript turns 31 February into a day in March.
  const day = Number(text.slice(8, 10));
  const monthDays = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return day <= monthDays ? date : null;
}

/** Whether a text is an absolute http or https address that can stand in an attribute or a message as it is. */
export function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s"'<>\\`\p{Cc}]+$/iu.test(text)) return false;
  return URL.canParse(text);
}

/** What is wrong with a value of a declared variable; null when nothing is. */
export function valueProblem(declaration: VariableDeclaration, value: string): string | null {
  const { name, maxLength } = declaration;
  if (maxLength !== undefined && value.length > maxLength && Array.from(value).length > maxLength) {
    return `"${name}" is longer than ${String(maxLength)} characters.`;
  }
  switch (declaration.type) {
    case "string":
      return null;
    case "number":
      return numberPattern.test(value)
        ? null
        : `"${name}" must be a decimal number with a point, like 12.50.`;
    case "date":
      return parseDate(value)
        ? null
        : `"${name}" must be a date or time of ISO 8601, like 2027-01-31T08:00:00Z.`;
    case "url":
      return isWebUrl(value) ? null : `"${name}" must be an http or https address.`;
    case "enum":
      return declaration.values?.includes(value)
        ? null
        : `"${name}" must be one of: ${(declaration.values ?? []).join(", ")}.`;
  }
}

/**
 * All problems of `values` for a template, in the order of its declarations. Undeclared values are not a problem:
 * several channels share one map. An optional variable may be an empty text whatever its type.
 */
export function checkVariables(
  declarations: readonly VariableDeclaration[],
  values: Readonly<Record<string, string>>,
): VariableProblem[] {
  const problems: VariableProblem[] = [];
  for (const declaration of declarations) {
    const { name, required } = declaration;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      if (required) {
        problems.push({
          name,
          code: "missing_variable",
          detail: `The template needs the variable "${name}".`,
        });
      }
      continue;
    }
    if (value === "" && !required) continue;
    const detail = valueProblem(declaration, value);
    if (detail !== null) problems.push({ name, code: "invalid_variable", detail });
  }
  return problems;
}

/** How many variables a sentence names. */
const maxNamed = 50;
/** How many wrong values a sentence tells of: what an enum may be is long. */
const maxWrong = 5;

/** All that is wrong with the values of a message in one reason; `problems` has at least one. */
export function summarizeProblems(problems: readonly VariableProblem[]): Omit<VariableProblem, "name"> {
  const [first] = problems;
  const missing = problems.filter(({ code }) => code === "missing_variable");
  const wrong = problems.filter(({ code }) => code === "invalid_variable");
  const sentences = wrong.slice(0, maxWrong).map(({ detail }) => detail);
  if (missing.length === 1) sentences.unshift(missing[0]?.detail ?? "");
  else if (missing.length > 1) {
    const names = missing.slice(0, maxNamed).map(({ name }) => `"${name}"`);
    const last = missing.length > maxNamed ? `${String(missing.length - maxNamed)} more` : names.pop();
    sentences.unshift(`The template needs the variables ${names.join(", ")} and ${last ?? ""}.`);
  }
  if (wrong.length > maxWrong) sentences.push(`${String(wrong.length - maxWrong)} more do not fit.`);
  return { code: first?.code ?? "missing_variable", detail: sentences.join(" ") };
}

/** The examples of a template's variables, as values to render a preview with. */
export function exampleValues(declarations: readonly VariableDeclaration[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const declaration of declarations)
    values[declaration.name] = declaration.example ?? standIn(declaration);
  return values;
}

function standIn(declaration: VariableDeclaration): string {
  switch (declaration.type) {
    case "string":
      return declaration.name.slice(0, declaration.maxLength ?? declaration.name.length);
    case "number":
      return "1";
    case "date":
      return "2027-01-31T08:00:00Z";
    case "url":
      return "https://example.com/";
    case "enum":
      return declaration.values?.[0] ?? "";
  }
}
