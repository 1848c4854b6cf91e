"use client";

import { CircleAlert, TriangleAlert } from "lucide-react";
import { cn } from "../../ui/cn.ts";
import { Button } from "../../ui/button.tsx";
import { quickFix, type FixableProblem, type QuickFix } from "../workspace/quick-fix.ts";
import type { Draft } from "../draft.ts";
import type { Preview } from "./use-draft-preview.ts";

/** Where a complaint belongs: a text of the template, or one of the sample values. */
export type Locate = (pointer: string, line: number | null, column: number | null) => void;

export type Complaint = {
  text: string;
  severity: "error" | "warning";
  /** The sample value that is wrong. */
  value?: string;
  place?: FixableProblem;
};

/** All that the newest answer has against the texts and the sample values, worst first. */
export function complaintsOf(preview: Preview | undefined): Complaint[] {
  if (!preview) return [];
  return [
    ...preview.problems.map((problem): Complaint => {
      const { pointer, code, line, column } = problem;
      // The place stands before the sentence.
      const text = problem.detail.replace(/ \(line \d+, column \d+\)$/, "");
      return { text, severity: "error", place: { pointer, code, line, column } };
    }),
    ...preview.valueProblems.map((problem): Complaint => ({
      text: problem.detail,
      severity: "error",
      value: problem.name,
    })),
  ];
}

const parts: Record<string, string> = { "/subject": "Subject", "/body": "Body" };

function placeText({ pointer, line }: NonNullable<Complaint["place"]>): string {
  const part = parts[pointer] ?? pointer.replace(/^\/(metadata\/)?/, "").replaceAll("/", " ");
  return line === null ? part : `${part}, line ${line}`;
}

/** One line a complaint; those that have a place lead there, and those that one click can end have a button for it. */
export function ProblemList({
  draft,
  complaints,
  onLocate,
  onValue,
  onFix,
}: {
  draft: Draft;
  complaints: readonly Complaint[];
  onLocate?: Locate | undefined;
  onValue: (name: string) => void;
  onFix?: ((fix: QuickFix) => void) | undefined;
}) {
  return (
    <ul aria-label="Problems" className="grid gap-1">
      {complaints.map((complaint, index) => {
        const Icon = complaint.severity === "warning" ? TriangleAlert : CircleAlert;
        const { place, value } = complaint;
        const fix = place && onFix ? quickFix(draft, place) : null;
        const go =
          value !== undefined
            ? () => onValue(value)
            : place && onLocate
              ? () => onLocate(place.pointer, place.line, place.column)
              : undefined;
        const style = "flex min-w-0 flex-1 basis-48 items-start gap-2 text-left";
        const content = (
          <>
            <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
            <span className="min-w-0 break-words">
              <span className="font-medium">
                {value !== undefined ? "Sample value" : place ? placeText(place) : "Text"}:
              </span>{" "}
              {complaint.text}
            </span>
          </>
        );
        return (
          <li
            key={index}
            className={cn(
              "flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-md px-3 py-2 text-sm",
              complaint.severity === "warning"
                ? "bg-warning-soft text-warning-text"
                : "bg-danger-soft text-danger-text",
            )}
          >
            {go ? (
              <button type="button" className={cn(style, "hover:underline")} onClick={go}>
                {content}
              </button>
            ) : (
              <p className={style}>{content}</p>
            )}
            {fix && onFix ? (
              <Button size="sm" className="max-w-full" onClick={() => onFix(fix)}>
                <span className="truncate">{fix.label}</span>
              </Button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
