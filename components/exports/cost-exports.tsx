"use client";

import { ChevronDown, FileDown } from "lucide-react";
import { Button } from "../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { useStartExport } from "./start-export.tsx";

/** First moment of a month, in UTC as costs are counted; 0 is this month, -1 the one before. */
function monthFrom(now: Date, offset: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
}

const periods: readonly { label: string; of: (now: Date) => { from?: string; to?: string } }[] = [
  { label: "This month", of: (now) => ({ from: monthFrom(now, 0) }) },
  { label: "Last month", of: (now) => ({ from: monthFrom(now, -1), to: monthFrom(now, 0) }) },
  { label: "Last 12 whole months", of: (now) => ({ from: monthFrom(now, -12), to: monthFrom(now, 0) }) },
  { label: "All time", of: () => ({}) },
];

/** The ledger of costs of a period, of all environments. */
export function CostExports() {
  const start = useStartExport();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button disabled={start.isPending}>
          <FileDown aria-hidden /> Export costs <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-64">
        <DropdownMenuLabel>
          One row per charge, of all environments and applications. Months are UTC
        </DropdownMenuLabel>
        {periods.map(({ label, of }) => (
          <DropdownMenuItem
            key={label}
            onSelect={() => start.mutate({ kind: "costs", filter: of(new Date()) })}
          >
            {label}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
