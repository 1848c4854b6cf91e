/** Whether a message from a recipient says no, yes or help. Pure; linear in the text, of which a bounded part is read. */
import { fold, maxRead, sentencesOf } from "./fold.ts";
import { everywhere, lexicons, notTypos, wordLanguages } from "./words.ts";
import type { Lexicon, WordLanguage } from "./words.ts";

export type Meaning = "stop" | "start" | "help" | "unclear" | "none";

export interface Recognised {
  meaning: Meaning;
  /** As it is in our list; null: none. */
  word: string | null;
  /** Of the list that it is in; null for a word of the organisation's own. */
  language: WordLanguage | null;
  /** The recipient asks for everything to stop. */
  all: boolean;
}

/** Whether a word is understood in every language, such as STOP, so that it does not tell which one its sender speaks. */
export function isUniversal(word: string | null): boolean {
  return word !== null && universal.has(phraseOf(word));
}

/** Words of an organisation's own, in addition. */
export interface OwnWords {
  stop: readonly string[];
  start: readonly string[];
  help: readonly string[];
}

type Kind = keyof Lexicon;
interface Entry {
  kind: Kind;
  word: string;
}
interface Compiled {
  language: WordLanguage | null;
  /** Phrases by their words, with one space between. */
  entries: ReadonlyMap<string, Entry>;
  /** How many words the longest phrase has that begins with this one. */
  heads: ReadonlyMap<string, number>;
  /** Single words that are also recognised with one letter wrong. */
  long: readonly string[];
}

/** Shorter words are too close to others. */
const minTypoLength = 6;
/** The most words of a message in which a wrong letter is looked for. */
const maxTypoWords = 6;
const kinds: readonly Kind[] = [
  // The later ones win where a word is in two.
  "filler",
  "hedge",
  "negation",
  "help",
  "start",
  "whole",
  "sentence",
  "clear",
  "benign",
];
const nothing: Recognised = { meaning: "none", word: null, language: null, all: false };
const wordsOf = (list: string): string[] => list.split(",").map((word) => word.trim());
const phraseOf = (word: string): string => sentencesOf(word).flat().join(" ");
const apart = new Set(wordsOf(notTypos).map(phraseOf));
/** With one of these a no is meant for everything. */
const everything = new Set(["stopall", "stop all", "cancel all", "end all", "quit all"].map(phraseOf));

function compile(language: WordLanguage | null, lists: Partial<Record<Kind, readonly string[]>>): Compiled {
  const entries = new Map<string, Entry>();
  const heads = new Map<string, number>();
  for (const kind of kinds) {
    for (const word of lists[kind] ?? []) {
      const phrase = phraseOf(word);
      if (phrase === "") continue;
      entries.set(phrase, { kind, word });
      const words = phrase.split(" ");
      heads.set(words[0] ?? "", Math.max(words.length, heads.get(words[0] ?? "") ?? 0));
    }
  }
  const long = [...entries]
    .filter(
      ([phrase, { kind }]) => signal.has(kind) && phrase.length >= minTypoLength && !phrase.includes(" "),
    )
    .map(([phrase]) => phrase);
  return { language, entries, heads, long };
}

const universal = new Set(Object.values(everywhere).flatMap(wordsOf).map(phraseOf));

const signal: ReadonlySet<Kind | "other"> = new Set<Kind | "other">([
  "clear",
  "sentence",
  "whole",
  "start",
  "help",
]);
const refusal: ReadonlySet<Kind> = new Set<Kind>(["clear", "sentence", "whole"]);

const compiled: readonly Compiled[] = wordLanguages.map((language) => {
  const lexicon = lexicons[language];
  const lists: Partial<Record<Kind, readonly string[]>> = {};
  for (const kind of kinds) {
    const shared = kind in everywhere ? wordsOf(everywhere[kind as keyof typeof everywhere]) : [];
    lists[kind] = [...shared, ...wordsOf(lexicon[kind])];
  }
  return compile(language, lists);
});

/**
 * Reads a message. A whole message, or a sentence of its own, that is nothing but a word of ours and politeness means what the word
 * says; some phrases do so wherever they stand. What holds one and could mean something else is `unclear`.
 * @param own words of the organisation's own: they count as a whole message, and go first
 */
export function recognise(text: string, own?: OwnWords): Recognised {
  const read = text.slice(0, maxRead);
  const sentences = sentencesOf(read);
  if (sentences.length === 0) return nothing;
  const ours = own && text.length <= maxRead && ownPhrases(own).get(sentences.flat().join(" "));
  if (ours) return { ...ours, language: null, all: false };
  const asks = /[?؟]/u.test(fold(read));
  const cut = text.length > maxRead;
  const readings = compiled.map((language) => readIn(language, sentences, { asks, cut }));
  const best = (found: Reading["found"]) =>
    readings
      .filter((reading) => reading.found === found)
      .reduce<Reading | null>(
        (most, each) => (most && most.understood >= each.understood ? most : each),
        null,
      );
  const stop = best("stop");
  if (stop) return answer("stop", stop);
  if (best("opposite")) return nothing;
  for (const meaning of ["unclear", "start", "help"] as const) {
    const reading = best(meaning);
    if (reading) return answer(meaning, reading);
  }
  return nothing;
}

