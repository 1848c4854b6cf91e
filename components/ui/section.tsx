import type { ReactNode } from "react";
import { cn } from "./cn.ts";
import { isolated } from "./isolated.ts";

/** A titled part of a panel or page, separated by a line. */
export function Section({
  title,
  actions,
  children,
  className,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={cn("border-b border-line px-5 py-4 last:border-0", className)}>
      <header className="mb-3 flex min-h-6 items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{isolated(title)}</h3>
        {actions}
      </header>
      {children}
    </section>
  );
}
