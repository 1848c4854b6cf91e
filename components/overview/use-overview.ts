"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { overviewPeriods } from "../../server/insights/vocabulary.ts";
import { channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

/** The figures of the chosen period and of the one before it, with the filters that are in the URL. */
export function useOverview() {
  const { environment, unit } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(
    {
      period: parseAsStringLiteral(overviewPeriods).withDefault("24h"),
      application: parseAsString,
      channel: parseAsStringLiteral(channels),
    },
    { history: "push" },
  );
  const query = useQuery(
    trpc.insights.overview.queryOptions(
      {
        period: view.period,
        environmentId: environment.id,
        unitId: unit?.id,
        application: view.application ?? undefined,
        channel: view.channel ?? undefined,
      },
      { refetchInterval: 10_000, placeholderData: keepPreviousData },
    ),
  );
  return { view, setView, query };
}
