import { cardIn, ibanIn } from "./account-numbers.ts";
import type { Extent } from "./account-numbers.ts";
import { personalRules } from "./personal-rules.ts";
import type { Finding } from "./schemas.ts";

/**
 * Something that no template may contain literally. Patterns have no unbounded repetition, so that the steps at one
 * position have a fixed bound; a test holds every rule to that.
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
  /** The part of a match that counts; all of it by default. */
  real?(match: string): Extent;
}

const secretShapes = [
  String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----`,
  String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
  String.raw`\bgh[pousr]_[A-Za-z0-9]{36,255}\b`,
  String.raw`\bgithub_pat_[A-Za-z0-9_]{50,255}\b`,
  String.raw`\bglpat-[A-Za-z0-9_-]{20,64}\b`,
  String.raw`\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}\b`,
  // With a digit and a long part: style names begin with "sk-", too.
  String.raw`(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,60}\d)(?=[A-Za-z0-9_-]{0,255}?[A-Za-z0-9_]{16})[A-Za-z0-9_-]{20,255}\b`,
  String.raw`\bxox[abprs]-[A-Za-z0-9-]{10,255}\b`,
  String.raw`\bhttps:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,80}\b`,
  String.raw`\bAIza[0-9A-Za-z_-]{35}\b`,
  String.raw`\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}\b`,
  String.raw`\bnpm_[A-Za-z0-9]{36}\b`,
  String.raw`\bhf_[A-Za-z0-9]{30,64}\b`,
  String.raw`\bdop_v1_[a-f0-9]{64}\b`,
  String.raw`\btdg_(?:live|test|sbx)_[A-Za-z0-9_-]{20,255}\b`,
  String.raw`\bwhsec_[A-Za-z0-9+/]{24,128}={0,2}`,
  // Not \b, which matches before every part of "eyJ-eyJ-…" and would start over at each.
  String.raw`(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,2000}`,
  // A user's password inside an address.
  String.raw`\b[a-z][a-z0-9+]{1,20}:\/\/[^\s/:@<>"{]{1,64}:[^\s/:@<>"{]{1,128}@[A-Za-z0-9.-]{1,255}`,
  String.raw`(?<=\baws_secret_access_key["']?\s{0,3}[:=]\s{0,3}["']?)[A-Za-z0-9/+]{40}`,
].join("|");

/** What may separate two digits of a number: a space, also a non-breaking one, a dot or some hyphen. */
const gap = String.raw`(?:[ \u00a0\u202f.\u2010-\u2015-]|&nbsp;)?`;
const space = String.raw`(?:[ \u00a0\u202f-]|&nbsp;)?`;

/** More severe ones first: where two overlap, the first one counts. */
export const rules: readonly Rule[] = [
  {
    pattern: new RegExp(secretShapes, "g"),
    severity: "block",
    explanation: "This looks like a key, token or password. Whoever receives the message could use it.",
    variable: "secret",
    hide: true,
  },
  {
    pattern: new RegExp(String.raw`(?<![\d,+]|\d\.)\d(?:${gap}\d){13,60}(?!\d)`, "g"),
    severity: "block",
    explanation: "This is a valid payment card number. Card numbers may not be sent in messages.",
    variable: "card_ending",
    hide: true,
    real: cardIn,
  },
  {
    pattern: new RegExp(String.raw`(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:${space}[A-Za-z0-9]){11,34}`, "g"),
    severity: "block",
    explanation: "This is a valid bank account number (IBAN). It belongs in a variable, not in the text.",
    variable: "iban",
    hide: true,
    real: ibanIn,
  },
  ...personalRules,
];
