"use client";

import { ChevronLeft } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { PageFrame } from "../layout/page-frame.tsx";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { cn } from "../ui/cn.ts";
import { Link } from "../ui/link.tsx";
import { visibleSections } from "./settings-sections.ts";

/** A page of Settings: its navigation beside it where there is room, and a way back to it where there is not. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const portal = usePortal();
  const pathname = usePathname();
  const root = `/${portal.tenant.slug}/settings`;
  const current = pathname.slice(root.length);
  const sections = visibleSections(portal);
  const section = sections.find(({ path }) => path === current);

  useDocumentTitle([section?.label, "Settings", "Tidings"].filter(Boolean).join(" · "));

  return (
    <PageFrame className="max-w-6xl">
      <div className="md:grid md:grid-cols-[12rem_minmax(0,1fr)] md:gap-10">
        <nav aria-label="Settings" className="hidden md:block">
          <Link href={portal.href("/settings")} className="block px-2 pb-3 text-xl font-semibold">
            Settings
          </Link>
          <ul className="grid gap-px">
            {sections.map(({ label, path, icon: Icon }) => (
              <li key={path}>
                <Link
                  href={portal.href(`/settings${path}`)}
                  aria-current={path === current ? "page" : undefined}
                  className={cn(
                    "flex h-8 items-center gap-2.5 rounded-md px-2 text-sm",
                    path === current
                      ? "bg-selected font-medium text-ink"
                      : "text-ink-muted hover:bg-hover hover:text-ink",
                  )}
                >
                  <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
                  <span className="truncate">{label}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          {current === "" ? null : (
            <Link
              href={portal.href("/settings")}
              className="mb-1.5 -ml-1 inline-flex items-center gap-0.5 rounded-sm pr-1 text-sm text-ink-muted hover:text-ink md:hidden"
            >
              <ChevronLeft className="size-4" aria-hidden />
              Settings
            </Link>
          )}
          {children}
        </div>
      </div>
    </PageFrame>
  );
}

/** Title of a page of Settings, with the sentence that says what it is for. */
export function SettingsHeader({
  path,
  children,
  actions,
}: {
  path: string;
  /** More than the sentence. */
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const portal = usePortal();
  const section = visibleSections(portal).find((each) => each.path === path);
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="text-xl font-semibold tracking-[-0.015em]">{section?.label}</h1>
        <p className="mt-0.5 text-sm text-ink-muted">{section?.says}</p>
        {children ? <div className="mt-1 text-sm text-ink-muted">{children}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}
