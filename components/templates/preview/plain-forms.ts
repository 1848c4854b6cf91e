/** Liquid's tags and outputs: quotes inside them are part of the program, not of the message. */
const liquid = /(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\})/;

/** A body with characters put in plain forms, everywhere but inside Liquid. */
export function withPlainForms(body: string, plainForms: Readonly<Record<string, string>>): string {
  return body
    .split(liquid)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : Object.entries(plainForms).reduce((text, [char, plain]) => text.replaceAll(char, plain), part),
    )
    .join("");
}

/** The characters that stand in the text itself; others come out of a value or a filter. */
export function writtenIn(body: string, characters: readonly string[]): string[] {
  const own = body
    .split(liquid)
    .filter((_, index) => index % 2 === 0)
    .join("");
  return characters.filter((char) => own.includes(char));
}

/** "“" → "“", but what cannot be seen by its Unicode number. */
export function characterName(char: string): string {
  return /^[\s\p{C}\p{M}]+$/u.test(char)
    ? `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
    : char;
}
