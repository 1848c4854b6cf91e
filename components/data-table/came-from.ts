/** Where the pages of lists that this tab has seen were reached from, so that there is a way back to them. */

const key = "tidings:pages";
/** The oldest are forgotten first. */
const most = 200;

function stored(): [cursor: string, from: string | null][] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(value) ? (value as [string, string | null][]) : [];
  } catch {
    return [];
  }
}

/** The cursor of the page before the one at `cursor`, null being the first; undefined when this tab has not been there. */
export function cameFrom(cursor: string): string | null | undefined {
  return stored().find(([at]) => at === cursor)?.[1];
}

/** Notes that the page at `cursor` follows the one at `from`. */
export function rememberCameFrom(cursor: string, from: string | null): void {
  const others = stored().filter(([at]) => at !== cursor);
  try {
    sessionStorage.setItem(key, JSON.stringify([...others, [cursor, from]].slice(-most)));
  } catch {
    // Without storage the way back is the browser's.
  }
}
