/**
 * The one edit that makes `after` of `before`, in UTF-16 code units: what both begin and end with stays, so that cursor
 * and scroll position do.
 */
export function differenceOf(before: string, after: string): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail++;
  // Never between the halves of a character, nor of a line break.
  while (start > 0 && (splits(before, start) || splits(after, start))) start--;
  while (tail > 0 && (splits(before, before.length - tail) || splits(after, after.length - tail))) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function splits(text: string, at: number): boolean {
  return /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)$/.test(text.slice(at - 1, at + 1));
}
