"use client";

import { CircleAlert, TriangleAlert } from "lucide-react";
import { cn } from "../../ui/cn.ts";
import type { Preview } from "./use-draft-preview.ts";

/** Where a complaint belongs: a text of the template, or one of the sample values. */
export type Locate = (pointer: string, line: number | null, column: number | null) => void;

export type Complaint = {
  text: string;
  severity: "error" | "warning";
  /** The sample value that is wrong. */
  value?: string;
  place?: { pointer: string; line: number | null; column: number | null };
};

/** All that the newest answer has against the texts and the sample values, worst first. */
export function complaintsOf(preview: Preview | undefined): Complaint[] {
  if (!preview) return [];
  return [
    ...preview.problems.map((problem): Complaint => {
      const { pointer, line, column } = problem;
      // The place stands before the sentence.
      const text = problem.detail.replace(/ \(line \d+, column \d+\)$/, "");
      return { text, severity: "error", place: { pointer, line, column } };
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

/** One line a complaint; those that have a place lead there. */
export function ProblemList({
  complaints,
  onLocate,
  onValue,
}: {
  complaints: readonly Complaint[];
  onLocate?: Locate | undefined;
  onValue: (name: string) => void;
}) {
  return (
    <ul aria-label="Problems" className="grid gap-1">
      {complaints.map((complaint, index) => {
        const Icon = complaint.severity === "warning" ? TriangleAlert : CircleAlert;
        const { place, value } = complaint;
        const go =
          value !== undefined
            ? () => onValue(value)
            : place && onLocate
              ? () => onLocate(place.pointer, place.line, place.column)
              : undefined;
        const style = cn(
          "flex w-full items-start gap-2 rounded-md px-3 py-2 text-left text-sm",
          complaint.severity === "warning"
            ? "bg-warning-soft text-warning-text"
            : "bg-danger-soft text-danger-text",
        );
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
          <li key={index}>
            {go ? (
              <button type="button" className={cn(style, "hover:underline")} onClick={go}>
                {content}
              </button>
            ) : (
              <p className={style}>{content}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
