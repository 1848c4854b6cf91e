import { exampleValues } from "./variables.ts";
import type { VariableDeclaration } from "./variables.ts";

type Values = Record<string, string>;

/** The longest value of a request, in characters. */
const longestValue = 4_096;
/** Characters that make texts long, lists long and escaping slow. */
const fillings = ["a", "<", "a ", "1,"];
/** Loop counts: a few, many, and more than there is room for. */
const numbers = ["10000", "1000000", "9".repeat(24)];

/**
 * The values that a template is tried with before it is saved: the examples, with and without the optional variables;
 * and the longest values that a request may contain, of several kinds.
 */
export function trialValues(declarations: readonly VariableDeclaration[]): {
  usual: Values[];
  longest: Values[];
} {
  const all = exampleValues(declarations);
  const required = Object.fromEntries(
    declarations.filter((variable) => variable.required).map(({ name }) => [name, all[name] ?? ""]),
  );
  const isNumber = ({ type }: VariableDeclaration) => type === "number";
  const isText = ({ type }: VariableDeclaration) => type === "string" || type === "url" || type === "enum";
  const rounds = Math.max(
    declarations.some(isText) ? fillings.length : 0,
    declarations.some(isNumber) ? numbers.length : 0,
    1,
  );
  const longest = Array.from({ length: rounds }, (_, round) =>
    Object.fromEntries(
      declarations.map((variable) => [variable.name, longestOf(variable, round) ?? all[variable.name] ?? ""]),
    ),
  );
  return { usual: [all, required], longest };
}

function longestOf({ type, maxLength, values }: VariableDeclaration, round: number): string | undefined {
  const length = Math.min(maxLength ?? longestValue, longestValue);
  switch (type) {
    case "string":
      return (fillings[round % fillings.length] ?? "").repeat(length).slice(0, length);
    case "number":
      return numbers[round % numbers.length];
    case "url":
      return `https://example.com/${"a".repeat(length)}`.slice(0, Math.max(length, 20));
    case "enum":
      return values?.reduce((long, value) => (value.length > long.length ? value : long), "");
    case "date":
      return undefined;
  }
}
