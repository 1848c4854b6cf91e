"use client";

import { columnVisibilityFeature, tableFeatures, useTable, type ColumnDef } from "@tanstack/react-table";
import { ChevronRight, Columns3 } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useRemembered } from "./use-remembered.ts";

export type DataColumn<Row> = {
  id: string;
  /** Header text and the name in the column menu. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** Tailwind width of the grey bar that stands here while loading. */
  skeleton: string;
  className?: string;
  align?: "left" | "right";
  /** Cannot be hidden: the row would have no name without it. */
  fixed?: boolean;
  hiddenAtFirst?: boolean;
  /** Header text for screen readers only. */
  hideLabel?: boolean;
};

/** Rows that hold others: the page puts those behind them when they are open. */
export type Expansion<Row> = {
  /** null: nothing to expand. */
  isOpen: (row: Row) => boolean | null;
  toggle: (row: Row) => void;
  /** Names the control, e.g. "Variants of order-shipped". */
  label: (row: Row) => string;
};

const features = tableFeatures({ columnVisibilityFeature });
const noRows: never[] = [];

function hiddenAtFirst<Row>(columns: readonly DataColumn<Row>[]): Record<string, boolean> {
  return Object.fromEntries(
    columns.filter((column) => column.hiddenAtFirst).map((column) => [column.id, false]),
  );
}

/** Which columns are shown, remembered per table in this browser. */
export function useColumnVisibility<Row>(tableId: string, columns: readonly DataColumn<Row>[]) {
  return useRemembered<Record<string, boolean>>(`columns:${tableId}`, hiddenAtFirst(columns));
}

