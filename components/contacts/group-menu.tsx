"use client";

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ContactGroup } from "../../server/contacts/schemas.ts";
import { FilterMenu } from "../data-table/filter-menu.tsx";
import { useTRPC } from "../trpc/client.tsx";

/** Shown at a time; the others are found by a part of their name. */
const shown = 50;

/** Contact groups to choose from, however many there are. */
export function GroupMenu({
  label,
  kind,
  multiple = true,
  selected,
  onChange,
}: {
  label: string;
  /** Only such groups. */
  kind?: ContactGroup["kind"];
  multiple?: boolean;
  selected: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const trpc = useTRPC();
  const [search, setSearch] = useState("");
  const query = useQuery(
    trpc.contactGroups.list.queryOptions(
      { limit: shown, ...(kind ? { kind } : {}), ...(search === "" ? {} : { search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const found = query.data?.data ?? [];
  // What was chosen before may not be among what is found now.
  const names = useGroupNames(selected.filter((id) => !found.some((group) => group.id === id)));
  const options = [
    ...(search === "" ? names.map(({ id, name }) => ({ value: id, label: name })) : []),
    ...found.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <FilterMenu
      label={label}
      multiple={multiple}
      selected={selected}
      onChange={onChange}
      options={options}
      names={Object.fromEntries(names.map(({ id, name }) => [id, name]))}
      search={{
        value: search,
        onChange: setSearch,
        pending: query.isPlaceholderData || query.isPending,
        placeholder: "Find a group…",
      }}
    />
  );
}

/** Groups by their ids; those that are gone or not there yet are left out. */
export function useGroupNames(ids: readonly string[]): { id: string; name: string; kind: string }[] {
  const trpc = useTRPC();
  return useQueries({
    queries: ids.map((id) => trpc.contactGroups.get.queryOptions({ id }, { staleTime: 60_000 })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  });
}
