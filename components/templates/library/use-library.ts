"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { channels } from "../../messages/channel.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";

export const sorts = ["name", "changed"] as const;
export type LibrarySort = (typeof sorts)[number];

const parsers = {
  q: parseAsString.withDefault(""),
  application: parseAsString,
  channel: parseAsStringLiteral(channels),
  type: parseAsString,
  /** Short name of an environment. */
  live: parseAsString,
  differs: parseAsBoolean.withDefault(false),
  archived: parseAsBoolean.withDefault(false),
  sort: parseAsStringLiteral(sorts).withDefault("name"),
  cursor: parseAsString,
};

const nothingChosen = {
  q: null,
  application: null,
  channel: null,
  type: null,
  live: null,
  differs: null,
  cursor: null,
};

/** Filters of the template library, all of them in the URL. A change of filter goes back to the first page. */
export function useLibraryFilters() {
  const { environments } = usePortal();
  const [values, setValues] = useQueryStates(parsers, { history: "push" });
  const liveIn = environments.find((each) => each.slug === values.live);
  return {
    values,
    liveIn,
    narrowed:
      values.q !== "" ||
      values.differs ||
      Boolean(values.application ?? values.channel ?? values.type ?? values.live),
    change: (next: { [Key in keyof typeof values]?: (typeof values)[Key] | null }) =>
      void setValues({ ...next, cursor: null }),
    setCursor: (cursor: string | null) => void setValues({ cursor }),
    clear: () => void setValues(nothingChosen),
  };
}

export type LibraryFilters = ReturnType<typeof useLibraryFilters>;

/** The page of the library that the filters ask for, and whether there is anything archived when it is empty. */
export function useLibrary({ values, liveIn, narrowed }: LibraryFilters) {
  const { unit } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.templates.groups.queryOptions(
      {
        search: values.q === "" ? undefined : values.q.slice(0, 200),
        application: values.application ?? undefined,
        unitId: unit?.id,
        channel: values.channel ?? undefined,
        notificationType: values.type ?? undefined,
        liveIn: liveIn?.id,
        differing: values.differs,
        archived: values.archived,
        sort: values.sort,
        cursor: values.cursor ?? undefined,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const isEmpty = query.data?.data.length === 0 && !narrowed && !values.cursor;
  const others = useQuery(
    trpc.templates.groups.queryOptions(
      { unitId: unit?.id, archived: true, limit: 1 },
      { enabled: isEmpty && !values.archived },
    ),
  );
  return { query, allArchived: isEmpty && (others.data?.data.length ?? 0) > 0 };
}
