"use client";

import { useState, type ReactNode } from "react";
import { cn } from "../../ui/cn.ts";
import { FrameThemeSwitch, useFrameTheme } from "./frame-theme.tsx";
import { dateFormat } from "../../ui/intl.ts";

/** A phone with one conversation open; it may be light in a dark portal and the other way round. */
export function PhoneFrame({
  from,
  kind,
  at,
  children,
  className,
}: {
  from: string;
  /** What stands under the sender's name. */
  kind: string;
  /** When it was sent; now, for what is not sent yet. */
  at: string | null | undefined;
  children: (when: { day: string; time: string }) => ReactNode;
  className?: string;
}) {
  const [theme, setTheme] = useFrameTheme();
  const [now] = useState(() => new Date());
  const sent = at ? new Date(at) : now;
  const time = dateFormat({ hour: "2-digit", minute: "2-digit" }).format(sent);
  // On the reader's clock, on the server as well.
  const date = dateFormat({ dateStyle: "short" });
  const day =
    date.format(sent) === date.format(now)
      ? "Today"
      : dateFormat({ day: "numeric", month: "long" }).format(sent);
  return (
    <div className={cn("grid justify-items-center gap-2", className)}>
      <div
        data-theme={theme}
        className="flex w-full max-w-76 flex-col overflow-hidden rounded-[2rem] border-[6px] border-line-strong bg-sunken text-ink shadow-md"
      >
        <div className="border-b border-line bg-surface px-4 pt-2 pb-2.5">
          <div aria-hidden className="flex items-center justify-between px-1 text-2xs text-ink-muted tabular">
            <span suppressHydrationWarning>{time}</span>
            <span className="h-1 w-12 rounded-full bg-line-strong" />
            <span className="h-2 w-4 rounded-[3px] border border-ink-faint" />
          </div>
          <div className="mt-2 flex min-w-0 items-center gap-2.5">
            <span
              aria-hidden
              className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text"
            >
              {initial(from)}
            </span>
            <span className="min-w-0">
              <span className="block truncate text-sm font-semibold">{from}</span>
              <span className="block text-2xs text-ink-muted">{kind}</span>
            </span>
          </div>
        </div>
        <div className="flex min-h-72 flex-1 flex-col gap-1.5 px-3 py-4">{children({ day, time })}</div>
      </div>
      <FrameThemeSwitch value={theme} onChange={setTheme} />
    </div>
  );
}

function initial(from: string): string {
  const letter = /\p{L}/u.exec(from)?.[0];
  return letter ? letter.toUpperCase() : "#";
}
