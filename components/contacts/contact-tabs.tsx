"use client";

import { usePortal } from "../portal/portal-context.tsx";
import { cn } from "../ui/cn.ts";
import { Link } from "../ui/link.tsx";

const tabs = [
  { id: "contacts", label: "Contacts", path: "/contacts" },
  { id: "groups", label: "Groups", path: "/contacts/groups" },
] as const;

/** The two lists. */
export function ContactTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  const { href } = usePortal();
  return (
    <nav aria-label="Contacts and groups" className="mb-4 flex items-center gap-5 border-b border-line">
      {tabs.map(({ id, label, path }) => (
        <Link
          key={id}
          href={href(path)}
          aria-current={id === current ? "page" : undefined}
          className={cn(
            "-mb-px flex h-9 items-center border-b-2 px-0.5 text-sm font-medium",
            id === current ? "border-accent text-ink" : "border-transparent text-ink-muted hover:text-ink",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
