/** One value that differs: where it stands, and what it was and is. Undefined: it was not, or is not, there. */
export type Difference = { path: string; before: string | undefined; after: string | undefined };

type Leaves = Map<string, string>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  if (value === null) return "none";
  if (value === true) return "yes";
  if (value === false) return "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function collect(value: unknown, path: string, leaves: Leaves): void {
  if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      collect(member, path === "" ? name : `${path}.${name}`, leaves);
    }
    return;
  }
  if (Array.isArray(value)) {
    if (value.every((member) => typeof member !== "object" || member === null)) {
      leaves.set(path, value.length === 0 ? "none" : value.map(text).join(", "));
      return;
    }
    for (const [index, member] of value.entries()) collect(member, `${path}[${index + 1}]`, leaves);
    return;
  }
  leaves.set(path, text(value));
}

/** What differs between two values of JSON, one line for each of their members that hold no others. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const was: Leaves = new Map<string, string>();
  const is: Leaves = new Map<string, string>();
  if (before !== undefined && before !== null) collect(before, "", was);
  if (after !== undefined && after !== null) collect(after, "", is);
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((each) => each.before !== each.after);
}
