"use client";

import { CircleAlert, TriangleAlert } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { findingCategories } from "./finding-categories.ts";
import type { EditorFinding } from "./locate-finding.ts";

/** What moderation says, worst first, each with its suggestion one click away. */
export function FindingList({
  findings,
  partName,
  onShow,
  onApply,
}: {
  findings: readonly EditorFinding[];
  /** How people call the text that a pointer names. */
  partName: (pointer: string) => string;
  onShow: (finding: EditorFinding) => void;
  onApply: (finding: EditorFinding, suggestion: string) => void;
}) {
  const sorted = findings.toSorted((a, b) => Number(b.severity === "block") - Number(a.severity === "block"));
  return (
    <ul aria-label="Moderation findings" className="grid gap-1.5">
      {sorted.map((finding, index) => {
        const blocks = finding.severity === "block";
        const Icon = blocks ? CircleAlert : TriangleAlert;
        const { suggestion } = finding;
        return (
          <li
            key={`${finding.pointer}${finding.start}${finding.category}${index}`}
            className={cn(
              "flex items-start gap-2 rounded-md px-3 py-2 text-sm",
              blocks ? "bg-danger-soft text-danger-text" : "bg-warning-soft text-warning-text",
            )}
          >
            <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
            <div className="min-w-0 flex-1">
              <p className="break-words">
                <span className="font-medium">{blocks ? findingCategories[finding.category] : "Hint"}:</span>{" "}
                {finding.explanation}
              </p>
              <p className="mt-0.5 break-words">
                {partName(finding.pointer)}:{" "}
                <button
                  type="button"
                  onClick={() => onShow(finding)}
                  className="rounded-sm text-left font-mono text-xs break-all underline decoration-dotted underline-offset-3 hover:decoration-solid"
                >
                  {finding.excerpt}
                </button>
                {suggestion === null ? null : (
                  <>
                    {" → "}
                    <span className="font-mono text-xs break-all">
                      {suggestion === "" ? "(without it)" : suggestion}
                    </span>
                  </>
                )}
              </p>
            </div>
            {suggestion === null ? null : (
              <Button size="sm" onClick={() => onApply(finding, suggestion)}>
                Apply suggestion
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
