/** Recognises MJML before anything is parsed. Safe in the browser. */

/** What may stand before the first element: beginning, and what ends it. */
const preludes: readonly (readonly [begin: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<!", ">"],
  ["{%", "%}"],
];

/**
 * Where the root of an MJML text begins, in UTF-16 code units: its first element is `mjml` or an element of it, like
 * `mj-section`. Null for anything else. Comments, declarations and tags of Liquid may stand before it. Linear.
 */
export function mjmlRoot(body: string): { at: number; name: string } | null {
  let at = 0;
  for (;;) {
    while (at < body.length && /[\s\ufeff]/.test(body[at] ?? "")) at++;
    const prelude = preludes.find(([begin]) => body.startsWith(begin, at));
    if (!prelude) break;
    const end = body.indexOf(prelude[1], at + prelude[0].length);
    if (end < 0) return null;
    const comment = /^\{%-?\s*comment\b/.exec(body.slice(at, end));
    at = end + prelude[1].length;
    if (!comment) continue;
    const close = /\{%-?\s*endcomment\s*-?%\}/g;
    close.lastIndex = at;
    const closed = close.exec(body);
    if (!closed) return null;
    at = closed.index + closed[0].length;
  }
  const name = /^<(mjml|mj-[a-z-]{1,30})(?=[\s/>])/i.exec(body.slice(at, at + 40))?.[1];
  return name === undefined ? null : { at, name: name.toLowerCase() };
}
