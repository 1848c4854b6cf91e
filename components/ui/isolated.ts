/** Letters that are written from right to left, with their marks and digits: Hebrew, Arabic and the scripts beside them. */
const letters = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const any = new RegExp(`[${letters}]`, "u");
const all = new RegExp(`[${letters}]`, "gu");
/** What is kept apart already, what is quoted, or words from right to left with what is between them. */
const names = new RegExp(
  `\u2068[^\u2069]*\u2069|“([^“”]*)”|[${letters}](?:[^\\p{L}“”${letters}]*[${letters}])*`,
  "gu",
);
const isolate = (text: string) => `\u2068${text}\u2069`;

/**
 * A name that is such a text, or a part of it without quotes: it runs by its own first letter, also with words of both directions in it.
 */
export const named = (name: string): string => (any.test(name) ? isolate(name) : name);

/**
 * A sentence of ours with names in it: those that are written from right to left stay among themselves and do not change the order of
 * the words and numbers around them. For texts that are drawn as they are, as titles and toasts; elsewhere a name is a `<bdi>`.
 */
export function isolated<T>(sentence: T): T | string {
  if (typeof sentence !== "string" || !any.test(sentence)) return sentence;
  // Nothing but a name.
  if (!sentence.includes("\u2068") && !/\p{L}/u.test(sentence.replaceAll(all, ""))) return isolate(sentence);
  return sentence.replaceAll(names, (found, quoted?: string) => {
    if (found.startsWith("\u2068")) return found;
    if (quoted === undefined) return isolate(found);
    return any.test(quoted) ? `“${isolate(quoted)}”` : found;
  });
}
