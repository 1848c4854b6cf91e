/**
 * JSON as its strictest readers take it: a member that is named twice is an error, which JSON.parse lets pass.
 * Throws with the name of the member, or with JSON.parse's own error.
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  let at = 0;
  const skip = () => {
    while (" \t\n\r,:".includes(text[at] ?? "x")) at++;
  };
  const readString = (): string => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at++;
    return JSON.parse(text.slice(start, at)) as string;
  };
  const read = (): void => {
    skip();
    if (text[at] === '"') {
      readString();
    } else if (text[at] === "{") {
      const names = new Set<string>();
      at++;
      skip();
      while (text[at] !== "}") {
        const name = readString();
        if (names.has(name)) throw new Error(`"${name}" is there twice: ${text}`);
        names.add(name);
        read();
        skip();
      }
      at++;
    } else if (text[at] === "[") {
      at++;
      skip();
      while (text[at] !== "]") {
        read();
        skip();
      }
      at++;
    } else {
      while (!",]}".includes(text[at] ?? "}")) at++;
    }
  };
  read();
  return value;
}
