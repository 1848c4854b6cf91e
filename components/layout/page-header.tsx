"use client";

import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { isolated } from "../ui/isolated.ts";
import { Link } from "../ui/link.tsx";
import { ProductionPill } from "./environment-mark.tsx";
import { useDocumentTitle } from "./use-document-title.ts";

/** Title line of a page: where one is, what it is for, and what can be done here. */
export function PageHeader({
  title,
  description,
  actions,
  back,
  environmentScoped = true,
  documentTitle,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  /** False for pages that show the same in every environment. */
  environmentScoped?: boolean;
  /** Text for the browser's tab; defaults to `title` when that is a string. */
  documentTitle?: string;
}) {
  const { environment } = usePortal();
  const tab = documentTitle ?? (typeof title === "string" ? title : null);
  const scope = environmentScoped ? environment.name : null;
  useDocumentTitle(tab ? [tab, scope, "Tidings"].filter(Boolean).map(isolated).join(" · ") : null);

  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {back ? (
          <Link
            href={back.href}
            className="mb-1.5 -ml-1 inline-flex items-center gap-0.5 rounded-sm pr-1 text-sm text-ink-muted hover:text-ink"
          >
            <ChevronLeft className="size-4" aria-hidden />
            <bdi>{back.label}</bdi>
          </Link>
        ) : null}
        <div className="flex min-w-0 flex-wrap items-center gap-2.5">
          <h1 className="min-w-0 text-xl font-semibold tracking-[-0.015em] break-words">{isolated(title)}</h1>
          {environmentScoped ? <ProductionPill kind={environment.kind} /> : null}
        </div>
        {description ? <div className="mt-0.5 text-sm text-ink-muted">{isolated(description)}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div> : null}
    </header>
  );
}