export function ColumnMenu<Row>({
  tableId,
  columns,
}: {
  tableId: string;
  columns: readonly DataColumn<Row>[];
}) {
  const [visibility, setVisibility] = useColumnVisibility(tableId, columns);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Choose columns"
          title="Choose columns"
          className="hidden sm:inline-flex"
        >
          <Columns3 aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel>Columns</DropdownMenuLabel>
        {columns
          .filter((column) => !column.fixed)
          .map((column) => (
            <DropdownMenuCheckboxItem
              key={column.id}
              checked={visibility[column.id] !== false}
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={(checked) => setVisibility({ ...visibility, [column.id]: checked })}
            >
              {column.label}
            </DropdownMenuCheckboxItem>
          ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/**
 * A dense table over rows that the server has filtered, sorted and cut.
 *
 * Clicking a row, or Enter on it, opens it; J and K walk through the rows, and take an open panel along. With `expansion`,
 * the right and left arrows open and close a row that holds others.
 * `rows` undefined means loading and draws skeletons from the same column definitions; an empty array draws `empty`.
 * Below 640 px `compact` draws each row as one stacked item instead.
 */
export function DataTable<Row extends object>({
  id,
  label,
  columns,
  rows,
  rowId,
  rowLabel,
  onOpen,
  openId,
  empty,
  compact,
  skeletonRows = 12,
  footer,
  freshIds,
  expansion,
}: {
  id: string;
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  rowLabel: (row: Row) => string;
  onOpen?: (row: Row) => void;
  openId?: string | null;
  empty: ReactNode;
  compact: (row: Row) => ReactNode;
  skeletonRows?: number;
  footer?: ReactNode;
  /** Rows that arrived while the reader looked on; they glow once. */
  freshIds?: ReadonlySet<string>;
  expansion?: Expansion<Row>;
}) {
  const [visibility] = useColumnVisibility(id, columns);
  const [cursorId, setCursorId] = useState<string | null>(null);
  const container = useRef<HTMLDivElement>(null);

  const definitions = useMemo<ColumnDef<typeof features, Row>[]>(
    () =>
      columns.map((column) => ({ id: column.id, header: column.label, enableHiding: column.fixed !== true })),
    [columns],
  );
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows ?? noRows,
    getRowId: (row) => rowId(row),
    state: { columnVisibility: visibility },
  });
  const shown = table.getVisibleLeafColumns().flatMap((column) => byId.get(column.id) ?? []);

  const activeId = openId ?? cursorId;
  function move(step: 1 | -1) {
    if (!rows || rows.length === 0) return;
    const index = rows.findIndex((row) => rowId(row) === activeId);
    const next = rows[index === -1 ? (step === 1 ? 0 : rows.length - 1) : index + step];
    if (!next) return;
    setCursorId(rowId(next));
    if (openId) onOpen?.(next);
  }
  useShortcut("j", () => move(1), { label: "Next row" });
  useShortcut("k", () => move(-1), { label: "Previous row" });
  useShortcut(
    "Enter",
    () => {
      const row = rows?.find((each) => rowId(each) === cursorId);
      if (row) onOpen?.(row);
    },
    { label: "Open row", enabled: onOpen !== undefined && cursorId !== null && !openId },
  );
  const underCursor = rows?.find((each) => rowId(each) === activeId);
  function expand(open: boolean) {
    if (underCursor && expansion?.isOpen(underCursor) === !open) expansion.toggle(underCursor);
  }
  useShortcut("ArrowRight", () => expand(true), { label: "Expand row", enabled: expansion !== undefined });
  useShortcut("ArrowLeft", () => expand(false), { label: "Collapse row", enabled: expansion !== undefined });
  useEffect(() => {
    if (!activeId) return;
    container.current
      ?.querySelector(`[data-row-id="${CSS.escape(activeId)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  if (rows?.length === 0) {
    return <div className="rounded-lg border border-line bg-surface">{empty}</div>;
  }

  function open(row: Row) {
    setCursorId(rowId(row));
    onOpen?.(row);
  }

  return (
    <div
      ref={container}
      className="overflow-hidden rounded-lg border border-line bg-surface"
      aria-busy={rows === undefined}
    >
      <div className="hidden overflow-x-auto sm:block">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr className="border-b border-line bg-canvas">
              {shown.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  className={cn(
                    "h-8 px-3 text-left text-xs font-medium whitespace-nowrap text-ink-muted first:pl-4 last:pr-4",
                    column.align === "right" && "text-right",
                    column.className,
                  )}
                >
                  {column.hideLabel ? <span className="sr-only">{column.label}</span> : column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? Array.from({ length: skeletonRows }, (_, index) => (
                  <tr key={index} className="h-9 border-b border-line last:border-0">
                    {shown.map((column) => (
                      <td key={column.id} className={cn("px-3 first:pl-4 last:pr-4", column.className)}>
                        <Skeleton className={cn(column.skeleton, column.align === "right" && "ml-auto")} />
                      </td>
                    ))}
                  </tr>
                ))
              : table.getRowModel().rows.map(({ id: each, original: row }) => (
                  <tr
                    key={each}
                    data-row-id={each}
                    aria-selected={each === activeId}
                    className={cn(
                      "h-9 border-b border-line transition-colors last:border-0",
                      onOpen && "cursor-pointer hover:bg-hover",
                      each === activeId && "bg-selected hover:bg-selected",
                      freshIds?.has(each) && "animate-in duration-700 fade-in-0",
                    )}
                    onClick={(event) => {
                      // A click that selects text, or lands on a control inside the row, is not meant for the row.
                      const target = event.target as HTMLElement;
                      // A menu of the row is drawn elsewhere, but its clicks come through here.
                      if (!event.currentTarget.contains(target)) return;
                      if (window.getSelection()?.toString() || target.closest("a,button,input,label")) return;
                      open(row);
                    }}
                  >
                    {shown.map((column, index) => (
                      <td
                        key={column.id}
                        className={cn(
                          "px-3 whitespace-nowrap first:pl-4 last:pr-4",
                          column.align === "right" && "text-right tabular",
                          column.className,
                        )}
                      >
                        {index === 0 && onOpen ? (
                          <span className="flex max-w-full items-center">
                            {expansion ? (
                              <Expander row={row} expansion={expansion} className="-ml-2" />
                            ) : null}
                            <button
                              type="button"
                              className="flex h-9 min-w-0 items-center text-left"
                              onClick={() => open(row)}
                            >
                              {/* Before what is seen, which is part of the name: it can be said to a computer that listens. */}
                              <span className="sr-only">{rowLabel(row)}: </span>
                              {column.cell(row)}
                            </button>
                          </span>
                        ) : (
                          column.cell(row)
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>

      <ul className="divide-y divide-line sm:hidden" aria-label={label}>
        {rows === undefined
          ? Array.from({ length: 8 }, (_, index) => (
              <li key={index} className="grid gap-2 px-4 py-3">
                <Skeleton className="w-3/5" />
                <Skeleton className="w-2/5" />
              </li>
            ))
          : rows.map((row) => (
              <li key={rowId(row)} className="flex items-start">
                {expansion ? <Expander row={row} expansion={expansion} className="mt-2 ml-1" /> : null}
                {onOpen ? (
                  <button
                    type="button"
                    className={cn(
                      "block w-full min-w-0 py-3 pr-4 text-left active:bg-hover",
                      expansion ? "pl-1" : "pl-4",
                    )}
                    onClick={() => open(row)}
                  >
                    {compact(row)}
                  </button>
                ) : (
                  <div className="min-w-0 flex-1 px-4 py-3">{compact(row)}</div>
                )}
              </li>
            ))}
      </ul>
      {footer}
    </div>
  );
}

function Expander<Row>({
  row,
  expansion,
  className,
}: {
  row: Row;
  expansion: Expansion<Row>;
  className?: string;
}) {
  const isOpen = expansion.isOpen(row);
  if (isOpen === null) return <span aria-hidden className={cn("w-7 shrink-0", className)} />;
  return (
    <Button
      variant="ghost"
      size="iconSm"
      aria-expanded={isOpen}
      aria-label={expansion.label(row)}
      className={cn("text-ink-faint", className)}
      onClick={() => expansion.toggle(row)}
    >
      <ChevronRight aria-hidden className={cn("transition-transform", isOpen && "rotate-90")} />
    </Button>
  );
}
