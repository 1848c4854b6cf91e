"use client";

import { columnVisibilityFeature, tableFeatures, useTable, type ColumnDef } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronRight, Columns3 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { cn } from "../ui/cn.ts";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { titleWhatIsCut } from "./title-what-is-cut.ts";
import { useFits } from "./use-fits.ts";
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

/** Rows that can be ticked, on this page and kept by the page over others. */
type Selection<Row> = {
  selected: ReadonlySet<string>;
  /** Ticks or unticks rows of this page. */
  onSelect: (rows: readonly Row[], ticked: boolean) => void;
  /** Names a row's box, e.g. "Select message to +49…". */
  label: (row: Row) => string;
};

/** The order of the rows: the column they are in order of, and which way. The server sorts. */
type Sorting = {
  column: string;
  direction: "ascending" | "descending";
  /** What the other way is called, e.g. "Oldest first". */
  reverseLabel: string;
  reverse: () => void;
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
 * With `hrefOf` the first cell of a row is a link, so that it works before the page listens and opens in another tab like any link;
 * clicking elsewhere in the row does the same. `onOpen` takes a plain click instead, for a panel beside the list. Enter opens the row
 * that J and K, which walk through the rows, have come to; they take an open panel along. With `expansion`, the right and left arrows
 * open and close a row that holds others. With `selection` rows have boxes, and X ticks the row that J and K have come to.
 *
 * Headers stay in view while the page scrolls, as long as the table is not wider than its place. What a cell cuts off is its title.
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
  hrefOf,
  onOpen,
  openId,
  empty,
  compact,
  skeletonRows = 12,
  footer,
  freshIds,
  expansion,
  selection,
  sorting,
}: {
  id: string;
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  rowLabel: (row: Row) => string;
  /** The address of a row's own page or panel; null: it has none. */
  hrefOf?: ((row: Row) => string | null) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  openId?: string | null;
  empty: ReactNode;
  compact: (row: Row) => ReactNode;
  skeletonRows?: number;
  footer?: ReactNode;
  /** Rows that arrived while the reader looked on; they glow once. */
  freshIds?: ReadonlySet<string>;
  expansion?: Expansion<Row>;
  selection?: Selection<Row> | undefined;
  sorting?: Sorting | undefined;
}) {
  const router = useRouter();
  const [visibility] = useColumnVisibility(id, columns);
  const [cursorId, setCursorId] = useState<string | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const { ref: scroller, fits } = useFits();
  const opens = onOpen !== undefined || hrefOf !== undefined;

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
    else focusRow(container.current, rowId(next));
  }
  const hadPanel = useRef(false);
  useEffect(() => {
    // The panel was taken along: the focus comes back to the row that it has come to.
    if (hadPanel.current && !openId && cursorId && document.activeElement === document.body)
      focusRow(container.current, cursorId);
    hadPanel.current = Boolean(openId);
  }, [openId, cursorId]);
  function open(row: Row) {
    setCursorId(rowId(row));
    const address = hrefOf?.(row) ?? null;
    if (onOpen) onOpen(row);
    else if (address !== null) router.push(address);
  }
  function openElsewhere(row: Row) {
    const address = hrefOf?.(row) ?? null;
    if (address !== null) window.open(address, "_blank", "noopener");
  }
  /** A plain click on a link of a list with a panel opens the panel; any other click is the browser's. */
  function follow(event: MouseEvent, row: Row) {
    if (!isPlain(event)) return;
    setCursorId(rowId(row));
    if (!onOpen) return;
    event.preventDefault();
    onOpen(row);
  }
  useShortcut("j", () => move(1), { label: "Next row" });
  useShortcut("k", () => move(-1), { label: "Previous row" });
  useShortcut(
    "Enter",
    () => {
      const row = rows?.find((each) => rowId(each) === cursorId);
      if (row) open(row);
    },
    { label: "Open row", enabled: opens && cursorId !== null && !openId },
  );
  const underCursor = rows?.find((each) => rowId(each) === activeId);
  function expand(open: boolean) {
    if (underCursor && expansion?.isOpen(underCursor) === !open) expansion.toggle(underCursor);
  }
  useShortcut("ArrowRight", () => expand(true), { label: "Expand row", enabled: expansion !== undefined });
  useShortcut("ArrowLeft", () => expand(false), { label: "Collapse row", enabled: expansion !== undefined });
  useShortcut(
    "x",
    () => {
      if (underCursor && selection)
        selection.onSelect([underCursor], !selection.selected.has(rowId(underCursor)));
    },
    { label: "Select row", enabled: selection !== undefined },
  );
  useEffect(() => {
    if (!activeId) return;
    container.current
      ?.querySelector(`[data-row-id="${CSS.escape(activeId)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  if (rows?.length === 0) {
    // With the footer: of a later page that was emptied, it is the way back to the others.
    return (
      <div className="overflow-clip rounded-lg border border-line bg-surface">
        {empty}
        {footer}
      </div>
    );
  }

  const ticked = selection ? (rows ?? []).filter((row) => selection.selected.has(rowId(row))).length : 0;

  return (
    <div
      ref={container}
      className="overflow-clip rounded-lg border border-line bg-surface"
      aria-busy={rows === undefined}
    >
      <div ref={scroller} className={cn("hidden sm:block", fits ? "overflow-x-clip" : "overflow-x-auto")}>
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{label}</caption>
          <thead
            className={cn(
              "bg-canvas shadow-[inset_0_-1px_0_var(--color-line)]",
              fits && "sticky top-13 z-10 lg:top-0",
            )}
          >
            <tr>
              {selection ? (
                <th scope="col" className="w-10 pl-4">
                  <Checkbox
                    aria-label="Select all on this page"
                    className="align-middle"
                    disabled={!rows || rows.length === 0}
                    checked={ticked === 0 ? false : ticked === rows?.length ? true : "indeterminate"}
                    onCheckedChange={() => selection.onSelect(rows ?? [], ticked !== rows?.length)}
                  />
                </th>
              ) : null}
              {shown.map((column) => {
                const sorted = sorting?.column === column.id ? sorting : undefined;
                return (
                  <th
                    key={column.id}
                    scope="col"
                    aria-sort={sorted?.direction}
                    className={cn(
                      cellStyle,
                      "h-8 text-left text-xs font-medium text-ink-muted",
                      column.align === "right" && "text-right",
                      column.className,
                    )}
                  >
                    {sorted ? (
                      <button
                        type="button"
                        title={sorted.reverseLabel}
                        className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
                        onClick={sorted.reverse}
                      >
                        {column.label}
                        {sorted.direction === "descending" ? (
                          <ArrowDown className="size-3" aria-hidden />
                        ) : (
                          <ArrowUp className="size-3" aria-hidden />
                        )}
                      </button>
                    ) : column.hideLabel ? (
                      <span className="sr-only">{column.label}</span>
                    ) : (
                      column.label
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? Array.from({ length: skeletonRows }, (_, index) => (
                  <tr key={index} className="h-9 border-b border-line last:border-0">
                    {selection ? <td className="w-10 pl-4" /> : null}
                    {shown.map((column) => (
                      <td key={column.id} className={cn(cellStyle, column.className)}>
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
                      opens && "cursor-pointer hover:bg-hover",
                      selection?.selected.has(each) && "bg-selected",
                      each === activeId && "bg-selected hover:bg-selected",
                      freshIds?.has(each) && "animate-in duration-700 fade-in-0",
                    )}
                    onClick={(event) => {
                      if (!isForRow(event)) return;
                      if (hrefOf && !isPlain(event)) openElsewhere(row);
                      else open(row);
                    }}
                    onAuxClick={(event) => {
                      // The middle button, which opens links in another tab.
                      if (event.button === 1 && isForRow(event)) openElsewhere(row);
                    }}
                  >
                    {selection ? (
                      <td className="w-10 pl-4">
                        <RowBox row={row} id={each} selection={selection} className="align-middle" />
                      </td>
                    ) : null}
                    {shown.map((column, index) => (
                      <td
                        key={column.id}
                        onPointerEnter={titleWhatIsCut}
                        className={cn(
                          cellStyle,
                          "overflow-hidden text-ellipsis",
                          column.align === "right" && "text-right tabular",
                          column.className,
                        )}
                      >
                        {index === 0 && opens ? (
                          <span className="flex max-w-full items-center">
                            {expansion ? (
                              <Expander row={row} expansion={expansion} className="-ml-2" />
                            ) : null}
                            <Opener
                              href={hrefOf?.(row) ?? null}
                              label={rowLabel(row)}
                              className="flex h-9 min-w-0 flex-1 items-center overflow-hidden text-left -outline-offset-2 [&>*]:min-w-0"
                              onFollow={(event) => follow(event, row)}
                              onOpen={onOpen && (() => open(row))}
                            >
                              {column.cell(row)}
                            </Opener>
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
                {selection ? (
                  // As large as a finger.
                  <label className="grid size-10 shrink-0 place-items-center pt-1">
                    <RowBox row={row} id={rowId(row)} selection={selection} />
                  </label>
                ) : null}
                <Opener
                  href={hrefOf?.(row) ?? null}
                  className={cn(
                    "block w-full min-w-0 flex-1 py-3 pr-4 text-left",
                    expansion || selection ? "pl-1" : "pl-4",
                  )}
                  onFollow={(event) => follow(event, row)}
                  onOpen={onOpen && (() => open(row))}
                >
                  {compact(row)}
                </Opener>
              </li>
            ))}
      </ul>
      {footer}
    </div>
  );
}

/** Gives the focus to what opens a row, so that Enter is about the row that is lit; where nothing does, to nothing of the table. */
function focusRow(table: HTMLElement | null, id: string) {
  const opener = table?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"] [data-opener]`);
  const focused = document.activeElement;
  if (opener) opener.focus({ preventScroll: true });
  else if (focused instanceof HTMLElement && table?.contains(focused)) focused.blur();
}

/** Long names are cut rather than pushing other columns out of view; a column may give itself more room. */
const cellStyle = "max-w-72 px-3 whitespace-nowrap first:pl-4 last:pr-4";

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A click that selects text, or lands on a control inside the row, is not meant for the row. */
function isForRow(event: MouseEvent<HTMLElement>): boolean {
  const target = event.target as HTMLElement;
  // A menu of the row is drawn elsewhere, but its clicks come through here.
  if (!event.currentTarget.contains(target)) return false;
  return !window.getSelection()?.toString() && !target.closest("a,button,input,label");
}

/** What opens a row: a link where it has an address, a button where it has only something to do, or nothing of both. */
function Opener({
  href,
  label,
  className,
  onFollow,
  onOpen,
  children,
}: {
  href: string | null;
  label?: string;
  className: string;
  onFollow: (event: MouseEvent) => void;
  onOpen: (() => void) | undefined;
  children: ReactNode;
}) {
  const content = (
    <>
      {/* Before what is seen, which is part of the name: it can be said to a computer that listens. */}
      {label === undefined ? null : <span className="sr-only">{label}: </span>}
      {children}
    </>
  );
  if (href !== null && onOpen) {
    // Not fetched ahead: a plain click opens the panel.
    return (
      <a href={href} data-opener="" className={cn(className, "active:bg-hover")} onClick={onFollow}>
        {content}
      </a>
    );
  }
  if (href !== null) {
    return (
      <Link href={href} data-opener="" className={cn(className, "active:bg-hover")} onClick={onFollow}>
        {content}
      </Link>
    );
  }
  if (!onOpen) return <div className={className}>{children}</div>;
  return (
    <button type="button" data-opener="" className={cn(className, "active:bg-hover")} onClick={onOpen}>
      {content}
    </button>
  );
}

function RowBox<Row>({
  row,
  id,
  selection,
  className,
}: {
  row: Row;
  id: string;
  selection: Selection<Row>;
  className?: string;
}) {
  return (
    <Checkbox
      aria-label={selection.label(row)}
      className={className}
      checked={selection.selected.has(id)}
      onCheckedChange={(ticked) => selection.onSelect([row], ticked === true)}
    />
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
