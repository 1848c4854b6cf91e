import { cardIn, ibanIn, splitCardIn } from "./account-numbers.ts";
import type { Extent } from "./account-numbers.ts";
import { personalRules } from "./personal-rules.ts";
import type { Finding } from "./schemas.ts";
import { authorisation, looksRandom, namedSecret, secretShapes } from "./secret-shapes.ts";

/**
 * Something that no template may contain literally. Patterns have no unbounded repetition, so that the steps at one
 * position have a fixed bound; a test holds every rule to that. They see texts as normalise.ts makes them.
 */
export interface Rule {
  pattern: RegExp;
  severity: Finding["severity"];
  /** What must shortly precede it; `unlabelled` is the severity without it, and without that nothing is found. */
  label?: RegExp;
  unlabelled?: Finding["severity"];
  explanation: string;
  /** Name of the variable that the suggestion uses instead. */
  variable: string;
  /** Whether the excerpt is shortened, so that no answer or log repeats the whole. */
  hide: boolean;
  /** Also found when Liquid stands inside it: only for what has a form that chance does not make. */
  joins?: boolean;
  /** The part of a match that counts; all of it by default. */
  real?(match: string): RuleExtent;
}

export type RuleExtent = (NonNullable<Extent> & { severity?: Finding["severity"] }) | null;

/** What may separate two digits of a number: a space, a dot or some hyphen. */
const gap = String.raw`[ .\u2010-\u2015-]?`;
/** The same for a number that was cut into parts on purpose, or by lines and cells. */
const wideGap = String.raw`[\s.,:;|/\\_*+~·•\u2010-\u2015-]{0,3}`;

const keyExplanation = "This looks like a key, token or password. Whoever receives the message could use it.";
const cardExplanation = "This is a valid payment card number. Card numbers may not be sent in messages.";

/** The value after a name: what follows the last of these marks. */
function valueOf(match: string, marks: RegExp): { offset: number; value: string } | null {
  const found = marks.exec(match);
  if (!found) return null;
  const offset = found.index + found[0].length;
  return { offset, value: match.slice(offset).replace(/[.!?]{1,3}$/, "") };
}

/** Words that stand for a value. */
const placeholder =
  /^(?:x{3,}|\*{3,}|\.{3,}|-{3,}|your|dein|ihr|votre|tu_|su_|example|changeme|redacted|placeholder|null$|undefined$|none$|true$|false$|https?:)/i;

/** More severe ones first: where two overlap, the first one counts. */
export const rules: readonly Rule[] = [
  {
    pattern: new RegExp(secretShapes.join("|"), "g"),
    severity: "block",
    explanation: keyExplanation,
    variable: "secret",
    hide: true,
    joins: true,
  },
  {
    pattern: new RegExp(authorisation, "gi"),
    severity: "block",
    explanation: keyExplanation,
    variable: "secret",
    hide: true,
    real: (match) => {
      const found = valueOf(match, /^\w{1,8}[ ]{1,2}/);
      return found && looksRandom(found.value, 12)
        ? { offset: found.offset, length: found.value.length }
        : null;
    },
  },
  {
    pattern: new RegExp(namedSecret, "giu"),
    severity: "block",
    explanation: keyExplanation,
    variable: "secret",
    hide: true,
    real: (match) => {
      const found = valueOf(match, /(?:[:=>]|[ ](?=\S{1,520}$))[ \t]{0,3}["'`]?/);
      return found && !placeholder.test(found.value) && looksRandom(found.value, 8)
        ? { offset: found.offset, length: found.value.length }
        : null;
    },
  },
  {
    pattern: new RegExp(String.raw`(?<![\d,+]|\d\.)\d(?:${gap}\d){13,60}(?!\d)`, "g"),
    severity: "block",
    explanation: cardExplanation,
    variable: "card_ending",
    hide: true,
    joins: true,
    real: cardIn,
  },
  {
    pattern: new RegExp(String.raw`(?<!\d)\d(?:${wideGap}\d){13,60}(?!\d)`, "g"),
    severity: "block",
    explanation: cardExplanation,
    variable: "card_ending",
    hide: true,
    joins: true,
    real: splitCardIn,
  },
  {
    pattern: new RegExp(
      String.raw`(?<![A-Za-z0-9])[A-Za-z]${gap}[A-Za-z]${gap}\d${gap}\d(?:${wideGap}[A-Za-z0-9]){11,34}`,
      "g",
    ),
    severity: "block",
    explanation: "This is a valid bank account number (IBAN). It belongs in a variable, not in the text.",
    variable: "iban",
    hide: true,
    joins: true,
    real: ibanIn,
  },
  ...personalRules,
];
