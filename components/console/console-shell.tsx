"use client";

import {
  Building2,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  RadioTower,
  ScrollText,
  Server,
  Sun,
  UserRound,
} from "lucide-react";
import { useTheme } from "next-themes";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { LogoMark } from "../layout/logo.tsx";
import { OfflineBanner } from "../layout/offline-banner.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
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
import { Link } from "../ui/link.tsx";
import { HoldBanner } from "./hold-banner.tsx";
import { signOutOfConsole } from "./sign-out.ts";

const pages = [
  { label: "Organisations", path: "/console/organisations", icon: Building2 },
  { label: "Channels", path: "/console/channels", icon: RadioTower },
  { label: "Installation", path: "/console/installation", icon: Server },
  { label: "Log", path: "/console/log", icon: ScrollText },
] as const;

/** The frame of the console: its pages, along the top. */
export function ConsoleShell({
  operator,
  children,
}: {
  operator: { name: string; email: string };
  children: ReactNode;
}) {
  const pathname = usePathname();
  return (
    <div className="min-h-dvh">
      <a
        href="#main"
        className="fixed top-3 left-3 z-70 -translate-y-20 rounded-md bg-accent px-3 py-2 text-sm font-medium text-accent-ink focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-canvas">
        <div className="mx-auto flex max-w-[80rem] flex-wrap items-center gap-x-2 px-4 sm:h-13 sm:flex-nowrap sm:gap-x-4 sm:px-6 lg:px-8">
          <Link href="/console/organisations" className="flex h-11 items-center gap-2 text-sm font-semibold">
            <LogoMark className="size-6" />
            <span className="sr-only sm:not-sr-only">Tidings</span>
          </Link>
          <Badge tone="outline" className="mr-auto md:mr-0">
            Operator console
          </Badge>
          <nav
            aria-label="Console"
            className="order-last -mx-2 w-full pb-1.5 sm:order-none sm:mx-0 sm:w-auto sm:flex-1 sm:pb-0"
          >
            <ul className="flex items-center gap-1">
              {pages.map(({ label, path, icon: Icon }) => {
                const active = pathname === path || pathname.startsWith(`${path}/`);
                return (
                  <li key={path} className="min-w-0">
                    <Link
                      href={path}
                      aria-current={active ? "page" : undefined}
                      className={cn(
                        "flex h-8 min-w-0 items-center gap-2 rounded-md px-2 text-sm",
                        active
                          ? "bg-selected font-medium text-ink"
                          : "text-ink-muted hover:bg-hover hover:text-ink",
                      )}
                    >
                      <Icon className="hidden size-4 shrink-0 sm:block" strokeWidth={1.85} aria-hidden />
                      <span className="truncate">{label}</span>
                    </Link>
                  </li>
                );
              })}
            </ul>
          </nav>
          <OperatorMenu {...operator} />
        </div>
      </header>
      <OfflineBanner />
      <HoldBanner />
      <main id="main">{children}</main>
    </div>
  );
}

function OperatorMenu({ name, email }: { name: string; email: string }) {
  const { theme, setTheme } = useTheme();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" aria-label={`Account: ${name}`} className="px-2">
          <UserRound aria-hidden />
          <span className="hidden max-w-40 truncate md:block">{name}</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-60">
        <DropdownMenuLabel>
          <span className="block truncate">{name}</span>
          <span className="block truncate font-normal text-ink-faint">{email}</span>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href="/console/account">
            <KeyRound aria-hidden /> Second factor
          </Link>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
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
        <DropdownMenuItem onSelect={() => void signOutOfConsole()}>
          <LogOut aria-hidden /> Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
