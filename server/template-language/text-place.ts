/** Line and column (from 1) of a position in a text. */
export function placeAt(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let begin = 0;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", begin)) {
    line++;
    begin = next + 1;
  }
  return { line, column: at - begin + 1 };
}
