"use client";

import { formatNumber, formatPercent } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { topOf } from "./prepare-series.ts";

/** Groups by size as horizontal bars, each a link that narrows to it. Says how many groups are not shown. */
export function RankedBars({
  groups,
  limit = 6,
  color,
}: {
  groups: readonly { key: string; label: string; hint?: string; count: number; href?: string }[];
  limit?: number;
  color: string;
}) {
  const { top, restCount, restGroups } = topOf(groups, limit);
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const largest = top[0]?.count ?? 1;
  return (
    <div>
      <ol className="grid grid-cols-1 gap-0.5">
        {top.map((group) => {
          const content = (
            <>
              <span
                aria-hidden
                className="absolute inset-y-0 left-0 rounded-sm opacity-20"
                style={{ width: `${Math.max((group.count / largest) * 100, 1.5)}%`, background: color }}
              />
              <span className="relative flex min-w-0 flex-1 items-baseline gap-2">
                <bdi className="truncate" title={group.label}>
                  {group.label}
                </bdi>
                {group.hint ? <span className="shrink-0 text-xs text-ink-muted">{group.hint}</span> : null}
              </span>
              <span className="relative font-medium tabular">{formatNumber(group.count)}</span>
              <span className="relative w-12 text-right text-xs text-ink-muted tabular">
                {formatPercent(total === 0 ? 0 : group.count / total, 0)}
              </span>
            </>
          );
          const style = "relative flex h-8 items-center gap-3 rounded-sm px-2 text-sm";
          return (
            <li key={group.key}>
              {group.href ? (
                <Link href={group.href} className={`${style} hover:bg-hover`}>
                  {content}
                </Link>
              ) : (
                <div className={style}>{content}</div>
              )}
            </li>
          );
        })}
      </ol>
      {restGroups > 0 ? (
        <p className="mt-2 px-2 text-xs text-ink-muted">
          Top {top.length} of {groups.length}; {formatNumber(restCount)} in the others
        </p>
      ) : null}
    </div>
  );
}
