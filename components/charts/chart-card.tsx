"use client";

import { ChartColumnBig, ChartLine, Download, Table2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { LoadFailed } from "../ui/empty-state.tsx";
import { formatNumber } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { toCsv } from "./prepare-series.ts";

type Cell = string | number | null;

/** What a chart shows, as rows; the same rows make the table and the CSV. `hrefs`: where the rows of the table lead. */
export type ChartTable = {
  header: readonly string[];
  rows: readonly (readonly Cell[])[];
  hrefs?: readonly (string | null)[];
};

/** As many rows are shown; the file has them all. */
const mostRows = 1_000;

/** Frame around a chart: title, what is behind it as a table or CSV, and its loading, failed and empty faces. */
export function ChartCard({
  title,
  description,
  state,
  table,
  fileName,
  emptyText,
  onRetry,
  legend,
  height = 240,
  className,
  children,
}: {
  title: string;
  description?: ReactNode;
  state: "loading" | "failed" | "empty" | "ready";
  table: ChartTable;
  fileName: string;
  emptyText: string;
  onRetry?: () => void;
  legend?: ReactNode;
  height?: number;
  className?: string;
  children: ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);

  function download() {
    const blob = new Blob(["\uFEFF", toCsv(table.header, table.rows)], { type: "text/csv;charset=utf-8" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${fileName}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <Card className={cn("flex min-w-0 flex-col", className)} aria-busy={state === "loading"}>
      <CardHeader
        className="flex-nowrap"
        title={title}
        description={description}
        actions={
          state === "ready" ? (
            <>
              <Button
                variant="ghost"
                size="iconSm"
                className="print:hidden"
                aria-label={asTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
                title={asTable ? "Show the chart" : "Show the table"}
                aria-pressed={asTable}
                onClick={() => setAsTable(!asTable)}
              >
                {asTable ? <ChartLine aria-hidden /> : <Table2 aria-hidden />}
              </Button>
              <Button
                variant="ghost"
                size="iconSm"
                className="print:hidden"
                aria-label={`Download ${title} as CSV`}
                title="Download CSV"
                onClick={download}
              >
                <Download aria-hidden />
              </Button>
            </>
          ) : null
        }
      />
      {legend && !asTable && state !== "failed" ? (
        <div className="min-h-6.5 px-4 pb-2">
          {state === "ready" ? legend : state === "loading" ? <Skeleton className="h-4.5 w-48" /> : null}
        </div>
      ) : null}
      <div className="min-w-0 flex-1 px-4 pb-4">
        {state === "loading" ? (
          <ChartSkeleton height={height} />
        ) : state === "failed" ? (
          <LoadFailed what={title.toLowerCase()} onRetry={onRetry} className="py-6" />
        ) : state === "empty" ? (
          <div
            style={{ height }}
            className="grid place-items-center rounded-md border border-dashed border-line"
          >
            <p className="flex flex-col items-center gap-2 px-6 text-center text-sm text-ink-muted">
              <ChartColumnBig className="size-5 text-ink-faint" strokeWidth={1.75} aria-hidden />
              {emptyText}
            </p>
          </div>
        ) : asTable ? (
          <div
            style={{ maxHeight: height + 40 }}
            className="overflow-auto rounded-md border border-line print:max-h-none! print:overflow-visible"
            tabIndex={0}
            role="region"
            aria-label={`${title}, table`}
          >
            <table className="w-full text-xs tabular">
              <thead className="sticky top-0 bg-canvas">
                <tr>
                  {table.header.map((name, index) => (
                    <th
                      key={`${String(index)} ${name}`}
                      scope="col"
                      className={cn(
                        "px-3 py-1.5 text-left font-medium text-ink-muted",
                        index > 0 && "text-right",
                      )}
                    >
                      <bdi className="block max-w-48 truncate" title={name}>
                        {name}
                      </bdi>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.slice(0, mostRows).map((row, index) => (
                  <tr key={index} className="border-t border-line">
                    {row.map((cell, column) => (
                      <td
                        key={column}
                        className={cn("px-3 py-1.5 whitespace-nowrap", column > 0 && "text-right")}
                      >
                        <TableCell cell={cell} href={column === 0 ? table.hrefs?.[index] : null} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {table.rows.length > mostRows ? (
              <p className="border-t border-line px-3 py-1.5 text-xs text-ink-muted">
                The first {formatNumber(mostRows)} of {formatNumber(table.rows.length)} rows. The CSV contains
                all of them.
              </p>
            ) : null}
          </div>
        ) : (
          children
        )}
      </div>
    </Card>
  );
}

function TableCell({ cell, href }: { cell: Cell; href: string | null | undefined }) {
  const text = typeof cell === "number" ? formatNumber(cell) : (cell ?? "–");
  return href ? (
    <Link
      href={href}
      className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {text}
    </Link>
  ) : (
    <bdi>{text}</bdi>
  );
}

const bars = [38, 52, 44, 66, 58, 74, 62, 80, 70, 55, 64, 48, 60, 72, 66, 50];

function ChartSkeleton({ height }: { height: number }) {
  return (
    <div style={{ height }} className="flex items-end gap-2 pb-6">
      {bars.map((share, index) => (
        <div key={index} style={{ height: `${share}%` }} className="flex-1">
          <Skeleton className="h-full" />
        </div>
      ))}
    </div>
  );
}

export function Legend({
  items,
}: {
  items: readonly { key?: string; label: string; color: string; dashed?: boolean }[];
}) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
      {items.map((item) => (
        <li key={item.key ?? item.label} className="inline-flex max-w-full min-w-0 items-center gap-1.5">
          <svg width="10" height="10" className="shrink-0" aria-hidden>
            {item.dashed ? (
              <line x1="0" y1="5" x2="10" y2="5" stroke={item.color} strokeWidth="2" strokeDasharray="3 2" />
            ) : (
              <rect width="10" height="10" rx="2.5" fill={item.color} />
            )}
          </svg>
          <bdi className="max-w-56 truncate" title={item.label}>
            {item.label}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
