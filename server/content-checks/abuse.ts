/**
 * Abuse without a service: vulgar words and slurs, insults and threats to the reader, and statements against groups of
 * people. Linear in the length of the text.
 */
import { lexicons } from "./abuse-lexicon.ts";
import type { Lexicon } from "./abuse-lexicon.ts";
import { abuseWords, accentsMatter, compounds, harmless, onlyAtHome } from "./abuse-words.ts";
import type { AbuseLanguage } from "./abuse-words.ts";
import type { Place } from "./checks.ts";
import { LexiconIndex, phraseAt, sentencesOf } from "./lexicon.ts";
import type { TextViews } from "./normalise.ts";
import { disguisedWords, fold } from "./text-words.ts";
import type { Disguised, Word } from "./text-words.ts";

interface Index {
  statements: LexiconIndex<AbuseLanguage, keyof Lexicon>;
  words: Map<string, Set<AbuseLanguage>>;
  wordPrefixes: Map<string, Set<AbuseLanguage>>;
  wordPhrases: Map<string, { words: string[]; languages: Set<AbuseLanguage> }[]>;
  /** Of the words of one language or more, those that count in any text. */
  anywhere: Set<string>;
  /** By length, first and last letter: for words with hidden letters. */
  outlines: Map<string, string[]>;
}

const longestPrefix = 20;
let built: Index | undefined;

function index(): Index {
  return (built ??= buildIndex());
}

