/**
 * A text without trailing `characters`. Not by a regular expression: `/x+$/` starts over at every x that is not the
 * last, and takes quadratic time.
 */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
