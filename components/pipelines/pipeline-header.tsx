"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { cn } from "../ui/cn.ts";
import { Link } from "../ui/link.tsx";

const views = [
  { label: "Board", path: "/pipeline" },
  { label: "Promotions", path: "/pipeline/promotions" },
] as const;

/** Title of the pipeline's pages and the way between them; `application` goes along. */
export function PipelineHeader({
  description,
  application,
  documentTitle,
  actions,
}: {
  description: string;
  application: string | null;
  documentTitle: string;
  actions?: ReactNode;
}) {
  const { href, tenant } = usePortal();
  const pathname = usePathname();
  return (
    <>
      <PageHeader
        title="Pipeline"
        description={description}
        documentTitle={documentTitle}
        environmentScoped={false}
        actions={actions}
      />
      <nav aria-label="Pipeline" className="mb-4 flex gap-5 border-b border-line">
        {views.map(({ label, path }) => {
          const active = pathname === `/${tenant.slug}${path}`;
          return (
            <Link
              key={path}
              href={href(path, { application })}
              aria-current={active ? "page" : undefined}
              className={cn(
                "-mb-px flex h-9 items-center border-b-2 text-sm font-medium",
                active ? "border-accent text-ink" : "border-transparent text-ink-muted hover:text-ink",
              )}
            >
              {label}
            </Link>
          );
        })}
      </nav>
    </>
  );
}