function buildIndex(): Index {
  const all: Index = {
    statements: new LexiconIndex(lexicons),
    words: new Map(),
    wordPrefixes: new Map(),
    wordPhrases: new Map(),
    anywhere: new Set(),
    outlines: new Map(),
  };
  const home = new Set([...onlyAtHome].map((word) => fold(word.replace("*", ""))));
  for (const [word, { languages }] of abuseWords()) {
    const name = fold(word.replace("*", "")).replace(/['’]/g, "");
    const parts = name.split(/[\s-]+/).filter(Boolean);
    if (!home.has(name)) all.anywhere.add(name);
    const join = (into: Map<string, Set<AbuseLanguage>>) =>
      into.set(name, new Set([...(into.get(name) ?? []), ...languages]));
    if (parts.length > 1) {
      const [first = ""] = parts;
      all.wordPhrases.set(first, [...(all.wordPhrases.get(first) ?? []), { words: parts, languages }]);
    } else if (word.endsWith("*")) {
      join(all.wordPrefixes);
      join(all.words);
    } else join(all.words);
    if (parts.length === 1 && name.length >= 4) {
      const outline = outlineOf(name);
      all.outlines.set(outline, [...(all.outlines.get(outline) ?? []), name]);
    }
  }
  return all;
}

const outlineOf = (word: string) => `${String(word.length)}${word.charAt(0)}${word.charAt(word.length - 1)}`;

/** Whether a word counts in a text of this language; one of an unknown language may be any. */
function counts(name: string, languages: ReadonlySet<AbuseLanguage>, language: string | null): boolean {
  return index().anywhere.has(name) || languages.has(language as AbuseLanguage);
}

/** The list's word that a folded word is, with the endings that the languages give it; undefined for none. */
function abuseWord(folded: string, language: string | null): string | undefined {
  const { words, wordPrefixes } = index();
  const own = words.get(folded);
  if (own && counts(folded, own, language)) return folded;
  for (let length = Math.min(folded.length - 1, longestPrefix); length >= 3; length--) {
    const start = folded.slice(0, length);
    const prefix = wordPrefixes.get(start);
    if (prefix && counts(start, prefix, language)) return start;
    const rest = folded.length - length;
    if (length >= 5 && rest <= 2 && /^(?:e?n|e?s|e|er|in|y)$/.test(folded.slice(length))) {
      const stem = words.get(start);
      // An inflection is of a language: "sluts" with an ending of another is another word.
      if (stem && (language === null || stem.has(language as AbuseLanguage))) return start;
    }
  }
  return undefined;
}

const explanations = {
  word: "This word is abusive. People who get the message would feel insulted.",
  insult: "This insults the reader.",
  threat: "This threatens the reader.",
  group: "This is said against a group of people.",
} as const;

/** The abuse in a text, in no particular order. @param language of the text, e.g. "de" */
export function* abuseIn({ visible, words }: TextViews, language: string | null): Generator<Place> {
  const { text } = visible;
  const place = (start: number, end: number, why: keyof typeof explanations): Place => ({
    category: "abusive_language",
    severity: "block",
    explanation: explanations[why],
    ...visible.sourceOf(start, end),
  });
  const disguised = disguisedWords(text);
  for (const [start, end] of listedWords(text, words, disguised, language)) yield place(start, end, "word");
  for (const { start, end, why } of statements(text, undisguised(text, words, disguised)))
    yield place(start, end, why);
}

/** The words with those in disguise among them as what they read as, so that sentences can be made of them. */
function undisguised(text: string, words: readonly Word[], disguised: readonly Disguised[]): readonly Word[] {
  const read: Word[] = [];
  for (const { start, end, readings } of disguised) {
    const [folded = ""] = readings;
    const apart = /^.[^\p{L}\p{N}]/u.test(text.slice(start, end));
    const last = read.at(-1);
    if (folded.includes(".") || folded.length < (apart ? 2 : 4) || (last && last.end > start)) continue;
    read.push({ start, end, exact: folded, folded });
  }
  if (read.length === 0) return words;
  read.sort((a, b) => a.start - b.start);
  const all: Word[] = [];
  let next = 0;
  for (const word of words) {
    for (; (read[next]?.end ?? Infinity) <= word.start; next++) {
      const passed = read[next];
      if (passed && (all.at(-1)?.end ?? 0) <= passed.start) all.push(passed);
    }
    const hidden = read[next];
    if (hidden && hidden.start < word.end && word.start < hidden.end) continue;
    all.push(word);
  }
  for (const left of read.slice(next)) if ((all.at(-1)?.end ?? 0) <= left.start) all.push(left);
  return all;
}

function* listedWords(
  text: string,
  words: readonly Word[],
  disguised: readonly Disguised[],
  language: string | null,
): Generator<[number, number]> {
  const { wordPhrases, outlines } = index();
  for (const [at, word] of words.entries()) {
    const found = abuseWord(word.folded, language);
    if (found !== undefined) {
      // An address or the name of a file is not speech, and "who're" is not another word.
      const said = text.slice(word.start, word.end);
      const other =
        harmless.has(word.folded) ||
        /['’ʼ]/.test(said) ||
        isOtherWord(found, word.exact) ||
        isName(text, word, word.folded.length - found.length, language) ||
        compounds.get(word.folded)?.has(words[at + 1]?.folded ?? "") === true ||
        isDish(word, found);
      if (!other && !isInAddress(text, word)) yield [word.start, word.end];
      continue;
    }
    for (const phrase of wordPhrases.get(word.folded) ?? []) {
      const last = phraseAt(words, at, phrase.words);
      if (last && counts(phrase.words.join(" "), phrase.languages, language)) yield [word.start, last.end];
    }
  }
  for (const { start, end, readings } of disguised) {
    if (isInAddress(text, { start, end })) continue;
    const hit = readings.some((reading) => {
      if (!reading.includes(".")) {
        return reading.length >= 4 && !harmless.has(reading) && abuseWord(reading, language) !== undefined;
      }
      return (outlines.get(outlineOf(reading)) ?? []).some(
        (word) =>
          counts(word, index().words.get(word) ?? new Set(), language) &&
          Array.from(word).every((char, place) => reading[place] === "." || reading[place] === char),
      );
    });
    if (hit) yield [start, end];
  }
}

const accented = new Map([...accentsMatter].map((word) => [fold(word), word]));

/** Whether a word is only without its accents one of the list's, and means something else. */
function isOtherWord(found: string, exact: string): boolean {
  const written = accented.get(found);
  return written !== undefined && !exact.startsWith(written);
}

/** Titles before names, in the nine languages. */
const title =
  /(?<!\p{L})(?:dr|dra|dres|prof|professor|dott|dott\.?ssa|ing|avv|arch|mr|mrs|ms|miss|sir|herrn?|frau|fr|hr|familie|fam|sig|sig\.?ra|signora?|se[ñn]ora?|sra?|srta|don|do[ñn]a|mme|mlle|madame|monsieur|ma[iî]tre|me|dhr|mevr|mevrouw|mw|de heer|pana|panem|pani|pan[ią]|bay|bayan|say[ıi]n)\.?[ \u00a0]{1,2}(?:\p{Lu}\p{L}{0,20}\.?[ \u00a0]{1,2}){0,2}$/iu;
/** Endings that make names of short stems are longer than those that make other forms of them. */
const shortStem = 6;
const nameEnding = 3;

/**
 * Whether a word is a surname that merely begins like an abusive one: written as names are, with a long ending, behind a title
 * or inside a sentence; or half of a double name behind a title. The word by itself stays what it is, "Mr Asshole".
 */
function isName(text: string, { start, end }: Word, ending: number, language: string | null): boolean {
  const said = text.slice(start, end);
  if (!/^\p{Lu}\p{Ll}{1,40}$/u.test(said)) return false;
  const before = text.slice(Math.max(0, start - 64), start);
  const titled = title.test(before);
  const double = /^-\p{Lu}\p{Ll}/u.test(text.slice(end, end + 3)) || /\p{Ll}-$/u.test(before);
  // In German all nouns are large.
  const inside = /\p{L}[,]?[ \u00a0]$/u.test(before);
  if (double && (titled || (inside && language !== null && language !== "de"))) return true;
  if (said.length - ending > shortStem || ending < nameEnding) return false;
  if (titled)
    return ending > nameEnding || !/^(?:one|ona|oni|ata|ate|ard|ing|ers?)$/.test(fold(said).slice(-ending));
  return ending > nameEnding && inside;
}

/** Of Romance words, the adjectives in -esco and -esca: what they name is mostly eaten. */
const isDish = (word: Word, found: string): boolean =>
  /^esc(?:a|o|he|hi)$/.test(word.folded.slice(found.length));

function isInAddress(text: string, { start, end }: { start: number; end: number }): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  return /[@/.=&?#_]$|\w-$/.test(before) || /^(?:@|\/\w|\.\w|=)/.test(after);
}

interface Sentence {
  words: Word[];
  /** What the words mean, by language. */
  marks: Map<AbuseLanguage, number[]>;
  quoted: boolean;
}

type Statement = { start: number; end: number; why: "insult" | "threat" | "group" };

/** What sentences say of people. */
function* statements(text: string, words: readonly Word[]): Generator<Statement> {
  const { statements: lexicon } = index();
  let before: Sentence | null = null;
  for (const { words: own, quoted } of sentencesOf(text, words)) {
    const sentence: Sentence = { words: own, quoted, marks: lexicon.marks(own, lexicon.bit("not")) };
    for (const language of sentence.marks.keys()) {
      const found = statementIn(sentence, language, before);
      if (!found) continue;
      yield found;
      break;
    }
    before = sentence;
  }
}

function statementIn(sentence: Sentence, language: AbuseLanguage, before: Sentence | null): Statement | null {
  if (sentence.quoted) return null;
  const marks = new Marks(sentence.words, sentence.marks.get(language) ?? []);
  const direct = threatIn(marks) ?? insultIn(marks);
  if (direct || marks.has("counter")) return direct;
  const group = marks.places("group");
  if (group.length > 0) return contemptIn(marks, group, 8);
  const earlier = before?.marks.get(language)?.some((bits) => bits & index().statements.bit("group"));
  return earlier && !before?.quoted ? contemptIn(marks, marks.places("they"), 5) : null;
}

/** What the words of a sentence mean in one language, by their places in it. */
class Marks {
  private readonly words: readonly Word[];
  private readonly bits: readonly number[];

  constructor(words: readonly Word[], bits: readonly number[]) {
    this.words = words;
    this.bits = bits;
  }

  places(kind: keyof Lexicon): number[] {
    const bit = index().statements.bit(kind);
    return this.bits.flatMap((bits, at) => (bits & bit ? [at] : []));
  }

  /** Whether a word from one place up to another, which is not looked at, means this. */
  has(kind: keyof Lexicon, from = 0, to = this.bits.length): boolean {
    const bit = index().statements.bit(kind);
    return this.bits.slice(Math.max(0, from), to).some((bits) => bits & bit);
  }

  /** Whether a negation stands shortly before. */
  negated(at: number, reach = 4): boolean {
    return this.has("not", at - reach, at);
  }

  statement(a: number, b: number, why: Statement["why"]): Statement {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    return { start: this.words[from]?.start ?? 0, end: this.words[to]?.end ?? 0, why };
  }
}

function threatIn(marks: Marks): Statement | null {
  const threats = marks.places("threat");
  const [first] = threats;
  if (first !== undefined) return marks.statement(first, threats.at(-1) ?? first, "threat");
  const [alike] = marks.places("alike");
  const [harmed] = marks.places("harmed");
  if (alike === undefined || harmed === undefined) return null;
  return marks.has("intent") && !marks.negated(harmed) ? marks.statement(alike, harmed, "threat") : null;
}

function insultIn(marks: Marks): Statement | null {
  const you = marks.places("you");
  if (you.length === 0) return null;
  const copula = marks.places("is");
  for (const insult of marks.places("insult")) {
    const near = you.find((at) => Math.abs(at - insult) <= 6);
    if (near === undefined || near === insult || marks.negated(insult)) continue;
    const from = Math.min(near, insult);
    let to = Math.max(near, insult);
    // "You are useless", "you idiot", "eres un inútil", "Sie Trottel", "aptal mısın".
    if (to - from > 2 && !copula.some((at) => at >= from - 2 && at <= to)) continue;
    while (marks.has("insult", to + 1, to + 2)) to += 1;
    return marks.statement(from, to, "insult");
  }
  return null;
}

/** What is said against a group. @param reach how many words away from where the group is named, at `group` */
function contemptIn(marks: Marks, group: readonly number[], reach: number): Statement | null {
  if (group.length === 0) return null;
  const near = (at: number, limit: number) => group.find((of) => of !== at && Math.abs(of - at) <= limit);
  const copula = marks.places("is");

  for (const kind of ["hate", "scorn"] as const) {
    for (const at of marks.places(kind)) {
      const of = near(at, reach);
      if (of !== undefined && !marks.negated(at)) return marks.statement(of, at, "group");
    }
  }
  // "… are so dirty", "typical of a … to be that stupid", "diese … sind doch alle dumm".
  for (const at of marks.places("fault")) {
    const of = near(at, reach);
    if (of === undefined || marks.negated(at)) continue;
    const [from, to] = [Math.min(of, at), Math.max(of, at)];
    if (copula.some((link) => link >= from - 3 && link <= to + 2)) return marks.statement(of, at, "group");
  }
  // "… are a cancer", but not "cancer in …".
  for (const at of marks.places("figure")) {
    if (marks.negated(at)) continue;
    const of = group.find((place) => place < at && at - place <= reach);
    if (of === undefined) continue;
    if (copula.some((link) => link > of && link - of <= 5 && link < at && at - link <= 5)) {
      return marks.statement(of, at, "group");
    }
  }
  for (const at of marks.places("vow")) {
    const of = near(at, 6);
    if (of !== undefined && !marks.negated(at, 6)) return marks.statement(of, at, "group");
  }
  if (marks.has("intent")) {
    for (const at of marks.places("violence")) {
      const of = near(at, reach);
      if (of !== undefined && !marks.negated(at, 6)) return marks.statement(of, at, "group");
    }
  }
  const worse = (["hate", "scorn", "fault", "violence"] as const).some((kind) => marks.has(kind));
  if (worse) return null;
  const rights = marks.places("right");
  // "… do not deserve to live", "no … is human".
  for (const at of marks.places("not")) {
    const of = near(at, 9);
    const right = rights.find((place) => place > at && place - at <= 5);
    if (of !== undefined && right !== undefined) return marks.statement(of, right, "group");
  }
  return null;
}
