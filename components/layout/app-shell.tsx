"use client";

import { Menu, Search } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { Dialog as Primitive } from "radix-ui";
import { useState, type ReactNode } from "react";
import { NoticeBell } from "../notices/notice-bell.tsx";
import { NoticeToasts } from "../notices/notices.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { useGo } from "../ui/leaving.ts";
import { useFirstTouch } from "../ui/use-first-touch.ts";
import { AccessGate } from "./access-gate.tsx";
import { EnvironmentEdge, EnvironmentSwatch } from "./environment-mark.tsx";
import { HoldBanner } from "./hold-banner.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { OutageBanner } from "./outage-banner.tsx";
import { navigation, visibleNavigation } from "./navigation.ts";
import { SideNavigation } from "./side-navigation.tsx";
import { UnknownPlaceBanner } from "./unknown-place-banner.tsx";

const loadPalette = () => import("./command-palette.tsx");
const CommandPalette = dynamic(() => loadPalette().then((module) => module.CommandPalette), { ssr: false });

/** The frame around every page: navigation on the left, one bar on phones, ⌘K and the `g …` keys everywhere. */
export function AppShell({ children }: { children: ReactNode }) {
  const portal = usePortal();
  const pathname = usePathname();
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [isPaletteThere, setIsPaletteThere] = useState(false);
  // Loaded when the reader begins to use the page, so that it is there when they ask for it.
  useFirstTouch(() => {
    loadPalette().then(
      () => setIsPaletteThere(true),
      () => undefined,
    );
  });

  useShortcut("mod+k", () => setPaletteOpen(true), {
    label: "Search and jump",
    group: "Everywhere",
  });
  const current = visibleNavigation(portal).find((item) =>
    pathname.startsWith(`/${portal.tenant.slug}${item.path}`),
  );

  const shown =
    (current?.about && portal.environments.find(({ kind }) => kind === current.about)) ?? portal.environment;
  // Also in an organisation without a sandbox: nothing of the mailbox has left either.
  const kind = current?.about ?? shown.kind;

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed top-3 left-3 z-70 -translate-y-20 rounded-md bg-accent px-3 py-2 text-sm font-medium text-accent-ink focus-visible:translate-y-0 print:hidden"
      >
        Skip to content
      </a>
      <EnvironmentEdge kind={kind} />
      <GoShortcuts />
      <NoticeToasts />

      <aside className="sticky top-0 hidden h-dvh w-58 shrink-0 border-r border-line bg-canvas lg:block print:hidden">
        <SideNavigation onSearch={() => setPaletteOpen(true)} notices={<NoticeBell />} />
      </aside>

      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex h-13 items-center gap-1 border-b border-line bg-canvas px-2 pt-[3px] lg:hidden print:hidden">
          <Primitive.Root open={menuOpen} onOpenChange={setMenuOpen}>
            <Primitive.Trigger asChild>
              <Button variant="ghost" size="icon" aria-label="Open navigation">
                <Menu aria-hidden />
              </Button>
            </Primitive.Trigger>
            <Primitive.Portal>
              <Primitive.Overlay className="fixed inset-0 z-50 bg-overlay data-[state=open]:animate-in data-[state=open]:fade-in-0" />
              <Primitive.Content
                aria-describedby={undefined}
                className="fixed inset-y-0 left-0 z-50 w-70 max-w-[85vw] border-r border-line bg-canvas shadow-lg outline-none data-[state=open]:animate-in data-[state=open]:duration-150 data-[state=open]:slide-in-from-left"
              >
                <Primitive.Title className="sr-only">Navigation</Primitive.Title>
                <SideNavigation
                  onNavigate={() => setMenuOpen(false)}
                  onSearch={() => {
                    setMenuOpen(false);
                    setPaletteOpen(true);
                  }}
                />
              </Primitive.Content>
            </Primitive.Portal>
          </Primitive.Root>
          <span className="min-w-0 flex-1 truncate px-1 text-base font-semibold">
            {current?.label ?? portal.tenant.name}
          </span>
          <span className="inline-flex items-center gap-1.5 px-2 text-xs font-medium text-ink-muted">
            <EnvironmentSwatch kind={kind} />
            {shown.name}
          </span>
          <NoticeBell />
          <Button variant="ghost" size="icon" aria-label="Search" onClick={() => setPaletteOpen(true)}>
            <Search aria-hidden />
          </Button>
        </header>
        <OfflineBanner />
        <UnknownPlaceBanner />
        <HoldBanner />
        <OutageBanner />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <AccessGate>{children}</AccessGate>
        </main>
      </div>
      {isPaletteThere || paletteOpen ? (
        <CommandPalette open={paletteOpen} onOpenChange={setPaletteOpen} />
      ) : null}
    </div>
  );
}

function GoShortcuts() {
  const portal = usePortal();
  const allowed = new Set(visibleNavigation(portal));
  return navigation.map((item) =>
    item.key && allowed.has(item) ? (
      <GoShortcut key={item.path} keys={`g ${item.key}`} label={item.label} path={item.path} />
    ) : null,
  );
}

function GoShortcut({ keys, label, path }: { keys: string; label: string; path: string }) {
  const go = useGo();
  const { href } = usePortal();
  useShortcut(keys, () => go(href(path)), { label, group: "Go to" });
  return null;
}
