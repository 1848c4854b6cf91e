import { readFileSync, readdirSync } from "node:fs";
import { z } from "zod";
import { findingSchema } from "../content-checks/schemas.ts";
import type { Finding } from "../content-checks/schemas.ts";
import { channelSchema } from "../kernel/channel.ts";

/** A text may be given in pieces, so that made-up keys in it do not look like leaked ones to scanners of sources. */
const textSchema = z.union([z.string(), z.array(z.string()).transform((pieces) => pieces.join(""))]);

const evaluationTextSchema = z.strictObject({
  id: z.string().min(1),
  language: z.string().regex(/^[a-z]{2}$/),
  channel: channelSchema,
  class: z.enum(["authentication", "transactional", "service", "marketing"]),
  text: textSchema,
  /** Empty: the text must pass. */
  expected: z.array(
    z.strictObject({
      category: findingSchema.shape.category,
      severity: findingSchema.shape.severity,
      /** Who must find it: the deterministic checks, or only a service that understands the text. */
      by: z.enum(["deterministic", "ai"]),
      /** The excerpt; a finding that overlaps it counts. */
      excerpt: textSchema,
    }),
  ),
});
export type EvaluationText = z.output<typeof evaluationTextSchema> & { group: string };

/** The texts of ./evaluation/*.json; `group` is the file's name. Throws when a file cannot be read or is invalid. */
export function loadEvaluation(): EvaluationText[] {
  const folder = new URL("./evaluation/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => {
      const rows = z
        .array(evaluationTextSchema)
        .parse(JSON.parse(readFileSync(new URL(name, folder), "utf8")));
      return rows.map((row) => ({ ...row, group: name.replace(".json", "") }));
    });
}

/** How the findings of one category match the expectations. */
export interface CategoryScore {
  category: Finding["category"];
  /** Expectations, and those that a finding of the same category overlaps. */
  expected: number;
  found: number;
  /** Findings, and those that overlap an expectation of the same category. */
  findings: number;
  right: number;
}

/** One disagreement: what was expected and not found, found and not expected, or found with another severity. */
export interface Confusion {
  id: string;
  kind: "missed" | "unexpected" | "severity";
  category: Finding["category"];
  severity: Finding["severity"];
  excerpt: string;
}

/**
 * Compares findings with the expectations. `wanted` says whose expectations must be met: those of the deterministic
 * checks, or all. A finding that meets another's expectation also counts as right.
 */
export function scoreEvaluation(
  texts: readonly EvaluationText[],
  findingsOf: (text: EvaluationText) => readonly Finding[],
  wanted: "deterministic" | "all",
): { categories: CategoryScore[]; confusions: Confusion[] } {
  const scores = new Map<string, CategoryScore>(
    findingSchema.shape.category.options.map((category) => [
      category,
      { category, expected: 0, found: 0, findings: 0, right: 0 },
    ]),
  );
  const confusions: Confusion[] = [];
  for (const text of texts) {
    const findings = findingsOf(text);
    const places = text.expected.map((expectation) => {
      const start = text.text.indexOf(expectation.excerpt);
      return { ...expectation, start, end: start + expectation.excerpt.length };
    });
    const overlap = (a: { start: number; end: number; category: string }, b: typeof a) =>
      a.category === b.category && a.start < b.end && b.start < a.end;
    for (const place of places) {
      if (wanted === "deterministic" && place.by === "ai") continue;
      const score = scores.get(place.category);
      const hits = findings.filter((finding) => overlap(finding, place));
      if (score) score.expected += 1;
      if (hits.length === 0) confusions.push(confusion(text, "missed", place));
      else {
        if (score) score.found += 1;
        if (!hits.some((hit) => hit.severity === place.severity))
          confusions.push(confusion(text, "severity", place));
      }
    }
    for (const finding of findings) {
      const score = scores.get(finding.category);
      const right = places.some((place) => overlap(finding, place));
      if (score) score.findings += 1;
      if (score && right) score.right += 1;
      if (!right) confusions.push(confusion(text, "unexpected", finding));
    }
  }
  return { categories: [...scores.values()], confusions };
}

function confusion(
  text: EvaluationText,
  kind: Confusion["kind"],
  { category, severity, excerpt }: Pick<Finding, "category" | "severity" | "excerpt">,
): Confusion {
  return { id: text.id, kind, category, severity, excerpt: excerpt.replace(/\s+/g, " ").slice(0, 80) };
}

/** The scores as lines of a table; a share of nothing is a dash. */
export function scoreTable(categories: readonly CategoryScore[]): string[] {
  const share = (part: number, of: number) => (of === 0 ? "-" : `${((100 * part) / of).toFixed(1)} %`);
  const line = (cells: readonly string[]) =>
    cells.map((cell, place) => (place === 0 ? cell.padEnd(22) : cell.padStart(11))).join("");
  return [
    line(["category", "expected", "found", "recall", "findings", "right", "precision"]),
    ...categories.map((score) =>
      line([
        score.category,
        String(score.expected),
        String(score.found),
        share(score.found, score.expected),
        String(score.findings),
        String(score.right),
        share(score.right, score.findings),
      ]),
    ),
  ];
}
