"use client";

import type { ReactNode } from "react";
import { cn } from "../../ui/cn.ts";
import { metadataText, variablesText, type ComparedContent } from "./content-text.ts";
import { TextDiff } from "./text-diff.tsx";

export type { ComparedContent };

/**
 * What differs between two contents of a template: subject, body, the channel's settings and the variables, each as
 * text. Parts that are equal are named in one line. `left` is null when there is nothing to compare with yet.
 */
export function ContentDiff({
  left,
  right,
  leftLabel,
  rightLabel,
  className,
}: {
  left: ComparedContent | null;
  right: ComparedContent;
  /** What stands on each side, e.g. "Version 3"; shown above the columns. */
  leftLabel?: ReactNode;
  rightLabel?: ReactNode;
  className?: string;
}) {
  const parts = [
    { label: "Subject", left: left?.subject ?? "", right: right.subject ?? "" },
    { label: "Body", left: left?.body ?? "", right: right.body },
    {
      label: "Channel settings",
      left: left ? metadataText(left.metadata) : "",
      right: metadataText(right.metadata),
    },
    {
      label: "Variables",
      left: left ? variablesText(left.variables) : "",
      right: variablesText(right.variables),
    },
  ];
  const changed = parts.filter((part) => part.left !== part.right);
  const equal = parts.filter((part) => part.left === part.right && part.right !== "");

  return (
    <div className={cn("grid grid-cols-1 gap-4", className)}>
      {leftLabel !== undefined || rightLabel !== undefined ? (
        <div className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm font-medium md:grid-cols-2">
          <div className="min-w-0">{leftLabel}</div>
          <div className="min-w-0">{rightLabel}</div>
        </div>
      ) : null}
      {changed.map((part) => (
        <section key={part.label}>
          <h3 className="mb-1 text-xs text-ink-muted">{part.label}</h3>
          <TextDiff left={part.left} right={part.right} label={part.label} />
        </section>
      ))}
      {changed.length === 0 ? (
        <p className="text-sm text-ink-muted">No differences.</p>
      ) : equal.length > 0 ? (
        <p className="text-xs text-ink-muted">Unchanged: {listed(equal.map((part) => part.label))}.</p>
      ) : null}
    </div>
  );
}

function listed(labels: readonly string[]): string {
  const [first = "", ...others] = labels;
  return new Intl.ListFormat("en", { type: "conjunction" }).format([
    first,
    ...others.map((label) => label.toLowerCase()),
  ]);
}
