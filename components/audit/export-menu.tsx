"use client";

import { Download } from "lucide-react";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";

/** Files of what the filters show, or of everything; the browser saves them while they are written. */
export function ExportMenu({ filter }: { filter: Record<string, string | undefined> }) {
  const { tenant } = usePortal();
  const address = (format: "csv" | "jsonl", filters: Record<string, string | undefined>) => {
    const search = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(filters)) if (value) search.set(name, value);
    return `/${tenant.slug}/audit/export?${search.toString()}`;
  };
  const item = (label: string, hint: string, href: string) => (
    <DropdownMenuItem asChild>
      <a href={href} download className="grid gap-0.5">
        <span>{label}</span>
        <span className="text-xs text-ink-muted">{hint}</span>
      </a>
    </DropdownMenuItem>
  );
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Download aria-hidden /> Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-72">
        <DropdownMenuLabel>Filtered entries</DropdownMenuLabel>
        {item("CSV", "For spreadsheets", address("csv", filter))}
        {item("JSON lines", "With the hash of each entry", address("jsonl", filter))}
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Everything</DropdownMenuLabel>
        {item("JSON lines", "The complete chain, for npm run verify-audit", address("jsonl", {}))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