type OwnPhrases = ReadonlyMap<string, { meaning: "stop" | "start" | "help"; word: string }>;
const folded = new WeakMap<OwnWords, OwnPhrases>();

/** Folded once for each object that holds them. */
function ownPhrases(own: OwnWords): OwnPhrases {
  const known = folded.get(own);
  if (known) return known;
  const phrases = new Map(
    // A no goes before what is folded to the same.
    (["help", "start", "stop"] as const).flatMap((meaning) =>
      own[meaning].map((word) => [phraseOf(word), { meaning, word }] as const),
    ),
  );
  folded.set(own, phrases);
  return phrases;
}

const answer = (meaning: Meaning, { entry, language }: Reading): Recognised => ({
  meaning,
  word: entry?.word ?? null,
  language,
  all: meaning === "stop" && entry !== null && everything.has(phraseOf(entry.word)),
});

interface Reading {
  /** `opposite`: holds a word of ours that says something else here. */
  found: "stop" | "start" | "help" | "unclear" | "opposite" | "none";
  entry: Entry | null;
  language: WordLanguage | null;
  /** How many words this language explains. */
  understood: number;
}

interface Piece {
  kind: Kind | "other";
  entry: Entry | null;
  size: number;
}

function readIn(
  lexicon: Compiled,
  sentences: readonly string[][],
  { asks, cut }: { asks: boolean; cut: boolean },
): Reading {
  const { language } = lexicon;
  const few = sentences.reduce((sum, words) => sum + words.length, 0) <= maxTypoWords;
  const parts = sentences.map((words) => piecesOf(words, lexicon));
  const mended = few && !parts.flat().some(({ kind }) => signal.has(kind) || kind === "benign");
  const read = mended
    ? sentences.map((words) =>
        piecesOf(
          words.map((word) => mend(word, lexicon)),
          lexicon,
        ),
      )
    : parts;
  const pieces = read.flat();
  const understood = pieces.reduce((sum, piece) => sum + (piece.kind === "other" ? 0 : piece.size), 0);
  const result = (found: Reading["found"], entry: Entry | null): Reading => ({
    found,
    entry,
    language,
    understood,
  });
  const said = (set: ReadonlySet<Kind>) =>
    pieces.find(({ kind }) => kind !== "other" && set.has(kind))?.entry ?? null;
  const pure = (some: readonly Piece[]) =>
    some.every(({ kind }) => kind === "filler" || (kind !== "other" && signal.has(kind)));

  const no = said(refusal);
  const yes = said(new Set<Kind>(["start"]));
  if (!cut && pure(pieces)) {
    if (no && yes) return result("unclear", no);
    if (no) return result(asks ? "unclear" : "stop", no);
    if (yes) return result("start", yes);
    const help = said(new Set<Kind>(["help"]));
    if (help) return result("help", help);
    return result("none", null);
  }
  // A letter was mended: only as a whole message.
  if (mended) return result("none", null);
  if (!no) return result(pieces.some(({ kind }) => kind === "benign") ? "opposite" : "none", null);

  let unclear: Entry | null = null;
  let opposite = false;
  const hedged = asks || pieces.some(({ kind }) => kind === "hedge");
  for (const part of read) {
    const own = pure(part) && part.some(({ kind }) => kind === "clear" || kind === "sentence");
    for (const [index, { kind, entry }] of part.entries()) {
      if (kind !== "clear" && kind !== "sentence") continue;
      const before = part.slice(Math.max(0, index - 2), index);
      const after = part[index + 1];
      if ([...before, ...(after ? [after] : [])].some((piece) => piece.kind === "negation")) opposite = true;
      else if ((kind === "clear" || own) && !hedged) return result("stop", entry);
      else unclear ??= entry;
    }
  }
  if (unclear) return result("unclear", unclear);
  return result(opposite || pieces.some(({ kind }) => kind === "benign") ? "opposite" : "none", null);
}

/** Words as the longest phrases that the list has. */
function piecesOf(words: readonly string[], { entries, heads }: Compiled): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < words.length;) {
    let piece: Piece = { kind: "other", entry: null, size: 1 };
    for (let size = Math.min(heads.get(words[at] ?? "") ?? 0, words.length - at); size >= 1; size--) {
      const entry = entries.get(words.slice(at, at + size).join(" "));
      if (entry) {
        piece = { kind: entry.kind, entry, size };
        break;
      }
    }
    pieces.push(piece);
    at += piece.size;
  }
  return pieces;
}

/** The word of ours that this is with one letter wrong, or itself. */
function mend(word: string, { entries, long }: Compiled): string {
  if (word.length < minTypoLength - 1 || word.length > 20 || entries.has(word) || apart.has(word))
    return word;
  return long.find((ours) => ours.startsWith(word.charAt(0)) && oneApart(ours, word)) ?? word;
}

/** One letter more, less, another or two swapped. */
function oneApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left === right.charAt(1) + right.charAt(0);
}
