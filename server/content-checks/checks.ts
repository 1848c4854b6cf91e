import { rules } from "./rules.ts";
import type { Rule } from "./rules.ts";
import type { Finding } from "./schemas.ts";

/** A text to check: which part of the template it is, and its content. */
export interface CheckedText {
  pointer: string;
  text: string;
}

/** Nobody reads more than this. */
const maxFindings = 100;
/** How far before a number its name may stand, in characters. */
const labelReach = 48;

/**
 * The checks that always run and need no service: payment cards, IBANs, keys and tokens, personal identification
 * numbers, and, as warnings, e-mail addresses, telephone numbers, dates of birth and passwords in the text. Findings
 * are in the order of the texts and of their positions, at most 100.
 */
export function checkTexts(texts: readonly CheckedText[]): Finding[] {
  return atMost100(texts.flatMap(checkText));
}

/** Leaves out warnings before blocking findings, so that none of these gets lost. */
export function atMost100(findings: Finding[]): Finding[] {
  if (findings.length <= maxFindings) return findings;
  const kept = new Set(
    [...findings]
      .sort((a, b) => Number(a.severity === "warn") - Number(b.severity === "warn"))
      .slice(0, maxFindings),
  );
  return findings.filter((finding) => kept.has(finding));
}

function checkText({ pointer, text }: CheckedText): Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    let ofRule = 0;
    for (const match of text.matchAll(rule.pattern)) {
      const extent = rule.real ? rule.real(match[0]) : { offset: 0, length: match[0].length };
      if (!extent) continue;
      const start = match.index + extent.offset;
      const end = start + extent.length;
      // A digit of a key is not part of a phone number.
      if (findings.some((finding) => start < finding.end && finding.start < end)) continue;
      const severity = severityAt(rule, text, start);
      if (!severity) continue;
      const excerpt = text.slice(start, end);
      findings.push({
        category: "sensitive_data",
        severity,
        pointer,
        start,
        end,
        excerpt: rule.hide ? shortened(excerpt) : excerpt,
        explanation: rule.explanation,
        suggestion: `{{ ${rule.variable} }}`,
      });
      ofRule += 1;
      if (ofRule === maxFindings) break;
    }
  }
  return findings.sort((a, b) => a.start - b.start);
}

function severityAt(rule: Rule, text: string, start: number): Finding["severity"] | undefined {
  if (!rule.label) return rule.severity;
  const before = text.slice(Math.max(0, start - labelReach), start);
  // Long tables of numbers contain no words; that is cheaper to check first.
  return /\p{L}/u.test(before) && rule.label.test(before) ? rule.severity : rule.unlabelled;
}

function shortened(text: string): string {
  return text.length <= 8 ? `${text.slice(0, 1)}…` : `${text.slice(0, 4)}…${text.slice(-2)}`;
}
