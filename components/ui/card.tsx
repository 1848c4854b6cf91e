import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";
import { isolated } from "./isolated.ts";

export function Card({ className, ...props }: ComponentProps<"section">) {
  return <section className={cn("rounded-lg border border-line bg-surface", className)} {...props} />;
}

export function CardHeader({
  title,
  description,
  actions,
  className,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  return (
    <header
      className={cn("flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-3.5 pb-3", className)}
    >
      <div className="min-w-0 flex-1 basis-48 break-words">
        <h2 className="text-sm font-semibold">{isolated(title)}</h2>
        {description ? <p className="mt-0.5 text-xs text-ink-muted">{isolated(description)}</p> : null}
      </div>
      {actions ? <div className="flex items-center gap-1.5">{actions}</div> : null}
    </header>
  );
}

/** Name and value pairs, as a description list; null: nothing is known of it. */
export function Facts({
  items,
  className,
}: {
  items: readonly ({ label: string; value: ReactNode } | null)[];
  className?: string;
}) {
  return (
    <dl className={cn("grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm", className)}>
      {items
        .filter((item) => item !== null)
        .map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-ink-muted">{label}</dt>
            <dd className="min-w-0 break-words">{isolated(value)}</dd>
          </div>
        ))}
    </dl>
  );
}
