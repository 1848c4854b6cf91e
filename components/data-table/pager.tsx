"use client";

import { ChevronLeft, ChevronRight, ChevronsLeft } from "lucide-react";
import { useHydrated } from "../ui/use-hydrated.ts";
import { Button } from "../ui/button.tsx";
import { cameFrom, rememberCameFrom } from "./came-from.ts";

export type PagerWords = { first: string; previous: string; next: string };
const byTime: PagerWords = { first: "Newest", previous: "Newer", next: "Older" };
export const byAge: PagerWords = { first: "Oldest", previous: "Older", next: "Newer" };
export const byName: PagerWords = { first: "First", previous: "Previous", next: "Next" };

/**
 * Paging by cursor. The place is in the URL, so a link shows the same page. The way back to newer pages is kept as long as the tab, over
 * a reload and the browser's own back; a link opened in the middle can still jump to the newest.
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
  summary?: string | undefined;
  /** What the buttons say; lists that are not sorted by time have other words. */
  words?: PagerWords;
}) {
  const hydrated = useHydrated();
  const previous = hydrated && cursor ? cameFrom(cursor) : undefined;
  if (!cursor && !nextCursor && !summary) return null;
  return (
    <div className="flex h-11 items-center justify-between gap-3 border-t border-line px-4">
      <span className="text-xs text-ink-muted tabular">{summary}</span>
      <div className="flex items-center gap-1">
        {cursor ? (
          <Button variant="ghost" size="sm" onClick={() => onChange(null)}>
            <ChevronsLeft aria-hidden /> {words.first}
          </Button>
        ) : null}
        <Button size="sm" disabled={previous === undefined} onClick={() => onChange(previous ?? null)}>
          <ChevronLeft aria-hidden /> {words.previous}
        </Button>
        <Button
          size="sm"
          disabled={!nextCursor}
          onClick={() => {
            if (!nextCursor) return;
            rememberCameFrom(nextCursor, cursor);
            onChange(nextCursor);
          }}
        >
          {words.next} <ChevronRight aria-hidden />
        </Button>
      </div>
    </div>
  );
}
