/**
 * A text without those of `characters` that stand at its end. Not by a regular expression: `/x+$/` begins anew at every x
 * that is not the last, and takes the square of the time.
 */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
