import type { ReactNode } from "react";
import { cn } from "./cn.ts";

/** A list on the left and what is open on the right; on a phone one of the two. */
export function InboxFrame({
  list,
  reading,
  open,
  label,
}: {
  list: ReactNode;
  reading: ReactNode;
  /** Whether something is open: decides what a phone shows. */
  open: boolean;
  label: string;
}) {
  return (
    <div className="grid min-h-[32rem] overflow-hidden rounded-lg border border-line bg-surface lg:h-[calc(100dvh-9.5rem)] lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <nav
        aria-label={label}
        className={cn("min-h-0 overflow-y-auto border-line lg:block lg:border-r", open && "hidden")}
      >
        {list}
      </nav>
      <div className={cn("min-h-0 overflow-y-auto bg-canvas lg:block", !open && "hidden")}>{reading}</div>
    </div>
  );
}

/** One line of the list. */
export function InboxItem({
  active,
  onSelect,
  title,
  time,
  line,
  mark,
}: {
  active: boolean;
  onSelect: () => void;
  title: ReactNode;
  time: ReactNode;
  line: ReactNode;
  mark?: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-current={active ? "true" : undefined}
      onClick={onSelect}
      className={cn(
        "block w-full border-b border-line px-4 py-3 text-left transition-colors",
        active ? "bg-selected" : "hover:bg-hover",
      )}
    >
      <span className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          {mark}
          <span className="truncate text-sm font-medium">{title}</span>
        </span>
        <span className="shrink-0 text-xs text-ink-muted">{time}</span>
      </span>
      <span className="mt-0.5 block truncate text-sm text-ink-muted">{line}</span>
    </button>
  );
}
