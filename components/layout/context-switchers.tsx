"use client";

import { Check, ChevronsUpDown, LogIn } from "lucide-react";
import { usePortal } from "../portal/portal-context.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { Link } from "../ui/link.tsx";
import { OrganisationMark } from "./organisation-mark.tsx";
import { EnvironmentSwatch, environmentKindLabel } from "./environment-mark.tsx";

const triggerStyle =
  "flex h-8 w-full min-w-0 items-center gap-2 rounded-md border border-line bg-surface px-2 text-left text-sm shadow-xs hover:bg-hover";

/**
 * The organisation whose pages these are, and the others that this browser is signed in to. Each was signed in to on its own:
 * the same address having an account elsewhere opens nothing there.
 */
export function OrganisationSwitcher({ onNavigate }: { onNavigate?: () => void }) {
  const { tenant, brand, organisations, otherOrganisations, href } = usePortal();
  const name = (
    <>
      <OrganisationMark name={tenant.name} brand={brand} />
      <span className="min-w-0 flex-1 truncate text-left text-base font-semibold tracking-tight">
        {tenant.name}
      </span>
    </>
  );
  if (!otherOrganisations) {
    return (
      <Link
        href={href("/overview")}
        className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5"
        onClick={onNavigate}
      >
        {name}
      </Link>
    );
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label={`Organisation: ${tenant.name}`}
        className="flex h-8 min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5 hover:bg-hover"
      >
        {name}
        <ChevronsUpDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-60">
        <DropdownMenuLabel>Signed in to</DropdownMenuLabel>
        {organisations.map((each) => (
          <DropdownMenuItem key={each.slug} asChild>
            {/* A full load: nothing of the organisation that is left stays in memory. */}
            <a href={`/${each.slug}/overview`}>
              <span className="flex-1 truncate">{each.name}</span>
              {each.slug === tenant.slug ? <Check aria-label="current" /> : null}
            </a>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <a href="/sign-in?another=1">
            <LogIn aria-hidden /> Sign in to another one
          </a>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function EnvironmentSwitcher() {
  const { environments, environment, setEnvironment } = usePortal();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={triggerStyle} aria-label={`Environment: ${environment.name}`}>
        <EnvironmentSwatch kind={environment.kind} />
        <span className="min-w-0 flex-1 truncate font-medium">{environment.name}</span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-60">
        <DropdownMenuLabel>Environment</DropdownMenuLabel>
        {environments.map((each) => (
          <DropdownMenuItem key={each.id} onSelect={() => setEnvironment(each.slug)} className="items-start">
            <EnvironmentSwatch kind={each.kind} className="mt-1.5" />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{each.name}</span>
              <span className="block text-xs text-ink-faint">{environmentKindLabel[each.kind]}</span>
            </span>
            {each.id === environment.id ? <Check className="mt-0.5" aria-label="current" /> : null}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function UnitSwitcher() {
  const { units, unit, setUnit } = usePortal();
  if (units.length < 2) return null;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={triggerStyle} aria-label={`Team: ${unit?.name ?? "all teams"}`}>
        <span className="min-w-0 flex-1 truncate">{unit?.name ?? "All teams"}</span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-60">
        <DropdownMenuLabel>Team</DropdownMenuLabel>
        <DropdownMenuItem onSelect={() => void setUnit(null)}>
          <span className="flex-1">All teams</span>
          {unit ? null : <Check aria-label="current" />}
        </DropdownMenuItem>
        {units.map((each) => (
          <DropdownMenuItem key={each.id} onSelect={() => void setUnit(each.slug)}>
            <span className="flex-1 truncate">{each.name}</span>
            {each.id === unit?.id ? <Check aria-label="current" /> : null}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
