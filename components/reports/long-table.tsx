"use client";

import { useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { formatNumber } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";

/** As many groups are seen at first. */
const seen = 20;

/**
 * A long table of groups shows the largest at first, and all of them when asked or on paper. `rowClass` is for the row at a place, `control`
 * stands below the table.
 */
export function useFold(count: number): { rowClass: (index: number) => string; control: ReactNode } {
  const [open, setOpen] = useState(false);
  return {
    rowClass: (index) => (open || index < seen ? "" : "hidden print:table-row"),
    control:
      count > seen ? (
        <div className="px-4 pb-3 print:hidden">
          <Button size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? `Show the ${formatNumber(seen)} largest` : `Show all ${formatNumber(count)}`}
          </Button>
        </div>
      ) : null,
  };
}

/** The head of a group's row; with `onChoose`, it narrows the report to the group. */
export function GroupName({
  label,
  onChoose,
  children,
}: {
  label: string;
  onChoose: (() => void) | undefined;
  children?: ReactNode;
}) {
  return (
    <th scope="row" className="max-w-44 px-4 py-2 text-left font-normal sm:max-w-72">
      {onChoose ? (
        <button
          type="button"
          onClick={onChoose}
          className="max-w-full truncate rounded-sm text-left underline decoration-line-strong underline-offset-2 hover:decoration-ink"
          title={label}
        >
          <bdi>{label}</bdi>
        </button>
      ) : (
        <bdi className="block truncate" title={label}>
          {label}
        </bdi>
      )}
      {children}
    </th>
  );
}

/** Rows where those of a table will be. */
export function LoadingRows({ columns }: { columns: number }) {
  return Array.from({ length: 5 }, (_, row) => (
    <tr key={row} className="border-b border-line last:border-0">
      <td className="px-4 py-2.5">
        <Skeleton className="w-40" />
      </td>
      {Array.from({ length: columns - 1 }, (__, column) => (
        <td key={column} className="px-4 py-2.5">
          <Skeleton className="ml-auto w-12" />
        </td>
      ))}
    </tr>
  ));
}
