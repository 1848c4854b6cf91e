import { abuseIn } from "./abuse.ts";
import { claimsIn } from "./claims.ts";
import { MappedText, viewsOf } from "./normalise.ts";
import type { TextViews } from "./normalise.ts";
import { phishingIn } from "./phishing.ts";
import { rules } from "./rules.ts";
import type { Rule } from "./rules.ts";
import type { Finding } from "./schemas.ts";

/** A text to check: which part of the template it is, and its content. */
export interface CheckedText {
  pointer: string;
  text: string;
}

/** A text as it becomes with values, and where each part of it comes from. */
export interface RenderedText {
  pointer: string;
  /** As written. */
  source: string;
  text: MappedText;
  /** What Liquid wrote from variables: places in `source`. Their values are examples, which nobody is sent. */
  examples: readonly { start: number; end: number }[];
}

/** Something that a check found: a place in the text that it was given. */
export type Place = Pick<Finding, "category" | "severity" | "start" | "end" | "explanation">;

/** Nobody reads more than this. */
const maxFindings = 100;
/** How far before a number its name may stand, in characters. */
const labelReach = 48;
const maxExcerpt = 300;
/** Texts in which a variable would be sent as it is written. */
const withoutLiquid =
  /^\/(?:variables\/|metadata\/(?:senderId|fromName|footer)$|metadata\/buttons\/\d{1,3}\/(?:text|payload)$)/;

/**
 * The checks that always run and need no service: payment cards, IBANs, passwords, keys and tokens, personal
 * identification numbers; abuse; and, as warnings, other personal data, phishing and claims. They see through mark-up,
 * entities, Liquid and look-alike characters (normalise.ts). Findings are in the order of the texts and of their
 * positions in the sources, at most 100.
 *
 * @param language of the texts, e.g. "de"; words that are abuse in some languages only count in those
 * @param rendered the same texts with values: what Liquid makes of them
 */
export function checkTexts(
  texts: readonly CheckedText[],
  { language = null, rendered = [] }: { language?: string | null; rendered?: readonly RenderedText[] } = {},
): Finding[] {
  const found = texts.map(({ pointer, text }) => {
    const sheet = new Sheet(pointer, text);
    checkViews(sheet, viewsOf(new MappedText(text)), language, []);
    for (const other of rendered) {
      if (other.pointer !== pointer || other.source !== text || other.text.text === text) continue;
      checkViews(sheet, viewsOf(other.text, { liquid: false }), language, other.examples);
    }
    return sheet.findings.sort((a, b) => a.start - b.start || a.end - b.end);
  });
  return atMost100(found.flat());
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

/** The findings of one text, none of which overlaps another of its category. */
class Sheet {
  readonly findings: Finding[] = [];
  private readonly pointer: string;
  private readonly source: string;
  private readonly taken = new Map<Finding["category"], Uint8Array>();

  constructor(pointer: string, source: string) {
    this.pointer = pointer;
    this.source = source;
  }

  /** False: something graver or earlier is there already. */
  add(place: Place, { hide, suggestion }: { hide: boolean; suggestion: string | null }): boolean {
    const { category, start, end } = place;
    let taken = this.taken.get(category);
    if (!taken) {
      taken = new Uint8Array(this.source.length);
      this.taken.set(category, taken);
    }
    // A digit of a key is not part of a phone number.
    if (taken.subarray(start, end).includes(1)) return false;
    taken.fill(1, start, end);
    const excerpt = this.source.slice(start, end);
    this.findings.push({
      ...place,
      pointer: this.pointer,
      excerpt: hide ? shortened(excerpt) : excerpt.slice(0, maxExcerpt),
      suggestion: withoutLiquid.test(this.pointer) ? null : suggestion,
    });
    return true;
  }
}

function checkViews(
  sheet: Sheet,
  views: TextViews,
  language: string | null,
  examples: RenderedText["examples"],
): void {
  const distinct = (wanted: readonly MappedText[]) => [...new Set(wanted)];
  for (const rule of rules) {
    const seen = distinct([views.written, views.visible, ...(rule.joins ? [views.joined] : [])]);
    for (const view of seen) applyRule(sheet, rule, view, examples);
  }
  const finders = [(of: TextViews) => abuseIn(of, language), phishingIn, claimsIn];
  for (const find of finders) {
    let kept = 0;
    for (const place of find(views)) {
      if (isExample(place, examples)) continue;
      if (sheet.add(place, { hide: false, suggestion: null })) kept += 1;
      if (kept === maxFindings) break;
    }
  }
}

/** Whether a place is made from variables alone. @param examples in the order of the text */
function isExample(
  { start, end }: { start: number; end: number },
  examples: RenderedText["examples"],
): boolean {
  let low = 0;
  let high = examples.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((examples[middle]?.start ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  const example = examples[low];
  return example !== undefined && start >= example.start && end <= example.end;
}

function applyRule(sheet: Sheet, rule: Rule, view: MappedText, examples: RenderedText["examples"]): void {
  let ofRule = 0;
  for (const match of view.text.matchAll(rule.pattern)) {
    const extent = rule.real ? rule.real(match[0]) : { offset: 0, length: match[0].length };
    if (!extent) continue;
    const at = match.index + extent.offset;
    let severity = ("severity" in extent ? extent.severity : undefined) ?? severityAt(rule, view.text, at);
    if (!severity) continue;
    const place = view.sourceOf(at, at + extent.length);
    let explanation = rule.explanation;
    if (isExample(place, examples)) {
      // An example is not sent; only what is certain is worth a word.
      if (!rule.joins || severity === "warn") continue;
      severity = "warn";
      explanation = `${explanation} It is in an example value: use a made-up one.`;
    }
    const finding = { category: "sensitive_data", severity, explanation, ...place } as const;
    if (sheet.add(finding, { hide: rule.hide, suggestion: `{{ ${rule.variable} }}` })) ofRule += 1;
    if (ofRule === maxFindings) break;
  }
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
