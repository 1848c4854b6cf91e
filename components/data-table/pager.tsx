"use client";

import { ChevronLeft, ChevronRight, ChevronsLeft } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";

export type PagerWords = { first: string; previous: string; next: string };
const byTime: PagerWords = { first: "Newest", previous: "Newer", next: "Older" };
export const byName: PagerWords = { first: "First", previous: "Previous", next: "Next" };

/**
 * Paging by cursor. The place is in the URL, so a link shows the same page; the way back to newer pages is
 * kept while the reader stays, and a link opened in the middle can still jump to the newest.
 */
export function Pager({
  cursor,
  nextCursor,
  onChange,
  summary,
  words = byTime,
}: {
  cursor: string | null;
  nextCursor: string | null | undefined;
  onChange: (cursor: string | null) => void;
  summary?: string;
  /** What the buttons say; lists that are not sorted by time have other words. */
  words?: PagerWords;
}) {
  const [trail, setTrail] = useState<readonly (string | null)[]>([]);
  if (!cursor && !nextCursor && !summary) return null;
  return (
    <div className="flex h-11 items-center justify-between gap-3 border-t border-line px-4">
      <span className="text-xs text-ink-muted tabular">{summary}</span>
      <div className="flex items-center gap-1">
        {cursor ? (
          <Button
            variant="ghost"
            size="sm"
            onClick={() => {
              setTrail([]);
              onChange(null);
            }}
          >
            <ChevronsLeft aria-hidden /> {words.first}
          </Button>
        ) : null}
        <Button
          size="sm"
          disabled={!cursor || trail.length === 0}
          onClick={() => {
            setTrail(trail.slice(0, -1));
            onChange(trail.at(-1) ?? null);
          }}
        >
          <ChevronLeft aria-hidden /> {words.previous}
        </Button>
        <Button
          size="sm"
          disabled={!nextCursor}
          onClick={() => {
            if (!nextCursor) return;
            setTrail([...trail, cursor]);
            onChange(nextCursor);
          }}
        >
          {words.next} <ChevronRight aria-hidden />
        </Button>
      </div>
    </div>
  );
}
