"use client";

import { useQuery } from "@tanstack/react-query";
import { ChoiceFilter } from "../../data-table/filter-menu.tsx";
import { SearchBox } from "../../data-table/search-box.tsx";
import { EnvironmentSwatch } from "../../layout/environment-mark.tsx";
import { ChannelFilter } from "../../messages/channel-filter.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { Select } from "../../ui/select.tsx";
import type { LibraryFilters, LibrarySort } from "./use-library.ts";

export function LibraryFilterBar({ filters }: { filters: LibraryFilters }) {
  const { applications, environments } = usePortal();
  const trpc = useTRPC();
  const types = useQuery(trpc.tenancy.notificationTypes.queryOptions(undefined, { staleTime: 60_000 }));
  const { values, change, liveIn } = filters;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchBox
        value={values.q}
        onChange={(q) => change({ q: q === "" ? null : q })}
        label="Search templates by name, type or text"
        placeholder="Name, type or text"
        className="w-full sm:w-64"
      />
      {applications.length > 1 || values.application ? (
        <ChoiceFilter
          label="Application"
          value={values.application}
          onChange={(application) => change({ application })}
          options={applications.map((each) => ({ value: each.name, label: each.title }))}
        />
      ) : null}
      <ChannelFilter value={values.channel} onChange={(channel) => change({ channel })} />
      <ChoiceFilter
        label="Type"
        value={values.type}
        onChange={(type) => change({ type })}
        options={(types.data?.data ?? []).map(({ type }) => ({ value: type, label: type }))}
      />
      {values.archived ? null : (
        <>
          <ChoiceFilter
            label="Live in"
            value={liveIn?.slug ?? null}
            onChange={(live) => change({ live })}
            options={environments.map((each) => ({
              value: each.slug,
              label: each.name,
              mark: <EnvironmentSwatch kind={each.kind} />,
            }))}
          />
          <Toggle
            pressed={values.differs}
            onClick={() => change({ differs: values.differs ? null : true })}
            title="Only templates that not all stages of their pipeline have in the same version"
          >
            Differs between stages
          </Toggle>
        </>
      )}
      <Toggle
        pressed={values.archived}
        onClick={() => change({ archived: values.archived ? null : true, live: null, differs: null })}
      >
        Archived
      </Toggle>
      <Select
        aria-label="Order"
        className="w-36"
        value={values.sort}
        onValueChange={(sort) => change({ sort: sort as LibrarySort })}
        options={[
          { value: "name", label: "By name" },
          { value: "changed", label: "By last change" },
        ]}
      />
      {filters.narrowed ? (
        <Button variant="ghost" size="sm" onClick={filters.clear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

/** A filter that is on or off, drawn like the menus beside it. */
function Toggle({
  pressed,
  onClick,
  title,
  children,
}: {
  pressed: boolean;
  onClick: () => void;
  title?: string;
  children: string;
}) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      title={title}
      className={cn(
        "inline-flex h-8 items-center rounded-md border px-2.5 text-sm",
        pressed
          ? "border-accent bg-accent-soft font-medium text-accent-text"
          : "border-dashed border-line-strong bg-surface text-ink-muted hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
