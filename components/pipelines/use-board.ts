"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { channels } from "../messages/channel.tsx";
import { usePortal, usePortalData } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

const parsers = {
  application: parseAsString,
  q: parseAsString.withDefault(""),
  channel: parseAsStringLiteral(channels),
  differing: parseAsBoolean.withDefault(false),
  cursor: parseAsString,
  open: parseAsString,
};

/** The application that the URL names, or the first that the reader sees. */
export function useApplication() {
  const { applications } = usePortal();
  const { applications: all } = usePortalData();
  const [name, setName] = useQueryStates(
    { application: parseAsString, cursor: parseAsString, open: parseAsString },
    { history: "push" },
  );
  const application = applications.find((each) => each.name === name.application) ?? applications[0] ?? null;
  const isKnown = all.some((each) => each.name === name.application && !each.archived);
  return {
    application,
    /** What the URL names and is not there, or not any more. */
    unknown: isKnown ? null : name.application,
    setApplication: (next: string) => void setName({ application: next, cursor: null, open: null }),
  };
}

/** Filters of the board, all of them in the URL, and what they show. */
export function useBoard(application: string) {
  const trpc = useTRPC();
  const [values, setValues] = useQueryStates(parsers, { history: "push" });
  const query = useQuery(
    trpc.pipelines.board.queryOptions(
      {
        application,
        search: values.q === "" ? undefined : values.q,
        channel: values.channel ?? undefined,
        differing: values.differing,
        cursor: values.cursor ?? undefined,
      },
      { placeholderData: keepPreviousData, refetchInterval: 20_000 },
    ),
  );
  type Change = { q?: string | null; channel?: (typeof channels)[number] | null; differing?: boolean | null };
  return {
    values,
    query,
    narrowed: values.q !== "" || values.channel !== null || values.differing,
    change: (next: Change) => void setValues({ ...next, cursor: null, open: null }),
    clear: () => void setValues({ q: null, channel: null, differing: null, cursor: null, open: null }),
    setCursor: (cursor: string | null) => void setValues({ cursor, open: null }),
    setOpen: (open: string | null) => void setValues({ open }, { history: values.open ? "replace" : "push" }),
  };
}
