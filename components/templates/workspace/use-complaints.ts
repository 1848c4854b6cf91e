"use client";

import { useMemo } from "react";
import type { Finding } from "../../../server/content-checks/schemas.ts";
import type { PreviewProblem } from "../../../server/templates/schemas.ts";
import { locateFinding, type EditorFinding } from "../../editor/locate-finding.ts";
import type { Draft } from "../draft.ts";
import { textAt } from "./draft-pointer.ts";
import type { Tried } from "./use-save.ts";
import { isMissing, validateDraft } from "./validate-draft.ts";

/** What moderation last said, and of which draft. */
export type Judged = { findings: readonly Finding[]; draft: Draft };

type Preview = { problems: readonly PreviewProblem[]; findings: readonly Finding[] } | undefined;

const nothing: readonly never[] = [];

/**
 * Everything that is held against the draft as it is now: by the fields' rules, by the last preview, by the last try to
 * save and by moderation. What is merely missing is not held against somebody who has not tried to save yet.
 */
export function useComplaints(
  draft: Draft,
  {
    preview,
    tried,
    judged,
    attempted,
    isNew,
  }: { preview: Preview; tried: Tried | null; judged: Judged | null; attempted: boolean; isNew: boolean },
) {
  const rules = useMemo(() => validateDraft(draft, isNew), [draft, isNew]);
  const shown = preview?.problems ?? nothing;
  const problems = useMemo(() => shown.map(withoutPlace), [shown]);
  const answered =
    tried?.refusal.kind === "invalid" && tried.draft === draft ? tried.refusal.problems : nothing;
  const refused = useMemo(() => answered.map(withoutPlace), [answered]);

  const fields = useMemo(() => {
    const all: Record<string, string> = {};
    for (const { pointer, detail, line, column } of [...problems, ...refused]) {
      all[pointer] ??= line === null ? detail : `Line ${line}, column ${column ?? 1}: ${detail}`;
    }
    for (const [pointer, detail] of Object.entries(rules)) {
      if (attempted || !isMissing(detail)) all[pointer] = detail;
    }
    return all;
  }, [rules, problems, refused, attempted]);

  const previewFindings = preview?.findings ?? nothing;
  const findings = useMemo(
    () => liveFindings(draft, judged, previewFindings),
    [draft, judged, previewFindings],
  );
  return { rules, fields, problems: problems.length > 0 ? problems : refused, findings };
}

/** Details end with their place, which is shown by itself. */
function withoutPlace(problem: PreviewProblem): PreviewProblem {
  if (problem.line === null) return problem;
  return { ...problem, detail: problem.detail.replace(/\s*\(line \d+, column \d+\)\s*$/, "") };
}

/** Moderation's findings that still stand in the text, then what the checks see in it now. */
export function liveFindings(
  draft: Draft,
  judged: Judged | null,
  current: readonly Finding[],
): EditorFinding[] {
  const standing = (judged?.findings ?? []).flatMap((finding): EditorFinding[] => {
    const checkedText = judged ? (textAt(judged.draft, finding.pointer) ?? undefined) : undefined;
    const text = textAt(draft, finding.pointer);
    return text !== null && locateFinding({ ...finding, checkedText }, text)
      ? [{ ...finding, checkedText }]
      : [];
  });
  const isKnown = (finding: Finding) =>
    standing.some(
      (each) =>
        each.pointer === finding.pointer &&
        each.category === finding.category &&
        each.excerpt === finding.excerpt,
    );
  return [...standing, ...current.filter((finding) => !isKnown(finding))];
}
