/** Readers of the settings that are texts for people: lines and lists. */

/** The lines of a setting as name and value; null when one is neither empty nor a pair, or a name comes twice. */
export function parseLines(text: string, separator: ":" | "="): Map<string, string> | null {
  const pairs = new Map<string, string>();
  for (const row of text.split("\n")) {
    if (row.trim() === "") continue;
    const at = row.indexOf(separator);
    if (at < 1) return null;
    const name = row.slice(0, at).trim();
    const value = row.slice(at + 1).trim();
    if (name === "" || value === "" || pairs.has(name)) return null;
    if (separator === ":" ? !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) : /[\p{Cc}]/u.test(name + value))
      return null;
    pairs.set(name, value);
  }
  return pairs;
}

/** "200-299, 302" as ranges; null for a text that is no such list. */
export function parseStatuses(text: string): [number, number][] | null {
  const ranges: [number, number][] = [];
  for (const part of text.split(",")) {
    const match = /^\s*([1-5]\d\d)\s*(?:-\s*([1-5]\d\d)\s*)?$/.exec(part);
    if (!match) return null;
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (to < from) return null;
    ranges.push([from, to]);
  }
  return ranges;
}

export function holdsStatus(list: string, status: number): boolean {
  return parseStatuses(list)?.some(([from, to]) => status >= from && status <= to) ?? false;
}
