/** Direction marks of Unicode in values: a name that turns the text behind it around turns only itself. */

const marks = /[\u202a-\u202e\u2066-\u2069]/;
/** What each mark that opens is closed by. */
const closers: Record<string, string> = {
  "\u202a": "\u202c",
  "\u202b": "\u202c",
  "\u202d": "\u202c",
  "\u202e": "\u202c",
  "\u2066": "\u2069",
  "\u2067": "\u2069",
  "\u2068": "\u2069",
};

/** The text with what it opens closed at its end, and without what would close something around it. */
export function closeDirections(text: string): string {
  if (!marks.test(text)) return text;
  const open: string[] = [];
  let closed = "";
  for (const char of text) {
    const closer = closers[char];
    if (closer !== undefined) open.push(closer);
    else if (marks.test(char)) {
      const at = open.lastIndexOf(char);
      // An isolate ends what was opened in it as well; anything else ends only the last one.
      if (at < 0 || (char === "\u202c" && at < open.length - 1)) continue;
      open.length = at;
    }
    closed += char;
  }
  return closed + open.reverse().join("");
}
