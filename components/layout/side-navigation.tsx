"use client";

import { ArrowUpRight, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { useWaitingCount } from "../approvals/use-waiting-count.ts";
import { useReviewCount } from "../consent/use-review-count.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { ShortcutKeys } from "../shortcuts/shortcuts.tsx";
import { cn } from "../ui/cn.ts";
import { Link } from "../ui/link.tsx";
import { EnvironmentSwitcher, OrganisationSwitcher, UnitSwitcher } from "./context-switchers.tsx";
import { visibleNavigation, type NavigationItem } from "./navigation.ts";
import { UserMenu } from "./user-menu.tsx";

export function SideNavigation({
  onSearch,
  onNavigate,
  notices,
}: {
  onSearch: () => void;
  onNavigate?: () => void;
  /** The bell, where no other bar holds it. */
  notices?: ReactNode;
}) {
  const portal = usePortal();
  const items = visibleNavigation(portal);
  const counts = { approvals: useWaitingCount(), reviews: useReviewCount() };
  const sections = Object.entries(Object.groupBy(items, (item) => item.section));

  return (
    <div className="flex h-full flex-col">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-3 pt-4 pb-3">
        <div className="mb-1.5 flex min-h-8 min-w-0 items-center gap-1">
          <OrganisationSwitcher onNavigate={onNavigate} />
          {notices}
        </div>
        <EnvironmentSwitcher />
        <UnitSwitcher />
        <button
          type="button"
          onClick={onSearch}
          className="flex h-8 items-center gap-2 rounded-md px-2 text-sm text-ink-muted hover:bg-hover hover:text-ink"
        >
          <Search className="size-4" aria-hidden />
          <span className="flex-1 text-left">Search</span>
          <span className="flex" aria-hidden>
            <ShortcutKeys keys="mod+k" />
          </span>
        </button>
      </div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        {sections.map(([section, sectionItems], index) => (
          <div key={section} className={cn(index > 0 && "mt-4")}>
            {index > 0 ? <h2 className="px-2 pb-1 text-2xs font-medium text-ink-faint">{section}</h2> : null}
            <ul className="grid gap-px">
              {sectionItems.map((item) => (
                <li key={item.path}>
                  <NavigationLink
                    item={item}
                    count={item.count ? counts[item.count] : 0}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="border-t border-line p-2">
        <UserMenu />
      </div>
    </div>
  );
}

/** Scrolls the list that `link` is in, and not the page, as scrollIntoView does where the frame is longer than the window. */
function scrollListTo(link: HTMLElement): void {
  const list = link.closest("nav");
  if (!list) return;
  const [item, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.max(item.bottom - frame.bottom, 0) - Math.max(frame.top - item.top, 0);
}

function NavigationLink({
  item,
  count,
  onNavigate,
}: {
  item: NavigationItem;
  /** How many things there wait for the reader. */
  count: number;
  onNavigate?: () => void;
}) {
  const { href, tenant } = usePortal();
  const pathname = usePathname();
  const base = `/${tenant.slug}${item.path}`;
  const active = !item.external && (pathname === base || pathname.startsWith(`${base}/`));
  const Icon = item.icon;
  const link = useRef<HTMLAnchorElement>(null);
  // Also where the list is longer than the window, and whoever came by an address has not scrolled to it.
  useEffect(() => {
    if (active && link.current) scrollListTo(link.current);
  }, [active]);
  const style = cn(
    "flex h-8 items-center gap-2.5 rounded-md px-2 text-sm transition-colors",
    active ? "bg-selected font-medium text-ink" : "text-ink-muted hover:bg-hover hover:text-ink",
  );
  const content = (
    <>
      <Icon
        className={cn("size-4 shrink-0", active ? "text-accent-text" : "text-ink-faint")}
        strokeWidth={active ? 2.1 : 1.85}
        aria-hidden
      />
      <span className="truncate">{item.label}</span>
      {count > 0 ? (
        <span className="ml-auto rounded-full bg-warning-soft px-1.5 text-2xs leading-4 font-semibold text-warning-text tabular">
          {count >= 100 ? "99+" : count}
        </span>
      ) : null}
    </>
  );
  if (item.external) {
    return (
      <a href={item.path} target="_blank" rel="noreferrer" className={style} onClick={onNavigate}>
        {content}
        <ArrowUpRight className="ml-auto size-3.5 text-ink-faint" aria-hidden />
        <span className="sr-only">(opens a new tab)</span>
      </a>
    );
  }
  return (
    <Link
      ref={link}
      href={href(item.path)}
      className={style}
      aria-current={active ? "page" : undefined}
      onClick={onNavigate}
    >
      {content}
    </Link>
  );
}
