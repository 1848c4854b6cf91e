/** Words and phrases that mean something together, found in the words of a text. */
import type { Word } from "./text-words.ts";

interface Phrase {
  words: string[];
  language: string;
  bits: number;
}

const longestPrefix = 20;

/**
 * Looks up words by language and kind. Entries are folded as fold() does and divided by commas; a `*` stands for any
 * ending, and what has spaces is a phrase.
 */
export class LexiconIndex<Language extends string, Kind extends string> {
  private readonly kinds: readonly Kind[];
  private readonly exact = new Map<string, [Language, number][]>();
  private readonly prefix = new Map<string, [Language, number][]>();
  private readonly phrases = new Map<string, Phrase[]>();

  constructor(lexicons: Readonly<Record<Language, Readonly<Record<Kind, string>>>>) {
    const languages = Object.keys(lexicons) as Language[];
    this.kinds = [...new Set(languages.flatMap((language) => Object.keys(lexicons[language]) as Kind[]))];
    for (const language of languages) {
      for (const kind of this.kinds) {
        for (const entry of lexicons[language][kind].split(",")) this.add(language, this.bit(kind), entry);
      }
    }
  }

  private add(language: Language, bits: number, entry: string): void {
    const words = entry.trim().split(/\s+/).filter(Boolean);
    const first = words[0] ?? "";
    if (first === "") return;
    const name = first.replace("*", "");
    if (words.length > 1) {
      this.phrases.set(name, [...(this.phrases.get(name) ?? []), { words, language, bits }]);
      return;
    }
    const into = first.endsWith("*") ? this.prefix : this.exact;
    into.set(name, [...(into.get(name) ?? []), [language, bits]]);
  }

  bit(kind: Kind): number {
    return 1 << this.kinds.indexOf(kind);
  }

  /**
   * What each word means, by language: bits of the kinds. A phrase is what it says as a whole: its words lose what `cleared`
   * names, such as a negation that is part of it.
   */
  marks(words: readonly Word[], cleared: number): Map<Language, number[]> {
    const marks = new Map<Language, number[]>();
    const of = (language: Language) => {
      let own = marks.get(language);
      if (!own) marks.set(language, (own = new Array<number>(words.length).fill(0)));
      return own;
    };
    const mark = (language: Language, at: number, bits: number) => {
      const own = of(language);
      own[at] = (own[at] ?? 0) | bits;
    };
    for (const [at, { folded }] of words.entries()) {
      for (const [language, bits] of this.exact.get(folded) ?? []) mark(language, at, bits);
      for (let length = Math.min(folded.length, longestPrefix); length >= 2; length--) {
        for (const [language, bits] of this.prefix.get(folded.slice(0, length)) ?? [])
          mark(language, at, bits);
      }
    }
    for (const [at, { folded }] of words.entries()) {
      for (const { words: phrase, language, bits } of this.phrases.get(folded) ?? []) {
        if (!phraseAt(words, at, phrase)) continue;
        const own = of(language as Language);
        for (let i = at; i < at + phrase.length; i++) own[i] = ((own[i] ?? 0) & ~cleared) | bits;
      }
    }
    return marks;
  }
}

/** The last word of a phrase that begins at `at`; null when another one stands there. */
export function phraseAt(words: readonly Word[], at: number, phrase: readonly string[]): Word | null {
  for (const [offset, part] of phrase.entries()) {
    const word = words[at + offset];
    if (!word) return null;
    const fits = part.endsWith("*") ? word.folded.startsWith(part.slice(0, -1)) : word.folded === part;
    if (!fits) return null;
  }
  return words[at + phrase.length - 1] ?? null;
}

/** Nobody says more in one sentence. */
const longestSentence = 60;

/** The sentences of a text: their words, and what stands behind each. */
export function* sentencesOf(
  text: string,
  words: readonly Word[],
): Generator<{ words: Word[]; quoted: boolean }> {
  let from = 0;
  for (let at = 1; at <= words.length; at++) {
    const between = text.slice(words[at - 1]?.end ?? 0, words[at]?.start ?? text.length);
    const ends =
      at === words.length ||
      /[!?\n;:]|\.(?:\s|$)/.test(between.slice(0, 200)) ||
      at - from >= longestSentence;
    if (!ends) continue;
    const own = words.slice(from, at);
    from = at;
    const first = own[0];
    const last = own.at(-1);
    if (!first || !last) continue;
    const around = text.slice(Math.max(0, first.start - 2), last.end + 2);
    yield { words: own, quoted: /["“”„«»]/.test(around) };
  }
}
