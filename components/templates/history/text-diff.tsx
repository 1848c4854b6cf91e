"use client";

import { useMemo, useState } from "react";
import { cn } from "../../ui/cn.ts";
import { plural } from "../../ui/format.ts";
import { diffLines, foldUnchanged, type DiffCell, type DiffRow } from "./diff-lines.ts";

/**
 * Two texts side by side, below each other on narrow screens; long unchanged stretches are folded.
 * Additions and removals carry a sign besides their colour.
 */
export function TextDiff({ left, right, label }: { left: string; right: string; label: string }) {
  const rows = useMemo(() => diffLines(left, right), [left, right]);
  const [opened, setOpened] = useState<readonly number[]>([]);
  const numbered = rows.length > 1;
  return (
    <div
      role="group"
      aria-label={`${label}, compared`}
      className="overflow-hidden rounded-md border border-line bg-surface font-mono text-xs leading-5"
    >
      {foldUnchanged(rows).flatMap((row, index) => {
        if (row.kind !== "fold") return <Row key={index} row={row} numbered={numbered} />;
        if (opened.includes(row.from)) {
          return rows
            .slice(row.from, row.from + row.count)
            .map((each, at) => <Row key={`${index}-${at}`} row={each} numbered={numbered} />);
        }
        return (
          <button
            key={index}
            type="button"
            onClick={() => setOpened([...opened, row.from])}
            className="block w-full bg-sunken px-3 py-1 text-left font-sans text-xs text-ink-muted hover:text-ink"
          >
            Show {plural(row.count, "unchanged line")}
          </button>
        );
      })}
    </div>
  );
}

function Row({ row, numbered }: { row: DiffRow; numbered: boolean }) {
  if (row.kind === "same") {
    return (
      <div className="grid grid-cols-1 md:grid-cols-2">
        <Cell cell={row.left} numbered={numbered} />
        <Cell cell={row.right} numbered={numbered} className="hidden md:flex" />
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 md:grid-cols-2">
      <Cell cell={row.left} tone="removed" numbered={numbered} />
      <Cell cell={row.right} tone="added" numbered={numbered} />
    </div>
  );
}

const tones = {
  removed: { line: "bg-danger-soft", piece: "bg-danger/25", sign: "−", word: "Removed: " },
  added: { line: "bg-success-soft", piece: "bg-success/25", sign: "+", word: "Added: " },
};

function Cell({
  cell,
  tone,
  numbered,
  className,
}: {
  cell: DiffCell | null;
  tone?: keyof typeof tones;
  numbered: boolean;
  className?: string;
}) {
  if (!cell) return <div aria-hidden className="hidden bg-sunken md:block" />;
  const face = tone ? tones[tone] : null;
  return (
    <div className={cn("flex min-w-0 gap-2 px-2 md:border-l md:first:border-l-0", face?.line, className)}>
      {numbered ? (
        <span aria-hidden className="w-7 shrink-0 text-right text-ink-faint tabular select-none">
          {cell.number}
        </span>
      ) : null}
      <span aria-hidden className="w-2 shrink-0 text-ink-muted select-none">
        {face?.sign}
      </span>
      <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">
        {face ? <span className="sr-only">{face.word}</span> : null}
        {cell.pieces.map((piece, index) =>
          piece.changed && face ? (
            <mark key={index} className={cn("rounded-[2px] text-ink", face.piece)}>
              {piece.text}
            </mark>
          ) : (
            piece.text
          ),
        )}
        {cell.pieces.every((piece) => piece.text === "") ? "\u00a0" : null}
      </span>
    </div>
  );
}
