import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../ui/cn.ts";
import { formatPercent } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { numberFormat } from "../ui/intl.ts";

/** Change against the previous period. `better` says which direction is good news; volume is neither. */
export function Delta({
  current,
  previous,
  better,
  points,
  quiet,
  pending,
}: {
  current: number | null;
  previous: number | null;
  better?: "up" | "down";
  /** The values are ratios: show the difference in percentage points. */
  points?: boolean;
  /** Nothing where there is nothing to compare with. */
  quiet?: boolean;
  /** What it is compared with is still loading. */
  pending?: boolean;
}) {
  if (pending) return quiet ? null : <Skeleton className="inline-block h-3 w-14 align-middle" />;
  if (current === null || previous === null || (!points && previous === 0)) {
    return quiet ? null : <span className="text-xs text-ink-faint">no earlier data</span>;
  }
  const change = points ? current - previous : (current - previous) / previous;
  const flat = Math.abs(change) < 0.0005;
  const direction = flat ? "flat" : change > 0 ? "up" : "down";
  const Icon = direction === "up" ? ArrowUpRight : direction === "down" ? ArrowDownRight : ArrowRight;
  const good = better === undefined || flat ? null : direction === better;
  const text = flat
    ? "no change"
    : points
      ? `${numberFormat({ maximumFractionDigits: 1, signDisplay: "always" }).format(change * 100)} pts`
      : `${change > 0 ? "+" : "−"}${formatPercent(Math.min(Math.abs(change), 99), Math.abs(change) >= 1 ? 0 : 1)}`;
  return (
    <span
      className={cn(
        "inline-flex items-center gap-0.5 align-middle text-xs font-medium tabular",
        good === null ? "text-ink-muted" : good ? "text-success-text" : "text-danger-text",
      )}
    >
      <Icon className="size-3.5" aria-hidden />
      {text}
    </span>
  );
}

/** One headline figure with its change. It takes the same room before and after it is there, as far as its notes fit into `lines`. */
export function Metric({
  label,
  value,
  delta,
  note,
  lines = 1,
  loading,
}: {
  label: string;
  value: ReactNode;
  delta?: ReactNode;
  note?: ReactNode;
  lines?: 1 | 2;
  loading?: boolean;
}) {
  const room = lines === 1 ? "min-h-5" : "min-h-9";
  return (
    <div className="min-w-0 px-4 py-3.5">
      <p className="truncate text-xs text-ink-muted">{label}</p>
      {loading ? (
        <>
          <div className="mt-0.5 flex h-8 items-center">
            <Skeleton className="h-6 w-24" />
          </div>
          <div className={cn("mt-0.5 pt-1", room)}>
            <Skeleton className="h-3 w-20" />
          </div>
        </>
      ) : (
        <>
          <p className="mt-0.5 text-2xl font-semibold tracking-[-0.02em] tabular">{value}</p>
          <p
            className={cn(
              "mt-0.5 flex flex-wrap content-start items-center gap-x-2 text-xs text-ink-muted",
              room,
            )}
          >
            {delta}
            {note}
          </p>
        </>
      )}
    </div>
  );
}
