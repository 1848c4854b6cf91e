import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** What is only read by those who ask for it: a line that opens it. */
export function Fold({
  summary,
  open,
  className,
  children,
}: {
  summary: string;
  /** From the start. */
  open?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={className} open={open}>
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-xs text-ink-muted hover:text-ink">
        <ChevronRight
          className="size-3 transition-transform [details[open]>summary>&]:rotate-90"
          aria-hidden
        />
        {summary}
      </summary>
      {children}
    </details>
  );
}
