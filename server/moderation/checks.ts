import type { Finding } from "./schemas.ts";

/** A text to check: which one of the template it is, and what it says. */
export interface CheckedText {
  pointer: string;
  text: string;
}

/** A kind of thing that no template may say literally. All patterns are bounded: no text makes them run long. */
interface Rule {
  pattern: RegExp;
  severity: Finding["severity"];
  explanation: string;
  /** Name of the variable that the suggestion puts in the text's place. */
  variable: string;
  /** Whether the excerpt is shortened, so that no answer or log repeats the whole. */
  hide: boolean;
  isReal?(match: string): boolean;
}

const secretShapes = [
  String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----`,
  String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
  String.raw`\bgh[pousr]_[A-Za-z0-9]{36,255}\b`,
  String.raw`\bgithub_pat_[A-Za-z0-9_]{50,255}\b`,
  String.raw`\bglpat-[A-Za-z0-9_-]{20,64}\b`,
  String.raw`\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}\b`,
  String.raw`\bsk-[A-Za-z0-9_-]{20,255}\b`,
  String.raw`\bxox[abprs]-[A-Za-z0-9-]{10,255}\b`,
  String.raw`\bAIza[0-9A-Za-z_-]{35}\b`,
  String.raw`\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}\b`,
  String.raw`\btdg_(?:live|test|sbx)_[A-Za-z0-9_-]{20,255}\b`,
  String.raw`\bwhsec_[A-Za-z0-9+/]{24,128}={0,2}`,
  String.raw`\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,2000}`,
].join("|");

const rules: Rule[] = [
  {
    pattern: new RegExp(secretShapes, "g"),
    severity: "block",
    explanation: "This looks like a key or token. Whoever receives the message could use it.",
    variable: "secret",
    hide: true,
  },
  {
    pattern: /(?<![\d.,+])\d(?:[ -]?\d){12,18}(?!\d)/g,
    severity: "block",
    explanation: "This is a valid payment card number. Card numbers may not be sent in messages.",
    variable: "card_ending",
    hide: true,
    isReal: isCardNumber,
  },
  {
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])/g,
    severity: "block",
    explanation: "This is a valid bank account number (IBAN). It belongs in a variable, not in the text.",
    variable: "iban",
    hide: true,
    isReal: isIban,
  },
  {
    pattern:
      /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}/g,
    severity: "warn",
    explanation: "This is an e-mail address. If it is a person's, it goes to everyone who gets this message.",
    variable: "contact_email",
    hide: false,
  },
  {
    pattern: /(?<![\w+]|\d[ -])(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){7,14}(?!\d)/g,
    severity: "warn",
    explanation: "This is a phone number. If it is a person's, it goes to everyone who gets this message.",
    variable: "contact_phone",
    hide: false,
  },
];

/** More than this nobody reads. */
const maxFindings = 100;

/**
 * The checks that always run and need nobody's service: card numbers (Luhn), IBANs (mod 97), keys and tokens, e-mail
 * addresses and phone numbers written into the text. Findings come in the order of the texts and of their places.
 */
export function checkTexts(texts: readonly CheckedText[]): Finding[] {
  return texts.flatMap(checkText).slice(0, maxFindings);
}

function checkText({ pointer, text }: CheckedText): Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    for (const match of text.matchAll(rule.pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      // The graver rules come first; a digit of a key is no phone number.
      if (findings.some((finding) => start < finding.end && finding.start < end)) continue;
      if (rule.isReal && !rule.isReal(match[0])) continue;
      findings.push({
        category: "sensitive_data",
        severity: rule.severity,
        pointer,
        start,
        end,
        excerpt: rule.hide ? shortened(match[0]) : match[0],
        explanation: rule.explanation,
        suggestion: `{{ ${rule.variable} }}`,
      });
      if (findings.length >= maxFindings) break;
    }
  }
  return findings.sort((a, b) => a.start - b.start);
}

function shortened(text: string): string {
  return `${text.slice(0, 4)}…${text.slice(-2)}`;
}

// Issuer ranges (ISO/IEC 7812) of the large schemes; without them every tenth order number would be a card.
const issuers = /^(?:4|5[1-5]|2[2-7]|3[47]|3[0689]|35|6(?:011|5|4[4-9]|2)|50|5[6-9]|6[0-9])/;

/** Whether the digits are a payment card number: issuer range, length and check digit (ISO/IEC 7812-1 annex B). */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, "");
  if (!/^\d{13,19}$/.test(digits) || !issuers.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Whether the text is an IBAN with valid check digits (ISO 13616, mod 97 = 1). */
export function isIban(text: string): boolean {
  const iban = text.replaceAll(" ", "");
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  let remainder = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(char, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
