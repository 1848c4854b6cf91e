"use client";

import { Keyboard, LogOut, Monitor, Moon, ShieldCheck, Sun } from "lucide-react";
import { signOut } from "../access/sign-out.ts";
import { useTheme } from "next-themes";
import { usePortal } from "../portal/portal-context.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { leaveAll } from "../ui/leaving.ts";
import { Link } from "../ui/link.tsx";

function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  return ((words[0]?.[0] ?? "?") + (words.length > 1 ? (words[1]?.[0] ?? "") : "")).toUpperCase();
}

export function UserMenu() {
  const { user, href } = usePortal();
  const { theme, setTheme } = useTheme();
  const name = user.name || user.email;

  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex h-10 w-full min-w-0 items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover">
        <span className="sr-only">Account: </span>
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-2xs font-semibold text-accent-text"
        >
          {initials(name)}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm leading-4 font-medium">{name}</span>
          <span className="block truncate text-2xs text-ink-faint">{user.email}</span>
        </span>
      </DropdownMenuTrigger>
      <DropdownMenuContent side="top" align="start" className="w-60">
        <DropdownMenuLabel>Appearance</DropdownMenuLabel>
        <DropdownMenuRadioGroup value={theme ?? "system"} onValueChange={setTheme}>
          <DropdownMenuRadioItem value="light">
            <Sun aria-hidden /> Light
          </DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="dark">
            <Moon aria-hidden /> Dark
          </DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="system">
            <Monitor aria-hidden /> System
          </DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href={href("/account")}>
            <ShieldCheck aria-hidden /> Your account
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem
          onSelect={() => {
            // The listener that opens the overview sits on window; one code path for key and menu.
            setTimeout(() => window.dispatchEvent(new KeyboardEvent("keydown", { key: "?" })), 150);
          }}
        >
          <Keyboard aria-hidden /> Keyboard shortcuts
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => leaveAll(() => void signOut())}>
          <LogOut aria-hidden /> Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
