"use client";

import { ChevronRight, Lock } from "lucide-react";
import { usePortal } from "../portal/portal-context.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { visibleSections } from "./settings-sections.ts";

/** All pages of Settings, each with the sentence that says what it is for. */
export function SettingsPage() {
  const portal = usePortal();
  const sections = visibleSections(portal);
  return (
    <>
      <h1 className="mb-1 text-xl font-semibold tracking-[-0.015em] md:sr-only">Settings</h1>
      <p className="mb-4 text-sm text-ink-muted">
        Settings for all of {portal.tenant.name}, in every environment.
      </p>
      <Card>
        {sections.length === 0 ? (
          <NothingYet icon={Lock} title="You don't have access to settings">
            Ask an administrator of {portal.tenant.name} for a role that manages the organisation or your
            team.
          </NothingYet>
        ) : (
          <ul className="divide-y divide-line">
            {sections.map(({ label, path, says, icon: Icon }) => (
              <li key={path}>
                <Link
                  href={portal.href(`/settings${path}`)}
                  className="flex items-start gap-3 px-4 py-3.5 hover:bg-hover"
                >
                  <Icon className="mt-0.5 size-4.5 shrink-0 text-ink-muted" strokeWidth={1.75} aria-hidden />
                  <span className="min-w-0 flex-1">
                    <span className="block text-sm font-medium">{label}</span>
                    <span className="mt-0.5 block text-sm text-ink-muted">{says}</span>
                  </span>
                  <ChevronRight className="mt-0.5 size-4 shrink-0 text-ink-faint" aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}
