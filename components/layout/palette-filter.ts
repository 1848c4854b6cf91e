const words = /[\p{L}\p{M}\p{N}]+/gu;
const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/**
 * How well an entry of ⌘K matches what was typed, 0 for not at all: each word typed has to begin a word of it. Its name, the first of
 * its keywords, counts more than the others.
 */
export function paletteScore(_: string, typed: string, keywords: string[] = []): number {
  const wanted = plain(typed).match(words);
  if (!wanted) return typed.trim() === "" ? 1 : 0;
  const [name = "", ...more] = keywords.map(plain);
  const begins = (text: string) => {
    const there = text.match(words) ?? [];
    return wanted.every((word) => there.some((each) => each.startsWith(word)));
  };
  if (name.startsWith(plain(typed).trim())) return 1;
  if (begins(name)) return 0.8;
  return begins([name, ...more].join(" ")) ? 0.4 : 0;
}
