"use client";

import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { Link } from "../ui/link.tsx";

/** Title line of a page of the console. */
export function ConsoleHeader({
  title,
  badge,
  description,
  actions,
  back,
  documentTitle,
}: {
  title: ReactNode;
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  /** Text for the browser's tab; defaults to `title` when that is a string. */
  documentTitle?: string;
}) {
  const tab = documentTitle ?? (typeof title === "string" ? title : null);
  useDocumentTitle(tab === null ? null : `${tab} · Console`);
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {back ? (
          <Link
            href={back.href}
            className="mb-1.5 -ml-1 inline-flex items-center gap-0.5 rounded-sm pr-1 text-sm text-ink-muted hover:text-ink"
          >
            <ChevronLeft className="size-4" aria-hidden />
            {back.label}
          </Link>
        ) : null}
        <div className="flex min-w-0 flex-wrap items-center gap-2.5">
          <h1 className="min-w-0 text-xl font-semibold tracking-[-0.015em] break-words">{title}</h1>
          {badge}
        </div>
        {description ? <div className="mt-0.5 text-sm text-ink-muted">{description}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}
