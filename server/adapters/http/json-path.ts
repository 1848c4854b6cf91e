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
