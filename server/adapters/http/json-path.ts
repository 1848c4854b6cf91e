/**
 * A part of JSONPath (RFC 9535): an optional `$`, then names and indexes, such as `$.data.messages[0]['message-id']`. No
 * wildcards, filters or slices: a path names one value.
 */

/** The path's steps; null for a text that is no such path. */
export function parseJsonPath(path: string): (string | number)[] | null {
  const steps: (string | number)[] = [];
  const text = path.startsWith("$") ? path.slice(1) : /^[.[]/.test(path) ? path : `.${path}`;
  const step =
    /\.([A-Za-z_\u0080-\uffff-][\w\u0080-\uffff-]*)|\[(\d{1,6})\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/y;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (!match) return null;
    const [, name, index, single, double] = match;
    steps.push(index === undefined ? (name ?? single ?? double ?? "") : Number(index));
  }
  return steps;
}

/** Digits that a double holds whatever they are. */
const exactDigits = 15;

/**
 * JSON from outside, as JSON.parse reads it, but a number with more digits than a double holds becomes a text, digit for digit: ids of
 * 64 bits would be rounded, and two messages share one. Undefined for what is no JSON, or is nested too deeply.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, exactNumber) as unknown;
  } catch {
    return undefined;
  }
}

function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  const [digits = ""] = context.source.replace(/[-.]/g, "").split(/e/i, 1);
  return digits.replace(/^0+/, "").length > exactDigits ? context.source : value;
}

/** The value that a path names; undefined when there is none. */
export function readJsonPath(value: unknown, path: string): unknown {
  let found = value;
  for (const step of parseJsonPath(path) ?? []) {
    if (typeof found !== "object" || found === null) return undefined;
    if (typeof step === "number") found = Array.isArray(found) ? (found as unknown[])[step] : undefined;
    else if (Array.isArray(found) || !Object.hasOwn(found, step)) return undefined;
    else found = (found as Record<string, unknown>)[step];
  }
  return found;
}

/** The same as text: strings, numbers and booleans; undefined for anything else. */
export function readJsonText(value: unknown, path: string): string | undefined {
  const found = readJsonPath(value, path);
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean"
    ? String(found)
    : undefined;
}
